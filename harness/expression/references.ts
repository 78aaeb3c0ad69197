import type { ASTNode } from '@marcbachmann/cel-js';
import { isScopeName, type ScopeName } from './reserved';

export type ReferenceKind = 'node' | Exclude<ScopeName, 'nodes'> | 'nodes' | 'unknown';

/**
 * One place where an expression looks outside of itself. `root` is the node id, channel or secret name, and for the other kinds the
 * scope name itself; `path` are the fields read after it as far as they are written out. `start` and `end` are offsets in
 * the source, of the part that would be replaced if the root were renamed.
 */
export interface Reference {
  kind: ReferenceKind;
  root: string;
  path: string[];
  start: number;
  end: number;
  /** How the root is written: `name`, `nodes["…"]` or `nodes.name`. */
  form: 'name' | 'index' | 'field';
  /** True when the expression copes with a missing value (`default`, `has`, `.?`, a comparison with null). */
  guarded: boolean;
  /** Names bound around it by `map`, `filter`, `exists`, `all`, `cel.bind`; a bare root of this name would be captured. */
  bound: readonly string[];
}

type Bound = readonly string[];
interface Walk {
  found: Reference[];
  /** Roots held against null somewhere in the expression. */
  nullChecked: Set<string>;
}

const loopMacros: ReadonlySet<string> = new Set(['map', 'filter', 'exists', 'exists_one', 'all']);

/** All references of a parsed expression, in the order of the text. */
export function collectReferences(ast: ASTNode): Reference[] {
  const walk: Walk = { found: [], nullChecked: new Set() };
  visit(ast, [], false, walk);
  for (const reference of walk.found) if (walk.nullChecked.has(rootKey(reference))) reference.guarded = true;
  return walk.found.sort((a, b) => a.start - b.start);
}

/** How deeply loops over lists stand inside one another. */
export function loopDepth(ast: ASTNode): number {
  const inner = childrenOf(ast).reduce((deepest, child) => Math.max(deepest, loopDepth(child)), 0);
  return isLoop(ast) ? inner + 1 : inner;
}

const isLoop = (ast: ASTNode): boolean => ast.op === 'rcall' && loopMacros.has(ast.args[0]) && ast.args[2].length >= 2;

export function childrenOf(ast: ASTNode): ASTNode[] {
  switch (ast.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [ast.args[0]];
    case 'call':
      return ast.args[1];
    case 'rcall':
      return [ast.args[1], ...ast.args[2]];
    case 'map':
      return ast.args.flat();
    case '!_':
    case '-_':
      return [ast.args];
    default:
      return ast.args;
  }
}

function visit(ast: ASTNode, bound: Bound, guarded: boolean, walk: Walk): void {
  if (ast.op === 'id' || isAccess(ast)) visitAccess(ast, bound, guarded, walk);
  else if (ast.op === 'call') visitCall(ast, bound, guarded, walk);
  else if (ast.op === 'rcall') visitMethod(ast, bound, guarded, walk);
  else {
    if (ast.op === '==' || ast.op === '!=') noteNullCheck(ast.args, walk);
    for (const child of childrenOf(ast)) visit(child, bound, guarded, walk);
  }
}

function visitCall(ast: Extract<ASTNode, { op: 'call' }>, bound: Bound, guarded: boolean, walk: Walk): void {
  const copes = ast.args[0] === 'has' || ast.args[0] === 'default';
  const [first, ...rest] = ast.args[1];
  if (first) visit(first, bound, guarded || copes, walk);
  for (const argument of rest) visit(argument, bound, guarded, walk);
}

function visitMethod(ast: Extract<ASTNode, { op: 'rcall' }>, bound: Bound, guarded: boolean, walk: Walk): void {
  const [name, receiver, args] = ast.args;
  if (isLoop(ast)) {
    const [variable, ...bodies] = args;
    visit(receiver, bound, guarded, walk);
    const inner = variable?.op === 'id' ? [...bound, variable.args] : bound;
    for (const body of bodies) visit(body, inner, guarded, walk);
    return;
  }
  if (name === 'bind' && receiver.op === 'id' && receiver.args === 'cel') {
    const [variable, value, body] = args;
    if (value) visit(value, bound, guarded, walk);
    const inner = variable?.op === 'id' ? [...bound, variable.args] : bound;
    if (body) visit(body, inner, guarded, walk);
    return;
  }
  for (const child of [receiver, ...args]) visit(child, bound, guarded, walk);
}

