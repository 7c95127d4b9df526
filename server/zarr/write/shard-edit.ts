/**
 * Edits of shards: only the inner chunks that change are decoded or encoded, the bytes of the others are kept as they
 * are. A shard without inner chunks is not stored (sharding codec specification 1.0, "Empty inner chunks").
 */
import { sizeOf } from '../bytes/shape.js';
import { inArrayOrder, type ReadUnits } from '../chunk/units.js';
import type { ShardSpec } from '../codec/codec.js';
import { joinShard, splitShard } from '../codec/sharding.js';
import type { ReadTask } from '../read/plan.js';
import { createChunkCut, createChunkWrite, type ChunkContext } from './chunk-edit.js';
import type { Edit } from './edit.js';
import { coversObject, type ObjectWrite, type WritePlan } from './plan.js';

/** Called between two chunks, which may take long each: lets others run, and ends what was cancelled. */
export type Breathe = () => Promise<void>;

/** The edit of one stored object, sharded or not. */
export function createObjectWrite(
  context: ChunkContext,
  plan: WritePlan,
  write: ObjectWrite,
  breathe: Breathe,
): Edit {
  const { levels } = context.units;
  const [task] = write.tasks;
  if (levels.length === 0 && task !== undefined) return createChunkWrite(context, plan, task);
  // Of shards within shards each would have to be looked at; the old bytes tell in any case.
  const covers = levels.length === 1 && coversObject(plan, write);
  return shardWrite(context, plan, write.tasks, 0, covers, breathe);
}

function shardWrite(
  context: ChunkContext,
  plan: WritePlan,
  tasks: readonly ReadTask[],
  level: number,
  covers: boolean,
  breathe: Breathe,
): Edit {
  const { levels } = context.units;
  const spec = levels[level]?.spec;
  const byEntry = new Map<number, ReadTask[]>();
  for (const task of tasks) {
    const entry = task.place.entries[level] ?? 0;
    const known = byEntry.get(entry);
    if (known === undefined) byEntry.set(entry, [task]);
    else known.push(task);
  }
  const parts = [...byEntry].map(([entry, ofEntry]): readonly [number, Edit] => {
    const [task] = ofEntry;
    const edit =
      level + 1 === levels.length && task !== undefined
        ? createChunkWrite(context, plan, task)
        : shardWrite(context, plan, ofEntry, level + 1, false, breathe);
    return [entry, edit];
  });
  return {
    needsOld: !covers || parts.some(([, edit]) => edit.needsOld),
    async run(old, tally) {
      if (spec === undefined) return old;
      const encoded = partsOf(spec, old);
      for (const [entry, edit] of parts) {
        await breathe();
        encoded[entry] = await edit.run(encoded[entry], tally);
      }
      return join(spec, encoded);
    },
  };
}

/** Makes everything in an object beyond `bounds` (a shape of the array) the fill value, or drops it. */
export function createObjectCut(
  context: ChunkContext,
  object: readonly number[],
  bounds: readonly number[],
  breathe: Breathe,
): Edit {
  const { grid, levels } = context.units;
  const first = levels[0];
  const chunkShape = grid.dims.map((dim) => dim.chunkSize);
  const shape =
    first === undefined
      ? chunkShape
      : inArrayOrder(first.spec.counts.map((count, i) => count * (first.spec.chain.rep.shape[i] ?? 1)), first.axes); // prettier-ignore
  const start = object.map((i, d) => i * (shape[d] ?? 1));
  return cutAt(context, 0, start, bounds, breathe);
}

function cutAt(
  context: ChunkContext,
  level: number,
  start: readonly number[],
  bounds: readonly number[],
  breathe: Breathe,
): Edit {
  const shardLevel = context.units.levels[level];
  if (shardLevel === undefined)
    return createChunkCut(context, bounds.map((bound, d) => Math.max(0, bound - (start[d] ?? 0)))); // prettier-ignore
  const { spec, axes } = shardLevel;
  const inner = inArrayOrder(spec.chain.rep.shape, axes);
  const counts = inArrayOrder(spec.counts, axes);
  return {
    needsOld: true,
    async run(old, tally) {
      if (old === undefined) return undefined;
      const encoded = partsOf(spec, old);
      let changed = false;
      for (const [entry, part] of encoded.entries()) {
        if (part === undefined) continue;
        const place = placeOfEntry(spec, axes, entry);
        const from = counts.map((_, d) => (start[d] ?? 0) + (place[d] ?? 0) * (inner[d] ?? 1));
        if (from.every((position, d) => position + (inner[d] ?? 1) <= (bounds[d] ?? 0))) continue;
        await breathe();
        const isOutside = from.some((position, d) => position >= (bounds[d] ?? 0));
        if (isOutside) tally.deleted++;
        encoded[entry] = isOutside
          ? undefined
          : await cutAt(context, level + 1, from, bounds, breathe).run(part, tally);
        if (encoded[entry] !== part) changed = true;
      }
      return changed ? join(spec, encoded) : old;
    },
  };
}

/** An index entry's place among the inner chunks, by the array's dimensions. */
function placeOfEntry(spec: ShardSpec, axes: readonly number[], entry: number): number[] {
  let rest = entry;
  const place = new Array<number>(axes.length).fill(0);
  for (let i = spec.counts.length - 1; i >= 0; i--) {
    const count = spec.counts[i] ?? 1;
    place[axes[i] ?? i] = rest % count;
    rest = Math.floor(rest / count);
  }
  return place;
}

function partsOf(spec: ShardSpec, shard: Uint8Array | undefined): (Uint8Array | undefined)[] {
  if (shard !== undefined) return splitShard(spec, shard);
  return new Array<undefined>(sizeOf(spec.counts)).fill(undefined);
}

function join(spec: ShardSpec, parts: readonly (Uint8Array | undefined)[]): Uint8Array | undefined {
  return parts.every((part) => part === undefined) ? undefined : joinShard(spec, parts);
}
