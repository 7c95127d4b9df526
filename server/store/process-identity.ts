/**
 * Identifies processes, so that other processes can determine whether one is dead. The process number alone
 * is not sufficient, because systems reuse numbers, and other machines and containers use the same numbers.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  /**
   * The scope of process numbers: one boot of a machine, and one container on it. Contains only letters and
   * digits.
   */
  readonly machine: string;
  /**
   * The process's number and start time: `4711-1234567`; the second part is empty if the system does not
   * provide it.
   */
  readonly process: string;
}

let own: ProcessIdentity | undefined;

export function thisProcess(): ProcessIdentity {
  own ??= { machine: machineHash(), process: `${process.pid}-${stateOf(process.pid)?.start ?? ''}` };
  return own;
}

/** Whether a process has ended; undefined if this cannot be determined. */
export function isDead({ machine, process: name }: ProcessIdentity): boolean | undefined {
  if (machine !== thisProcess().machine) return undefined;
  const [, number, start = ''] = /^(\d{1,15})(?:-(\d*))?$/.exec(name) ?? [];
  if (number === undefined) return undefined;
  const pid = Number(number);
  if (!isRunning(pid)) return true;
  const state = stateOf(pid);
  if (state === undefined) return false;
  // A zombie has a process number, but has ended.
  return state.isZombie || (start !== '' && state.start !== start);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // In case of a permission error, the process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
  }
}

/**
 * Parses `/proc/PID/stat`, whose second field may contain any characters within its parentheses; undefined if
 * there is no such file.
 */
function stateOf(pid: number): { readonly start: string; readonly isZombie: boolean } | undefined {
  const text = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const start = fields[19] ?? '';
  return /^\d+$/.test(start) ? { start, isZombie: fields[0] === 'Z' || fields[0] === 'X' } : undefined;
}

function machineHash(): string {
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const space = read(() => readlinkSync('/proc/self/ns/pid'));
  return createHash('sha256')
    .update(JSON.stringify([hostname(), boot, space]))
    .digest('hex')
    .slice(0, 12);
}

/** Reads a file; empty if the system has no such file. */
function read(file: () => string): string {
  try {
    return file();
  } catch {
    return '';
  }
}
