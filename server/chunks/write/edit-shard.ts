/**
 * Edits shards: only changed inner chunks are decoded or encoded; the bytes of the others are kept. A shard
 * without inner chunks is not stored; the fill value is read instead.
 */
import { defined } from '../../../wire/guards.js';
import { sizeOf } from '../../core/bytes/shape.js';
import { inArrayOrder, type ChunkForm } from '../../format/plan/layout.js';
import type { ShardSpec } from '../../format/codec/codec.js';
import { collectParts, type PartEdit } from './collect-parts.js';
import { joinShard, noParts, openShard, type ShardParts } from '../../format/codec/sharding/parts.js';
import type { ReadTask } from '../../format/plan/plan.js';
import type { Pause } from '../../core/turns.js';
import { createChunkCut, createChunkWrite, unlessBroken, type Cut } from './chunk-edit.js';
import type { ChunkEdit, Edit, ChunkContext } from './edit.js';
import { encodeEdit, encodePart } from './encode-values.js';
import { coverageOf, isWhole, type ObjectWrite, type WritePlan } from './plan.js';

/** Number of index entries to process before yielding. */
const ENTRIES_PER_TURN = 4096;

/** Creates the edit of one stored object, sharded or not. */
export function createObjectWrite(context: ChunkContext, plan: WritePlan, write: ObjectWrite): Edit {
  const { levels } = context.layout;
  const [task] = write.tasks;
  if (levels.length === 0 && task !== undefined)
    return editOf(context, createChunkWrite(context, plan, task));
  // With nested shards, the old bytes are always read.
  const coverage = levels.length === 1 ? coverageOf(plan, write) : 'some';
  return shardWrite(context, plan, write.tasks, 0, coverage);
}

/** Creates the edit of an unsharded chunk. */
function editOf(context: ChunkContext, edit: ChunkEdit): Edit {
  return {
    needsOld: edit.needsOld,
    run: (old, tally, resources) => encodeEdit(context, edit, old, tally, resources),
  };
}

function shardWrite(
  context: ChunkContext,
  plan: WritePlan,
  tasks: readonly ReadTask[],
  level: number,
  coverage: ReturnType<typeof coverageOf>,
): Edit {
  const { levels } = context.layout;
  const spec = levels[level]?.spec;
  const byEntry = new Map<number, ReadTask[]>();
  for (const task of tasks) {
    const entry = defined(task.location.entries[level]);
    const known = byEntry.get(entry);
    if (known === undefined) byEntry.set(entry, [task]);
    else known.push(task);
  }
  const isLast = level + 1 === levels.length;
  const edits = new Map<number, PartEdit>();
  for (const [entry, ofEntry] of byEntry) {
    const [task] = ofEntry;
    if (isLast && task !== undefined) edits.set(entry, { chunk: createChunkWrite(context, plan, task) });
    else edits.set(entry, { shard: shardWrite(context, plan, ofEntry, level + 1, 'some') });
  }
  const isReplaced = coverage !== 'some' && tasks.every((task) => isWhole(plan, task));
  const needsOld = (edit: PartEdit): boolean => ('chunk' in edit ? edit.chunk : edit.shard).needsOld;
  return {
    needsOld: coverage !== 'object' || [...edits.values()].some(needsOld),
    async run(old, tally) {
      if (spec === undefined) return old;
      const before =
        (isReplaced ? unlessBroken(() => partsOf(spec, old)) : undefined) ??
        partsOf(spec, isReplaced ? undefined : old);
      return collectParts(context, spec, before, edits, tally);
    },
  };
}

/**
 * Sets the elements of a stored object outside `keep` and within `until` to the fill value, and removes inner
 * chunks that consist only of such elements.
 * @param object position of the object @param start its first element
 * @param cut bounds in elements of the array
 */
