import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { errorCode } from '../tools/workspace-root';

/** Signals a whole process group. A group that is gone is no fault. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
  } catch (error) {
    // EPERM: what is left of the group is not ours (a set-uid program); there is nothing to do about it.
    const code = errorCode(error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** Name of the variable by which the processes of a command are known. */
export const markName = 'BRIDLE_COMMAND';

/** A mark of one command: which server began it, and which command it is. */
export const newMark = (): string => `${process.pid}.${randomUUID()}`;

/** Kills every process whose mark is wanted. Linux only: elsewhere the environment of another process cannot be read. Answers how many there were. */
async function killWhere(wanted: (mark: string) => boolean): Promise<number> {
  if (process.platform !== 'linux') return 0;
  let killed = 0;
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      const mark = environment.split('\0').find((entry) => entry.startsWith(`${markName}=`));
      if (mark === undefined || !wanted(mark.slice(markName.length + 1))) return;
      killed += 1;
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // Gone in the meantime.
      }
    }),
  );
  return killed;
}

/**
 * Kills what left its group (by `setsid`, as daemons do) but still carries the mark of its command. Where that cannot be seen, such a process
 * outlives its command.
 */
export async function killMarked(mark: string): Promise<void> {
  // Again, for a child that is born while the first look goes on.
  for (let round = 0; round < 3; round += 1) if ((await killWhere((other) => other === mark)) === 0) return;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
};

/** Kills what the commands of servers that died left running. Commands of a server that lives, such as one beside this, are left alone. */
export const killOrphans = (): Promise<number> =>
  killWhere((mark) => {
    const owner = Number(mark.split('.')[0]);
    return Number.isInteger(owner) && owner > 0 && !isAlive(owner);
  });

const leaders = new Set<number>();
let watching = false;

/** Sees to it that a process group does not outlive this server, when that ends in good order. Returns what lets go. */
export function endWithUs(leader: number): () => void {
  leaders.add(leader);
  if (!watching) {
    watching = true;
    process.on('exit', () => {
      for (const each of leaders) signalGroup(each, 'SIGKILL');
    });
  }
  return () => void leaders.delete(leader);
}
