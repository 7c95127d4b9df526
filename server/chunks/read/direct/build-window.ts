/** Builds a window from the tasks of a batch: groups the chunks that a thread reads together. Pure. */
import type { FilePart } from '../../../store/store.js';
import type { ReadPlan, ReadTask } from '../../../format/plan/plan.js';
import { alignedBytes, regionBytes } from '../../../threads/direct/region-copy.js';
import { createWindow, type Window, type WindowChunk } from '../../../threads/direct/window.js';

/** A chunk of a batch, stored in a part of a file. */
export interface LocatedTask {
  readonly task: ReadTask;
  readonly part: FilePart;
  /** Key of its object. */
  readonly object: string;
}

export interface BuiltWindow {
  readonly window: Window;
  /** Indexed by the chunk's number in the window. */
  readonly tasks: readonly LocatedTask[];
}

export interface WindowBounds {
  /** Maximum number of chunks of one task. */
  readonly taskChunks: number;
  /** Maximum size, in bytes, of all regions of one task: at least the size of a slot. */
  readonly taskBytes: number;
  /** Maximum number of stored bytes per request for several chunks. */
  readonly spanBytes: number;
  /**
   * Maximum gap, in bytes, between two chunks of a shard that are read together. The gap is read and
   * discarded.
   */
  readonly gapBytes: number;
}

export function buildWindow(
  plan: ReadPlan,
  located: readonly LocatedTask[],
  number: number,
  bounds: WindowBounds,
): BuiltWindow {
  const files = new Map<string, number>();
  const versions: (string | undefined)[] = [];
  const tasks = sortedByFile(located);
  const chunks = tasks.map(({ task, part }): WindowChunk => {
    const name = `${part.file}\0${part.fileVersion ?? ''}`;
    let file = files.get(name);
    if (file === undefined) {
      files.set(name, (file = files.size));
      versions.push(part.fileVersion);
    }
    return { file, offset: part.offset, length: part.length, crc: part.crc, position: task.chunk };
  });
  const head = {
    number,
    files: [...files.keys()].map((name) => name.slice(0, name.indexOf('\0'))),
    versions,
    rank: plan.layout.grid.dims.length,
  };
  return { window: createWindow(head, firstChunks(plan, tasks, chunks, bounds), chunks), tasks };
}

/**
 * Sorts the parts of each file by offset, so that neighbours are adjacent. Files remain in the order of the
 * plan.
 */
function sortedByFile(located: readonly LocatedTask[]): LocatedTask[] {
  const byFile = new Map<string, LocatedTask[]>();
  for (const task of located) {
    const list = byFile.get(task.part.file);
    if (list === undefined) byFile.set(task.part.file, [task]);
    else list.push(task);
  }
  return [...byFile.values()].flatMap((list) => list.sort((a, b) => a.part.offset - b.part.offset));
}

function firstChunks(
  plan: ReadPlan,
  tasks: readonly LocatedTask[],
  chunks: readonly WindowChunk[],
  bounds: WindowBounds,
): number[] {
  const firsts: number[] = [];
  let first = 0;
  let bytes = 0;
  let end = 0;
  for (let at = 0; at < tasks.length; at++) {
    const task = tasks[at]?.task;
    const chunk = chunks[at];
    if (task === undefined || chunk === undefined) continue;
    const before = chunks[at - 1];
    const begin = chunks[first];
    const region = alignedBytes(regionBytes(plan, task));
    const chunkEnd = chunk.offset + (chunk.length ?? 0);
    const joins =
      before !== undefined &&
      begin !== undefined &&
      at - first < bounds.taskChunks &&
      bytes + region <= bounds.taskBytes &&
      (chunk.length === undefined
        ? before.length === undefined
        : before.length !== undefined &&
          chunk.file === before.file &&
          chunk.offset - end <= bounds.gapBytes &&
          chunkEnd - begin.offset <= bounds.spanBytes);
    if (!joins) firsts.push((first = at));
    bytes = joins ? bytes + region : region;
    end = joins ? Math.max(end, chunkEnd) : chunkEnd;
  }
  return firsts;
}
