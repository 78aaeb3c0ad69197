import { isJsonObject, type Json } from '../../contract/json';
import { nameOf, type Rule } from '../context';
import type { Diagnostic } from '../diagnostic';

/** Keys and tokens as their issuers write them. */
const shapes: readonly RegExp[] = [
  /\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bgithub_pat_[A-Za-z0-9_]{40,}/,
  /\bglpat-[A-Za-z0-9_-]{20,}/,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/,
  /\bhf_[A-Za-z0-9]{30,}/,
  /\bnpm_[A-Za-z0-9]{36}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/,
  /\b[Bb]earer\s+[A-Za-z0-9._~+/-]{20,}/,
  /:\/\/[^\s/:@{}]+:[^\s/@{}]{3,}@/,
];
const secretKey =
  /^(?:authorization|proxy-authorization|cookie|(?:x-)?api[-_]?key|.*(?:password|passwd|secret|access[-_]?token|auth[-_]?token))$/i;

/** A key or token written out in a flow would travel with every export. */
export const secretLiteral: Rule = ({ graph }) =>
  [...graph.nodes.values()].flatMap((entry) =>
    literalsIn(entry.node.config, '').map(
      (path): Diagnostic => ({
        code: 'SECRET_LITERAL',
        severity: 'error',
        nodeId: entry.id,
        path,
        message: `${nameOf(entry)}: "${path}" looks like a key or password written out, and would be in every export of this flow. Store it under Settings → Secrets and write {{secrets.NAME}}.`,
      }),
    ),
  );

function literalsIn(value: Json, path: string): string[] {
  if (typeof value === 'string') return shapes.some((shape) => shape.test(value)) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => literalsIn(item, join(path, String(index))));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = join(path, key);
    if (typeof inner === 'string' && secretKey.test(key) && isWrittenOut(inner)) return [at];
    return literalsIn(inner, at);
  });
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Long enough to be one, without an expression, and no sentence. */
const isWrittenOut = (text: string): boolean => text.length >= 8 && !text.includes('{{') && text.trim().split(/\s+/).length <= 2;
