/** A control group with limited memory, for programs that tests start. Linux, usually as root. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const maxAttempts = 500;

export interface MemoryGroup {
  /** Runs a command in the group: the shell joins it, and becomes the command. */
  commandIn(command: string, args: readonly string[]): { readonly command: string; readonly args: string[] };
  /** Number of processes that the kernel ended because the group had no memory left. */
  kills(): number;
  /** Call this when all processes of the group have ended. The kernel may still release the last one. */
  remove(): Promise<void>;
}

/** The files of a version of control groups. */
interface GroupFiles {
  readonly parent: string;
  readonly limit: string;
  readonly events: string;
}

/** @returns the reason if this machine cannot create the group */
export function createMemoryGroup(bytes: number): MemoryGroup | { readonly missing: string } {
  let reason = 'this process has no control group for memory';
  for (const files of groupsOfProcess()) {
    const folder = join(files.parent, `zarrql-test-${process.pid}`);
    try {
      mkdirSync(folder);
    } catch (error) {
      reason = String(error);
      continue;
    }
    try {
      // Only if the file exists: other mounts than of control groups would create it.
      writeFileSync(join(folder, files.limit), String(bytes), { flag: 'r+' });
      readFileSync(join(folder, files.events));
      return {
        commandIn: (command, args) => ({
          command: 'sh',
          args: ['-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', folder, command, ...args],
        }),
        kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(folder, files.events), 'utf8'))?.[1]),
        remove: () => removeGroup(folder),
      };
    } catch (error) {
      rmdirSync(folder);
      reason = String(error);
    }
  }
  return { missing: `no control group with limited memory: ${reason}` };
}

async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      await delay(20);
    }
}

function groupsOfProcess(): GroupFiles[] {
  let text: string;
  try {
    text = readFileSync('/proc/self/cgroup', 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line): GroupFiles[] => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === '') return [];
    if (controllers.split(',').includes('memory'))
      return [
        {
          parent: join('/sys/fs/cgroup/memory', path),
          limit: 'memory.limit_in_bytes',
          events: 'memory.oom_control',
        },
      ];
    return controllers === ''
      ? [{ parent: join('/sys/fs/cgroup', path), limit: 'memory.max', events: 'memory.events' }]
      : [];
  });
}
