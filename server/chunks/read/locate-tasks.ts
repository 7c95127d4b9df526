/** Locates the chunks of tasks in local files, for reads without the store's queues. */
import type { Pause } from '../../core/turns.js';
import type { ReadTask } from '../../format/plan/plan.js';
import type { FilePart, LocalFiles } from '../../store/store.js';
import { sortedByFile } from '../../threads/spans.js';
import type { ChunkSource } from './chunk-read.js';

/** A chunk in a part of a file. */
export interface LocatedTask {
  readonly task: ReadTask;
  readonly part: FilePart;
  /** Key of its object. */
  readonly object: string;
}

export interface LocatedTasks {
  readonly files: LocalFiles;
  /** In the order of `sortedByFile`. */
  readonly located: readonly LocatedTask[];
  /** Tasks of absent chunks. Reading the files may find more. */
  readonly absent: ReadTask[];
  /** Keys of objects with chunks that only the store can read. */
  readonly failed: Set<string>;
  /** Versions of the shards in which some of the inner chunks are absent; undefined for absent shards. */
  readonly lacking: ReadonlyMap<string, string | undefined>;
}

/**
 * @param maxBytes maximum stored size of a chunk in bytes
 * @returns undefined if the store must read the chunks
 * @throws store errors
 */
export async function locateTasks(
  tasks: readonly ReadTask[],
  source: ChunkSource,
  maxBytes: number,
  signal: AbortSignal,
  pause: Pause,
): Promise<LocatedTasks | undefined> {
  const keys = [];
  for (const { location } of tasks) {
    keys.push({ object: source.objectKey(location.object), entries: location.entries });
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
  const lacking = new Map<string, string | undefined>();
  const onLacking = (object: string, version: string | undefined): void => {
    lacking.set(object, version);
  };
  const locating = source.store.locate?.(keys, { signal, onLacking });
  const found = locating instanceof Promise ? await locating : locating;
  if (found === undefined) return undefined;
  const located: LocatedTask[] = [];
  const absent: ReadTask[] = [];
  const failed = new Set<string>();
  for (let i = 0; i < tasks.length; i++) {
    const [task, part, object] = [tasks[i], found.parts[i], keys[i]?.object];
    if (task === undefined || object === undefined) continue;
    if (part === 'absent') absent.push(task);
    else if (part === undefined || (part.length ?? 0) > maxBytes) failed.add(object);
    else located.push({ task, part, object });
    const pausing = pause();
    if (pausing !== undefined) await pausing;
  }
  return { files: found.files, located: sortedByFile(located), absent, failed, lacking };
}

/** The version of an object in a part of a file. @param fileVersion the version of the file that was read */
export function versionOfPart(
  { version, tag = '' }: FilePart,
  fileVersion: string | undefined,
): string | undefined {
  return version ?? (fileVersion === undefined ? undefined : tag + fileVersion);
}

/** Whether the folder is still the same one. If it was replaced, the store reports the error. */
export function isConfirmed(files: LocalFiles): boolean {
  try {
    files.confirm();
    return true;
  } catch {
    return false;
  }
}

/** Reports the versions of absent objects, and of shards that lack chunks, except of those that are read again. */
export function reportAbsent(
  { absent, lacking, failed }: LocatedTasks,
  source: ChunkSource,
  onVersion: (key: string, version: string | undefined) => void,
): void {
  for (const { location } of absent)
    if (location.entries.length === 0) onVersion(source.objectKey(location.object), undefined);
  for (const [object, version] of lacking) if (!failed.has(object)) onVersion(object, version);
}
