import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ChatMessage } from '@/harness/contract/model';
import type { ConfigOf } from '@/harness/contract/node';
import { type ChatRound, type ContractOutcome, checkReply } from '@/harness/planning/chat-contract/contract';
import { messageOf } from '../../control/support/helpers';
import { windowOf } from '../support/config';
import type { LocalTool } from '../support/local-tools';
import { projectContextTool } from '../support/project-context';
import { planningState, planningWrites } from '../support/state';
import { runToolLoop } from '../support/tool-loop';
import { opening, roundIn, systemFor, transcriptOf } from './conversation';
import { ChatMemory } from './memory-tools';
import { groundedChat } from './node';

type Context = ExecuteContext<ConfigOf<typeof groundedChat>>;

interface Asked {
  message: string;
  round: ChatRound;
  local: readonly LocalTool[];
}

export const executeGroundedChat = implementNode(groundedChat, async (context) => {
  const { config } = context;
  const state = planningState(context);
  const message = messageOf(context.input);
  const transcript = transcriptOf(context.state.transcript);
  const round = roundIn(transcript, message, config);
  const memory = new ChatMemory(context, state.workspaceMemories);
  const local = [
    projectContextTool(state.planTask.context),
    memory.searchTool(windowOf(config)),
    ...(config.notes ? [memory.noteTool()] : []),
  ];
  const earlier = config.transcript ? transcript.slice(-config.transcriptMessages) : [];
  const { text, outcome, turns } = await converse(context, { message, round, local }, opening(systemFor(round, config), earlier, message));
  const violations = outcome.outcome === 'violation' ? outcome.events : [];
  for (const { contract, problem } of violations) {
    context.decide({ rule: 'contract_violation', outcome: contract, because: [{ name: 'problem', value: problem }] });
    context.log('warning', `Chat contract: ${problem}`);
  }
  const kept = outcome.outcome === 'correct' ? { questions: [], prompt: null } : { questions: outcome.questions, prompt: outcome.prompt };
  return {
    output: { text, ...kept, round, violations, turns },
    writes: planningWrites({ workspaceMemories: memory.changed.size > 0 ? [...memory.changed.values()] : undefined }),
  };
});

/** The model looks and answers; a reply that breaks a contract is sent back once, within the turns of the message. */
async function converse(
  context: Context,
  { message, round, local }: Asked,
  begin: ChatMessage[],
): Promise<{ text: string; outcome: ContractOutcome; turns: number }> {
  const { config } = context;
  let messages = begin;
  let turns = 0;
  const calls: string[] = [];
  for (let corrected = 0; ; corrected += 1) {
    const result = await runToolLoop(context, {
      role: config.role,
      messages,
      tools: config.tools,
      local,
      loop: { maxTurns: Math.max(1, config.maxTurns - turns), textOnlyExit: 1, textOnlyNudge: false },
      settings: config,
      executing: false,
      completion: false,
    });
    turns += result.turns;
    calls.push(...result.calls.filter(({ status }) => status === 'ok').map(({ name }) => name));
    // Nothing is left for a correction: what there is counts as it is.
    const spent = turns >= config.maxTurns ? config.corrections : corrected;
    const outcome = checkReply({ round, message, text: result.text, calls, corrected: spent }, config);
    context.decide(outcome.decision);
    if (outcome.outcome !== 'correct') return { text: result.text, outcome, turns };
    messages = [...result.messages, { role: 'user', content: outcome.nudge }];
  }
}
