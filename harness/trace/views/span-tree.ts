import type { CallSpan, ScopeSpan, Span, VisitSpan, WaitSpan } from './spans';
import type { TraceIndex } from './trace-index';
import { visitOf } from './trace-index';

export type SpanRow = Span & { id: string; depth: number; children: number } & (
    | { kind: 'run' }
    | { kind: 'visit'; visit: VisitSpan }
    | { kind: 'call'; visit: VisitSpan; call: CallSpan }
    | { kind: 'wait'; visit: VisitSpan; wait: WaitSpan }
    | { kind: 'scope'; visit: VisitSpan; scope: ScopeSpan }
  );

/** Visits by the body they belong to; null stands for the run itself. */
function visitsByScope(index: TraceIndex): Map<string | null, VisitSpan[]> {
  const grouped = new Map<string | null, VisitSpan[]>();
  for (const visit of index.visits) {
    const group = grouped.get(visit.scope);
    if (group === undefined) grouped.set(visit.scope, [visit]);
    else group.push(visit);
  }
  return grouped;
}

export const runRowId = 'run';
export const visitRowId = (visit: string): string => `visit:${visit}`;
export const scopeRowId = (scope: string): string => `scope:${scope}`;

/**
 * The span tree as the rows that are open: run → visits → model calls, tool calls, waits and container bodies → visits …, children in the
 * order they began. `isOpen` decides by row id; a closed row contributes itself alone.
 */
export function spanRows(index: TraceIndex, isOpen: (id: string) => boolean): SpanRow[] {
  const start = index.run.start;
  if (start === null) return [];
  const grouped = visitsByScope(index);
  const rows: SpanRow[] = [];

  const addVisits = (visits: readonly VisitSpan[], depth: number): void => {
    for (const visit of visits) {
      const id = visitRowId(visit.id);
      const parts: { span: Span; row: () => void }[] = [];
      visit.calls.forEach((call, i) => {
        parts.push({
          span: call,
          row: () =>
            rows.push({
              kind: 'call',
              id: `${id}/call:${i}`,
              visit,
              call,
              depth: depth + 1,
              children: 0,
              start: call.start,
              end: call.end,
            }),
        });
      });
      visit.waits.forEach((wait, i) => {
        parts.push({
          span: wait,
          row: () =>
            rows.push({
              kind: 'wait',
              id: `${id}/wait:${i}`,
              visit,
              wait,
              depth: depth + 1,
              children: 0,
              start: wait.start,
              end: wait.end,
            }),
        });
      });
      for (const scopeId of visit.scopes) {
        const scope = index.scopes.get(scopeId);
        if (scope !== undefined) parts.push({ span: scope, row: () => addScope(visit, scope, depth + 1) });
      }
      rows.push({ kind: 'visit', id, visit, depth, children: parts.length, start: visit.start, end: visit.end });
      if (!isOpen(id)) continue;
      parts.sort((a, b) => a.span.start.seq - b.span.start.seq);
      for (const part of parts) part.row();
    }
  };

  const addScope = (visit: VisitSpan, scope: ScopeSpan, depth: number): void => {
    const inside = grouped.get(scope.id) ?? [];
    const id = scopeRowId(scope.id);
    rows.push({ kind: 'scope', id, visit, scope, depth, children: inside.length, start: scope.start, end: scope.end });
    if (isOpen(id)) addVisits(inside, depth + 1);
  };

  const top = grouped.get(null) ?? [];
  const end = index.run.end;
  rows.push({
    kind: 'run',
    id: runRowId,
    depth: 0,
    children: top.length,
    start: { seq: start.seq, at: start.at },
    end: end === null ? null : { seq: end.seq, at: end.at },
  });
  if (isOpen(runRowId)) addVisits(top, 1);
  return rows;
}

/** Row ids that must be open for a visit to be seen. */
export function rowsAround(index: TraceIndex, visitId: string): string[] {
  const ids: string[] = [runRowId];
  let visit = visitOf(index, visitId);
  while (visit?.scope != null) {
    const scope = index.scopes.get(visit.scope);
    if (scope === undefined) break;
    ids.push(scopeRowId(scope.id), visitRowId(scope.visit));
    visit = visitOf(index, scope.visit);
  }
  return ids;
}