function noteNullCheck(sides: readonly ASTNode[], walk: Walk): void {
  if (!sides.some((side) => side.op === 'value' && side.args === null)) return;
  for (const side of sides) {
    const chain = chainOf(side);
    const reference = chain && referenceOf(chain, [], false);
    if (reference) walk.nullChecked.add(rootKey(reference));
  }
}

const rootKey = (reference: Pick<Reference, 'kind' | 'root'>): string => `${reference.kind}\0${reference.root}`;

interface Step {
  /** The field name, or null when it is computed. */
  name: string | null;
  node: ASTNode;
  optional: boolean;
}
interface Chain {
  base: Extract<ASTNode, { op: 'id' }>;
  steps: Step[];
}

/** `a.b["c"]` as its base name and its steps; null when it does not begin with a name. */
function chainOf(ast: ASTNode): Chain | null {
  const steps: Step[] = [];
  let at = ast;
  while (isAccess(at)) {
    const optional = at.op === '.?' || at.op === '[?]';
    if (at.op === '.' || at.op === '.?') steps.push({ name: at.args[1], node: at, optional });
    else steps.push({ name: literalText(at.args[1]), node: at, optional });
    at = at.args[0];
  }
  return at.op === 'id' ? { base: at, steps: steps.reverse() } : null;
}

const literalText = (ast: ASTNode): string | null => (ast.op === 'value' && typeof ast.args === 'string' ? ast.args : null);

function visitAccess(ast: ASTNode, bound: Bound, guarded: boolean, walk: Walk): void {
  // computed indexes are expressions of their own
  for (let at = ast; isAccess(at); at = at.args[0]) {
    if (at.op === '[]' || at.op === '[?]') visit(at.args[1], bound, guarded, walk);
    if (at.args[0].op !== 'id' && !isAccess(at.args[0])) {
      visit(at.args[0], bound, guarded, walk);
      return;
    }
  }
  const chain = chainOf(ast);
  if (!chain || bound.includes(chain.base.args)) return;
  const reference = referenceOf(chain, bound, guarded);
  if (reference) walk.found.push(reference);
}

type Access = Extract<ASTNode, { op: '.' | '.?' | '[]' | '[?]' }>;
const isAccess = (ast: ASTNode): ast is Access => ast.op === '.' || ast.op === '.?' || ast.op === '[]' || ast.op === '[?]';

function referenceOf({ base, steps }: Chain, bound: Bound, guarded: boolean): Reference | null {
  const name = base.args;
  const copes = guarded || steps.some((step) => step.optional);
  const whole = { start: base.start, end: base.end, form: 'name' as const, guarded: copes, bound };
  if (!isScopeName(name)) {
    if (name === 'cel' || name === 'google' || name === 'optional') return null;
    return { kind: 'node', root: name, path: plainPath(steps), ...whole };
  }
  const [first, ...rest] = steps;
  if (name === 'nodes' && first && first.name !== null) {
    const at = first.node;
    if (at.op === '[]' || at.op === '[?]') {
      const key = at.args[1];
      return {
        kind: 'node',
        root: first.name,
        path: plainPath(rest),
        start: key.start,
        end: key.end,
        form: 'index',
        guarded: copes,
        bound,
      };
    }
    const start = at.end - first.name.length;
    return { kind: 'node', root: first.name, path: plainPath(rest), start, end: at.end, form: 'field', guarded: copes, bound };
  }
  if ((name === 'state' || name === 'secrets') && first && first.name !== null) {
    return { kind: name, root: first.name, path: plainPath(rest), ...whole };
  }
  return { kind: name, root: name, path: plainPath(steps), ...whole };
}

/** The steps up to the first computed one. */
function plainPath(steps: readonly Step[]): string[] {
  const path: string[] = [];
  for (const step of steps) {
    if (step.name === null) break;
    path.push(step.name);
  }
  return path;
}
