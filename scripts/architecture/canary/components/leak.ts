import { executeBad } from '../nodes/flow/bad/execute';

/** Ships an executor to the browser on purpose. */
export const leak = executeBad();
