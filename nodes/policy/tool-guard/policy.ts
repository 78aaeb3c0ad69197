import type { Reason } from '@/harness/contract/decision';
import type { Json } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import { type GuardVerdict, implementPolicy, type PolicyContext } from '@/harness/contract/policy';
import type { ToolSpec } from '@/harness/contract/tool';
import { toolGuard } from './node';

type Config = ConfigOf<typeof toolGuard>;

export const toolGuardPolicy = implementPolicy(toolGuard, {
  filterTools: ({ config }, tools) => (config.hide ? tools.filter((tool) => refusal(config, tool) === null) : tools),
  beforeTool: (context, { tool, input }) => {
    const { config } = context;
    const refused = refusal(config, tool);
    if (refused) return deny(context, tool, refused);
    const needed = config.approval.find((entry) => entry === tool.name || entry === tool.effect);
    return needed === undefined ? allow(config, tool) : askFirst(context, tool, input, needed);
  },
});

interface Refusal {
  rule: string;
  sentence: string;
  reason: Reason;
}

/** The first rule that refuses a tool, else null. */
function refusal(config: Config, tool: ToolSpec): Refusal | null {
  const { name, effect } = tool;
  if (config.deny.includes(name)) {
    return {
      rule: 'denied tool',
      sentence: `${name} may not be called here.`,
      reason: { name: 'tool', value: name, operator: 'not in', threshold: config.deny, holds: false },
    };
  }
  if (config.readOnly && effect !== 'read') {
    return {
      rule: 'read only',
      sentence: `${name} may change something, and only reading is allowed here.`,
      reason: { name: 'effect', value: effect, operator: '==', threshold: 'read', holds: false },
    };
  }
  if (config.allow !== null && !config.allow.includes(name)) {
    return {
      rule: 'allow list',
      sentence: `${name} is not among the tools allowed here.`,
      reason: { name: 'tool', value: name, operator: 'in', threshold: config.allow, holds: false },
    };
  }
  return null;
}

function deny(context: PolicyContext<Config>, tool: ToolSpec, refused: Refusal): GuardVerdict {
  const message = context.config.message.trim() === '' ? refused.sentence : context.config.message;
  return {
    verdict: 'deny',
    message,
    decision: {
      rule: refused.rule,
      outcome: 'deny',
      because: [{ name: 'tool', value: tool.name }, { name: 'effect', value: tool.effect }, refused.reason],
      alternatives: [{ outcome: 'allow', needs: `a change in the tool guard "${context.policy.label}"` }],
    },
  };
}

const allow = (config: Config, tool: ToolSpec): GuardVerdict => ({
  verdict: 'allow',
  decision: {
    rule: 'no rule against it',
    outcome: 'allow',
    because: [
      {
        name: 'tool',
        value: tool.name,
        ...(config.allow === null ? {} : { operator: 'in' as const, threshold: config.allow, holds: true }),
      },
      { name: 'effect', value: tool.effect, ...(config.readOnly ? { operator: '==' as const, threshold: 'read', holds: true } : {}) },
    ],
  },
});

function askFirst(context: PolicyContext<Config>, tool: ToolSpec, input: Json, entry: string): GuardVerdict {
  return {
    verdict: 'ask',
    ask: {
      kind: 'tool-approval',
      title: `Allow ${tool.title}?`,
      body: `“${context.node.label}” wants to call \`${tool.name}\` with the arguments shown. Effect: ${tool.effect}.`,
      shown: { tool: tool.name, arguments: input },
      choices: [
        { id: 'approved', label: 'Allow', tone: 'accept' },
        { id: 'rejected', label: 'Refuse', tone: 'reject' },
      ],
    },
    decision: {
      rule: 'needs approval',
      outcome: 'ask',
      because: [
        { name: 'tool', value: tool.name },
        { name: 'effect', value: tool.effect },
        { name: 'matched entry', value: entry, operator: 'in', threshold: context.config.approval, holds: true },
      ],
      alternatives: [{ outcome: 'allow', needs: `${entry} not to be under “Needs approval”` }],
    },
  };
}
