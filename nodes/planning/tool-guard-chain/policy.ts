import { implementPolicy } from '@/harness/contract/policy';
import { guardHooks } from '../support/guarding';
import { toolGuardChain } from './node';

export const toolGuardChainPolicy = implementPolicy(
  toolGuardChain,
  guardHooks(({ allowedFiles, files, tddLock, checkAfterwards, ...rules }) => ({ rules, allowedFiles, files, tddLock, checkAfterwards })),
);
