import { implementPolicy } from '@/harness/contract/policy';
import { controlLoop } from './node';

/** Data only: the tool loop of the node it is attached to reads its settings (`support/attached-loop.ts`). */
export const controlLoopPolicy = implementPolicy(controlLoop, {});
