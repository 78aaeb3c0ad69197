import { readFileSync } from 'node:fs';
import { chicken } from './circle';

/** Breaks the rules on purpose: the architecture test fails when nothing complains about it. */
export const egg = (): string => readFileSync(chicken, 'utf8');