export function createObjectCut(
  context: ChunkContext,
  object: readonly number[],
  start: readonly number[],
  cut: Cut,
): Edit {
  const { layout } = context;
  // Shards contain inner chunks of equal shape.
  const form = layout.levels.length === 0 ? layout.formOf(object) : layout.largest;
  const edit = cutAt(context, form, 0, start, cut);
  return 'shard' in edit ? edit.shard : editOf(context, edit.chunk);
}

function cutAt(
  context: ChunkContext,
  form: ChunkForm,
  level: number,
  start: readonly number[],
  cut: Cut,
): PartEdit {
  const shardLevel = context.layout.levels[level];
  const within = (bounds: readonly number[]): number[] =>
    bounds.map((bound, d) => Math.max(0, bound - defined(start[d])));
  if (shardLevel === undefined)
    return { chunk: createChunkCut(context, form, { keep: within(cut.keep), until: within(cut.until) }) };
  const { spec, axes } = shardLevel;
  const inner = inArrayOrder(spec.chain.rep.shape, axes);
  const shard: Edit = {
    needsOld: true,
    async run(old, tally) {
      if (old === undefined) return undefined;
      const before = partsOf(spec, old);
      const changed = new Map<number, Uint8Array | undefined>();
      const count = sizeOf(spec.counts);
      for (let entry = 0; entry < count; entry++) {
        if (entry % ENTRIES_PER_TURN === 0) await context.pause();
        const part = before.part(entry);
        if (part === undefined) continue;
        const position = positionOfEntry(spec, axes, entry);
        const from = inner.map((length, d) => defined(start[d]) + defined(position[d]) * length);
        const outcome = outcomeOfCut(from, inner, cut);
        if (outcome === 'kept') continue;
        await context.pause();
        if (outcome === 'dropped') tally.deleted++;
        const after =
          outcome === 'dropped'
            ? undefined
            : await encodePart(context, cutAt(context, form, level + 1, from, cut), part, tally);
        if (after !== part) changed.set(entry, after);
      }
      return changed.size > 0 ? join(spec, before, changed, context.pause) : old;
    },
  };
  return { shard };
}

/** Whether a cut leaves a box unchanged, drops it, or changes a part of it. */
export function outcomeOfCut(
  start: readonly number[],
  shape: readonly number[],
  { keep, until }: Cut,
): 'kept' | 'dropped' | 'cut' {
  const ends = start.map((from, d) => from + (shape[d] ?? 1));
  if (ends.every((end, d) => end <= defined(keep[d]))) return 'kept';
  if (start.some((from, d) => from >= defined(until[d]))) return 'kept';
  const isOutside = start.some((from, d) => from >= defined(keep[d]));
  return isOutside && ends.every((end, d) => end <= defined(until[d])) ? 'dropped' : 'cut';
}

/** The position of an index entry among the inner chunks, by the array's dimensions. */
function positionOfEntry(spec: ShardSpec, axes: readonly number[], entry: number): number[] {
  let rest = entry;
  const position = new Array<number>(axes.length).fill(0);
  for (let i = spec.counts.length - 1; i >= 0; i--) {
    const count = spec.counts[i] ?? 1;
    position[axes[i] ?? i] = rest % count;
    rest = Math.floor(rest / count);
  }
  return position;
}

function partsOf(spec: ShardSpec, shard: Uint8Array | undefined): ShardParts {
  return shard === undefined ? noParts : openShard(spec, shard);
}

/** @param changed parts that replace those of `before`, by entry; undefined for an empty inner chunk */
async function join(
  spec: ShardSpec,
  before: ShardParts,
  changed: ReadonlyMap<number, Uint8Array | undefined>,
  pause: Pause,
): Promise<Uint8Array | undefined> {
  const joining = joinShard(spec, {
    part: (i) => (changed.has(i) ? changed.get(i) : before.part(i)),
  });
  for (;;) {
    const step = joining.next();
    if (step.done === true) return step.value;
    await pause();
  }
}
