import type { Rule } from '../context';
import { brokenEdge } from './broken-edge';

/** Every rule, in no particular order: diagnostics are sorted afterwards. */
export const rules: readonly Rule[] = [brokenEdge];
