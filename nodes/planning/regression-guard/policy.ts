import { implementPolicy } from '@/harness/contract/policy';
import { guardConfigSchema } from '@/harness/planning/guards/guard-config';
import { guardHooks } from '../support/guarding';
import { regressionGuard } from './node';

/** The tool guard chain with one guard. */
export const regressionGuardPolicy = implementPolicy(
  regressionGuard,
  guardHooks(({ checkAfterwards, ...own }) => ({
    rules: guardConfigSchema.parse({ ...own, order: ['G3'], timeoutSeconds: 0 }),
    allowedFiles: 'off',
    files: [],
    tddLock: 'off',
    checkAfterwards,
  })),
);
