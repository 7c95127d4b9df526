/** Memory available to this process: the limit of its control group, or the machine's memory. */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';

/** Values of at least this size mean "no limit" in cgroup version 1. */
const UNLIMITED_BYTES = 2 ** 60;

export interface MachineMemory {
  readonly bytes: number;
  /** Whether a control group has less than the machine. */
  readonly isLimited: boolean;
}

/**
 * @param readText returns the text of a file, or undefined if it cannot be read; tests pass another function
 */
export function machineMemory(
  totalBytes: number = totalmem(),
  readText: (path: string) => string | undefined = readTextFile,
): MachineMemory {
  const limits = limitFiles(readText('/proc/self/cgroup') ?? '').map((path) => parseLimit(readText(path)));
  const bytes = Math.min(totalBytes, ...limits.filter((limit) => limit !== undefined));
  return { bytes, isLimited: bytes < totalBytes };
}

/**
 * The files with the limits of the groups and of all their parents, which apply too. In a container, the
 * limit of the container is usually at the root.
 */
function limitFiles(groups: string): string[] {
  return groups.split('\n').flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === '') return [];
    if (controllers === '')
      return ancestors(path).map((group) => join('/sys/fs/cgroup', group, 'memory.max'));
    return controllers.split(',').includes('memory')
      ? ancestors(path).map((group) => join('/sys/fs/cgroup/memory', group, 'memory.limit_in_bytes'))
      : [];
  });
}

function ancestors(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '..');
  return parts.map((_, i) => `/${parts.slice(0, i + 1).join('/')}`).concat('/');
}

function parseLimit(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  if (!/^\d+$/.test(trimmed)) return undefined;
  const bytes = Number(trimmed);
  return bytes > 0 && bytes < UNLIMITED_BYTES ? bytes : undefined;
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
