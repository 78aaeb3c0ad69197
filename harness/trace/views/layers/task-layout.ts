import type { TaskReading } from './tasks';

export interface PlacedTask {
  task: TaskReading;
  /** Column from the left: everything it depends on stands further left, unless it is part of a circle. */
  column: number;
  row: number;
}

export interface TaskEdge {
  from: string;
  to: string;
}

export interface TaskLayout {
  nodes: PlacedTask[];
  edges: TaskEdge[];
  columns: number;
  rows: number;
  /** Dependencies on tasks that are not in the graph, by task. */
  unknown: ReadonlyMap<string, string[]>;
  /** Tasks that wait for themselves through others. */
  circular: ReadonlySet<string>;
}

/** How deep each task stands in the dependencies: 0 without any. Tasks in a circle come after everything else they wait for. */
function depths(
  tasks: readonly TaskReading[],
  known: ReadonlyMap<string, TaskReading>,
): { depth: Map<string, number>; circular: Set<string> } {
  const depth = new Map<string, number>();
  const open = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const { id, dependsOn } of tasks) {
    const needs = new Set(dependsOn.filter((need) => known.has(need)));
    open.set(id, needs.size);
    for (const need of needs) {
      const list = dependents.get(need);
      if (list === undefined) dependents.set(need, [id]);
      else list.push(id);
    }
  }
  const ready = tasks.filter(({ id }) => open.get(id) === 0).map(({ id }) => id);
  for (let i = 0; i < ready.length; i += 1) {
    const id = ready[i];
    if (id === undefined) break;
    const own = depth.get(id) ?? 0;
    depth.set(id, own);
    for (const next of dependents.get(id) ?? []) {
      depth.set(next, Math.max(depth.get(next) ?? 0, own + 1));
      const left = (open.get(next) ?? 1) - 1;
      open.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  const circular = new Set([...open].filter(([, left]) => left > 0).map(([id]) => id));
  for (const id of circular) if (!depth.has(id)) depth.set(id, 0);
  return { depth, circular };
}

/** Average row of what a task depends on; its own place where it depends on nothing. */
function pull(task: TaskReading, rows: ReadonlyMap<string, number>, own: number): number {
  const placed = task.dependsOn.map((need) => rows.get(need)).filter((row) => row !== undefined);
  return placed.length === 0 ? own : placed.reduce((sum, row) => sum + row, 0) / placed.length;
}

/**
 * Tasks from left to right by what they depend on. Inside a layer, tasks stand near what they depend on; a layer of more than `maxRows`
 * goes on in the next column, so two hundred independent tasks are a block and not a tower.
 */
export function layoutTasks(tasks: readonly TaskReading[], maxRows = 12): TaskLayout {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const unknown = new Map<string, string[]>();
  for (const { id, dependsOn } of tasks) {
    const missing = dependsOn.filter((need) => !known.has(need));
    if (missing.length > 0) unknown.set(id, missing);
  }
  const { depth, circular } = depths(tasks, known);
  const layers: TaskReading[][] = [];
  for (const task of known.values()) {
    const at = depth.get(task.id) ?? 0;
    const layer = layers[at] ?? [];
    layers[at] = layer;
    layer.push(task);
  }
  const nodes: PlacedTask[] = [];
  const rows = new Map<string, number>();
  let column = 0;
  for (const layer of layers) {
    if (layer === undefined) continue;
    const ordered = layer
      .map((task, position) => ({ task, position, pull: pull(task, rows, position) }))
      .sort((a, b) => a.pull - b.pull || a.position - b.position);
    const high = Math.ceil(ordered.length / Math.ceil(ordered.length / maxRows));
    ordered.forEach(({ task }, position) => {
      const row = position % high;
      rows.set(task.id, row);
      nodes.push({ task, column: column + Math.floor(position / high), row });
    });
    column += Math.ceil(ordered.length / high);
  }
  const edges = [...known.values()].flatMap(({ id, dependsOn }) =>
    [...new Set(dependsOn)].filter((need) => known.has(need)).map((from) => ({ from, to: id })),
  );
  return { nodes, edges, columns: column, rows: Math.max(0, ...nodes.map(({ row }) => row + 1)), unknown, circular };
}
