import { isJsonObject, type Json } from '../../contract/json';
import { fact } from '../../layers/shared/explain';
import { defaultGuardConfig, type GuardConfig } from './guard-config';
import type { Guard, GuardedCall } from './guarded-call';

const isBlank = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Required fields that a call leaves out or blank. A few may be blank: the content of a new file, the replacement of an edit. */
export function missingFields({ tool, input }: GuardedCall, config: GuardConfig = defaultGuardConfig): string[] {
  const required = Array.isArray(tool.inputSchema.required) ? tool.inputSchema.required.filter((name) => typeof name === 'string') : [];
  const given = isJsonObject(input) ? input : {};
  const blank = config.blankAllowed[tool.name] ?? [];
  return required.filter((name) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return isBlank(value) && !(typeof value === 'string' && blank.includes(name));
  });
}

export const requiredParameters: Guard = (call, _facts, config) => {
  const missing = missingFields(call, config);
  if (missing.length === 0) return null;
  const many = missing.length > 1;
  return {
    guard: 'G0',
    verdict: 'deny',
    text: `ERROR: ${call.tool.name} needs ${missing.map((name) => `"${name}"`).join(', ')}, and ${many ? 'they are' : 'it is'} missing or blank. Call it again with ${many ? 'them' : 'it'}.`,
    because: [fact('missing or blank', missing)],
  };
};

export const readOnly: Guard = ({ tool }, _facts, config) =>
  !config.readOnly || tool.effect === 'read'
    ? null
    : {
        guard: 'read_only',
        verdict: 'deny',
        text: `ERROR: ${tool.name} may change something, and only reading is allowed here.`,
        because: [{ name: 'effect', value: tool.effect, operator: '==', threshold: 'read', holds: false }],
      };

export const noRecursion: Guard = ({ tool }, _facts, config) =>
  !config.recursionDeny || !config.runTools.includes(tool.name)
    ? null
    : {
        guard: 'recursion',
        verdict: 'deny',
        text: `ERROR: ${tool.name} would start another run from within this one, which is not allowed.`,
        because: [{ name: 'tool', value: tool.name, operator: 'not in', threshold: config.runTools, holds: false }],
      };

/** Reading stays open whatever the control state: it is how a blocked run learns what is wrong. */
export const controlState: Guard = ({ tool }, { control }) => {
  if (control === null || control === 'ALLOW' || tool.effect === 'read') return null;
  const because = [fact('control state', control), fact('effect', tool.effect)];
  return control === 'DENY'
    ? {
        guard: 'control_state',
        verdict: 'deny',
        text: `ERROR: the control state allows no changes now, so ${tool.name} is refused.`,
        because,
      }
    : { guard: 'control_state', verdict: 'ask', text: `The control state wants a person to approve ${tool.name}.`, because };
};
