import type { Reason } from '@/harness/contract/decision';
import { operationalError, userError } from '@/harness/contract/errors';
import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import { isJsonObject, type Json, type JsonSchema } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import { conversation } from '../../support/conversation';
import { modelLimits } from '../../support/model-limits';
import { askForObject } from '../../support/structured';
import { router } from './node';

type Config = ConfigOf<typeof router>;
type Context = ExecuteContext<Config>;

interface Choice {
  route: string;
  reason: string;
  confidence: number | null;
}

const unsure = 'unsure';

export const executeRouter = implementNode(router, async (context) => {
  const { config } = context;
  const answer = await askForObject(
    context,
    {
      role: config.role,
      messages: conversation(context, { ...config, system: instructions(config), prompt: config.question }),
      ...modelLimits(config),
    },
    { schema: replySchema(config), name: 'route', corrections: config.corrections, mend: (value) => mendRoute(config, value) },
  );
  if (!answer.ok) return undecided(context, { route: unsure, reason: `No usable reply: ${answer.problem}`, confidence: null }, []);
  const choice = choiceOf(answer.object);
  const known = config.routes.map((route) => route.id);
  const because: Reason[] = [
    { name: 'route', value: choice.route, operator: 'in', threshold: known, holds: known.includes(choice.route) },
    ...(choice.confidence === null ? [] : [confidenceReason(choice.confidence, config.minConfidence)]),
  ];
  if (because.some((reason) => reason.holds === false)) return undecided(context, choice, because);
  decide(context, 'the route the model names', choice, because);
  return { port: choice.route, output: { ...choice } };
});

function instructions(config: Config): string {
  const routes = config.routes.map((route) => `- ${route.id}: ${[route.title, route.description].filter(Boolean).join('. ') || route.id}`);
  return [
    'Pick the one route that fits what the user wrote. Do not answer it.',
    config.instructions,
    `Routes:\n${routes.join('\n')}`,
    config.whenUnsure === 'port' ? `If none fits, or it cannot be told, the route is "${unsure}".` : '',
    `Reply with JSON: the route’s id, one sentence of reason${config.minConfidence > 0 ? ', and your confidence from 0 to 1' : ''}.`,
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n');
}

function replySchema(config: Config): JsonSchema {
  const asks = config.minConfidence > 0;
  const ids = [...config.routes.map((route) => route.id), ...(config.whenUnsure === 'port' ? [unsure] : [])];
  return {
    type: 'object',
    properties: {
      route: { type: 'string', enum: ids },
      reason: { type: 'string' },
      ...(asks ? { confidence: { type: 'number', minimum: 0, maximum: 1 } } : {}),
    },
    required: ['route', 'reason', ...(asks ? ['confidence'] : [])],
    additionalProperties: false,
  };
}

/** Models write a route’s title, or its id in another case; both are understood. */
function mendRoute(config: Config, value: Json): Json {
  if (!isJsonObject(value) || typeof value.route !== 'string') return value;
  const said = value.route.trim().toLowerCase();
  const found = config.routes.find(
    (route) => route.id.toLowerCase() === said || (route.title !== '' && route.title.toLowerCase() === said),
  );
  return { ...value, route: found?.id ?? (said === unsure ? unsure : value.route) };
}

const choiceOf = (object: Json): Choice => {
  const fields = isJsonObject(object) ? object : {};
  return {
    route: String(fields.route ?? unsure),
    reason: String(fields.reason ?? ''),
    confidence: typeof fields.confidence === 'number' ? fields.confidence : null,
  };
};

const confidenceReason = (confidence: number, threshold: number): Reason => ({
  name: 'confidence',
  value: confidence,
  operator: '>=',
  threshold,
  distance: Math.abs(confidence - threshold),
  holds: confidence >= threshold,
});

function undecided(context: Context, choice: Choice, because: Reason[]) {
  const { whenUnsure, fallback, routes } = context.config;
  if (whenUnsure === 'fail') {
    decide(context, 'the model did not decide', { ...choice, route: 'error' }, because);
    throw operationalError('ROUTER_UNDECIDED', `"${context.node.label}" got no route from the model: ${choice.reason}`, {
      retryable: true,
    });
  }
  if (whenUnsure === 'port') {
    decide(context, 'the model did not decide', { ...choice, route: unsure }, because);
    return { port: unsure, output: { ...choice, route: unsure } };
  }
  if (!routes.some((route) => route.id === fallback)) {
    throw userError(
      'ROUTER_NO_FALLBACK',
      `The fallback route "${fallback}" of "${context.node.label}" is not one of its routes. Choose one that is.`,
    );
  }
  decide(context, 'fallback, the model did not decide', { ...choice, route: fallback }, because);
  return { port: fallback, output: { ...choice, route: fallback } };
}

function decide(context: Context, rule: string, choice: Choice, because: Reason[]): void {
  context.decide({
    rule,
    outcome: choice.route,
    because,
    alternatives: context.config.routes
      .filter((route) => route.id !== choice.route)
      .map((route) => ({ outcome: route.id, needs: route.description || `the model to name ${route.id}` })),
    note: choice.reason,
  });
}
