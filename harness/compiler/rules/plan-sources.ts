import type { GraphNode } from '../../flow/flow-graph';
import { nameOf, type Rule, type RuleContext } from '../context';
import { isOn } from '../control-types';
import type { Diagnostic } from '../diagnostic';
import { commandChannel, planningTypes } from '../planning-types';

/**
 * What the pipeline goes without (planning.md §21, 8 and 11): a plan that is assembled without an exploration cannot be held against what was
 * found, and tests first need to know the test command.
 */
export const planSources: Rule = (context) => [
  ...ofType(context, planningTypes.assemble)
    .filter(() => ofType(context, planningTypes.explore).length === 0)
    .map(
      (entry): Diagnostic => ({
        code: 'PLAN_UNEXPLORED',
        severity: 'info',
        nodeId: entry.id,
        message: `No exploration comes before ${nameOf(entry)}, so there is no file summary: invented paths (V1) and wrong edits (V3) are not checked.`,
      }),
    ),
  ...ofType(context, planningTypes.tdd)
    .filter(() => !running(context).some(({ manifest }) => manifest?.writes?.includes(commandChannel)))
    .map(
      (entry): Diagnostic => ({
        code: 'TDD_NO_COMMANDS',
        severity: 'info',
        nodeId: entry.id,
        message: `${nameOf(entry)} needs a test command and one for each test, and no node of this flow finds the commands of the workspace. Without one in .bridle/commands.json, the server’s environment or a manifest it halts.`,
      }),
    ),
];

const running = ({ graph, bodies }: RuleContext): GraphNode[] =>
  [...graph.nodes.values()].filter((entry) => entry.node.disabled !== true && bodies.reachable.has(entry.id));

const ofType = (context: RuleContext, type: string): GraphNode[] => running(context).filter((entry) => isOn(entry, type));
