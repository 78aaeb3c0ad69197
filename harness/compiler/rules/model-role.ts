import { type ModelRole, modelRoles } from '../../contract/model';
import type { Rule, RuleContext } from '../context';
import type { Diagnostic } from '../diagnostic';

const isRole = (role: string): role is ModelRole => modelRoles.some((known) => known === role);

/** Model roles that nodes ask for and no model fills: the rehearsal model would answer for them. */
export const modelRole: Rule = (context) => {
  const users = usersByRole(context);
  return [...users].flatMap(([role, ids]): Diagnostic[] => {
    const { models } = context.document.settings;
    const choice = models[role] ?? models.primary;
    const [nodeId = ''] = ids;
    const place = { nodeId, path: 'role' };
    const provided = context.options.models?.providers;
    if (choice && provided && !provided.includes(choice.provider)) {
      return [
        {
          ...place,
          code: 'MODEL_PROVIDER_MISSING',
          severity: 'warning',
          message: `The role "${role}" is filled by ${choice.model} of the provider "${choice.provider}", which is not set up here. Set it up under Settings, or choose another model in the flow's settings.`,
        },
      ];
    }
    if (choice || context.options.models?.roles?.includes(role)) return [];
    return [
      {
        ...place,
        code: 'MODEL_ROLE_EMPTY',
        severity: 'warning',
        message: `No model is chosen for the role "${role}" (used by ${ids.length} ${ids.length === 1 ? 'node' : 'nodes'}). The built-in rehearsal model will answer, offline and by script. Choose a model in the flow's settings.`,
      },
    ];
  });
};

function usersByRole({ graph, bodies }: RuleContext): Map<ModelRole, string[]> {
  const users = new Map<ModelRole, string[]>();
  for (const entry of graph.nodes.values()) {
    if (entry.node.disabled || entry.issues.length > 0 || !bodies.reachable.has(entry.id)) continue;
    const role = entry.manifest?.model?.(entry.config);
    if (typeof role === 'string' && isRole(role)) users.set(role, [...(users.get(role) ?? []), entry.id]);
  }
  return users;
}
