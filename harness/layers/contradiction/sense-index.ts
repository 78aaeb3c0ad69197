import { differInSense, type StatementMarks, shareSubject } from './opposition';

/** Positions of beliefs whose statements carry the same marks: as one, they can oppose another group or not. */
interface SenseGroup {
  marks: StatementMarks;
  members: number[];
  /** Members by token, built when the group is too large to walk. */
  byToken: Map<string, number[]> | null;
}

/**
 * An inverted index over the sense of statements: groups by marks, and within a large group by token. A statement is compared only
 * with groups that differ from it in sense, which most statements have none of (D2).
 */
export interface SenseIndex {
  add(position: number, marks: StatementMarks): void;
  /** Positions of the indexed statements that are opposed to these marks. */
  opposedTo(marks: StatementMarks): number[];
}

const walkLimit = 64;

export function senseIndex(): SenseIndex {
  const groups = new Map<string, SenseGroup>();
  const all: StatementMarks[] = [];

  function membersSharing(group: SenseGroup, marks: StatementMarks): number[] {
    if (group.members.length <= walkLimit) return group.members.filter((position) => shareSubject(marks, all[position] ?? marks));
    if (group.byToken === null) {
      group.byToken = new Map();
      for (const position of group.members) for (const token of all[position]?.subjects() ?? []) post(group.byToken, token, position);
    }
    const found = new Set<number>();
    for (const token of marks.subjects()) for (const position of group.byToken.get(token) ?? []) found.add(position);
    return [...found];
  }

  return {
    add(position, marks) {
      all[position] = marks;
      const key = `${marks.first}|${marks.second}|${marks.polarity}`;
      const group = groups.get(key);
      if (!group) groups.set(key, { marks, members: [position], byToken: null });
      else {
        group.members.push(position);
        if (group.byToken) for (const token of marks.subjects()) post(group.byToken, token, position);
      }
    },
    opposedTo(marks) {
      const found: number[] = [];
      for (const group of groups.values()) if (differInSense(marks, group.marks)) found.push(...membersSharing(group, marks));
      return found;
    },
  };
}

function post(map: Map<string, number[]>, key: string, position: number): void {
  const list = map.get(key);
  if (list) list.push(position);
  else map.set(key, [position]);
}
