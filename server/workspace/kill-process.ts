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

/**
 * Kills what left its group (by `setsid`, as daemons do) but still carries the mark of its command in its environment. Linux only; elsewhere
 * such a process outlives its command. Answers how many there were.
 */
export async function killMarked(mark: string): Promise<number> {
  if (process.platform !== 'linux') return 0;
  let killed = 0;
  // Twice, for a child that is born while the first look goes on.
  for (let round = 0; round < 2; round += 1) {
    const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
    await Promise.all(
      pids.map(async (pid) => {
        const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
        if (!environment.includes(mark)) return;
        killed += 1;
        try {
          process.kill(Number(pid), 'SIGKILL');
        } catch {
          // Gone in the meantime.
        }
      }),
    );
  }
  return killed;
}
