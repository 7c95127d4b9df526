/** Builds a window from the tasks of a batch: groups the chunks that a thread reads together. Pure. */
import type { FilePart } from '../../store/store.js';
import type { ReadPlan, ReadTask } from '../plan.js';
import { alignedBytes, regionBytes } from './region-copy.js';
import { createWindow, type Window, type WindowChunk } from './window.js';

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
  /** Maximum chunks of one task. */
  readonly taskChunks: number;
  /** Maximum bytes of all regions of one task: the size of a slot. */
  readonly taskBytes: number;
  /** Maximum stored bytes per request. */
  readonly spanBytes: number;
  /** Maximum gap between two chunks of a shard that is read and discarded. */
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
  const given = {
    number,
    files: [...files.keys()].map((name) => name.slice(0, name.indexOf('\0'))),
    versions,
    rank: plan.layout.grid.dims.length,
  };
  return { window: createWindow(given, firstChunks(plan, tasks, chunks, bounds), chunks), tasks };
}

/** Parts of one file sorted by offset, so that neighbours are adjacent; files in the order of the plan. */
function sortedByFile(located: readonly LocatedTask[]): LocatedTask[] {
  const byFile = new Map<string, LocatedTask[]>();
  for (const one of located) {
    const list = byFile.get(one.part.file);
    if (list === undefined) byFile.set(one.part.file, [one]);
    else list.push(one);
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
  let [first, bytes, end] = [0, 0, 0];
  tasks.forEach(({ task }, at) => {
    const [chunk, before, begin] = [chunks[at], chunks[at - 1], chunks[first]];
    if (chunk === undefined) return;
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
    if (joins) [bytes, end] = [bytes + region, Math.max(end, chunkEnd)];
    else {
      firsts.push(at);
      [first, bytes, end] = [at, region, chunkEnd];
    }
  });
  return firsts;
}
