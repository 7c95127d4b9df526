/**
 * The chunk grid extension `rectilinear`: the lengths of the chunks along each dimension, in run-length form (Zarr
 * extensions, "chunk-grids/rectilinear").
 */
import { defined } from '../../../wire/guards.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../../core/bytes/json.js';
import { sameShape } from '../../core/bytes/shape.js';
import { checkKeys } from '../../core/bytes/named-json.js';
import { MetadataError, UnsupportedError } from '../../core/errors.js';
import type { CodecChain } from '../codec/codec.js';
import { type ChunkGrid, type ChunkRun, dimOfRuns, regularDim, runsOf } from '../grid.js';

/**
 * @throws MetadataError for lengths that are no positive integers, that sum to 2^53 or more, or that do not cover the
 * array; UnsupportedError for another kind of the extension
 */
export function readRectilinearGrid(configuration: JsonObject, shape: readonly number[]): ChunkGrid {
  checkKeys(configuration, ['kind', 'chunk_shapes'], 'chunk_grid.configuration');
  const { kind } = configuration;
  if (kind !== 'inline')
    throw new UnsupportedError(`chunk_grid.configuration.kind is ${describeJson(kind)}; expected "inline"`);
  const dims = chunkRuns(configuration['chunk_shapes'], shape.length);
  return {
    dims: shape.map((size, d) => {
      const given = dims[d];
      if (typeof given === 'number') return regularDim(size, given);
      try {
        return dimOfRuns(size, given ?? []);
      } catch (error) {
        if (error instanceof MetadataError) throw new MetadataError(`chunk_shapes[${d}]: ${error.detail}`);
        throw error;
      }
    }),
  };
}

/** The lengths along each dimension: one length for all of its chunks, or runs. */
export function chunkRuns(json: JsonValue | undefined, rank: number): (number | ChunkRun[])[] {
  if (!isJsonList(json) || json.length !== rank)
    throw new MetadataError(`chunk_shapes is ${describeJson(json)}; expected one entry for each of ${rank} dimensions`); // prettier-ignore
  return json.map((given, d) => {
    const where = `chunk_shapes[${d}]`;
    if (!isJsonList(given)) return positive(given, where);
    let total = 0;
    return given.map((entry, i) => {
      const run = runOf(entry, `${where}[${i}]`);
      total += run.length * run.count;
      if (!Number.isSafeInteger(total)) throw new MetadataError(`${where} sums to 2^53 or more`);
      return run;
    });
  });
}

function runOf(entry: JsonValue, where: string): ChunkRun {
  if (!isJsonList(entry)) return { length: positive(entry, where), count: 1 };
  const [length, count] = entry;
  if (entry.length !== 2)
    throw new MetadataError(`${where} is ${describeJson(entry)}; expected a length, or [length, count]`);
  return { length: positive(length, where), count: positive(count, where) };
}

function positive(json: JsonValue | undefined, where: string): number {
  if (typeof json === 'number' && Number.isSafeInteger(json) && json >= 1) return json;
  throw new MetadataError(`${where} is ${describeJson(json)}; expected integers from 1 to 2^53 - 1`);
}

/**
 * The lengths of which those of all chunks must be multiples, because chunks are shards of equal inner chunks.
 * Undefined without shards, and if a codec before them changes more than the order of dimensions.
 */
export function unitsOfChunks({
  rep,
  arrayToArray,
  arrayToBytes: { shard },
}: CodecChain): number[] | undefined {
  if (shard === undefined) return undefined;
  let axes = rep.shape.map((_, d) => d);
  for (const { permutation, rep, encodedRep } of arrayToArray) {
    if (permutation !== undefined) axes = permutation.map((d) => defined(axes[d]));
    else if (!sameShape(rep.shape, encodedRep.shape)) return undefined;
  }
  const units = rep.shape.map(() => 1);
  axes.forEach((d, i) => (units[d] = defined(shard.chain.rep.shape[i])));
  return units;
}

/** @throws MetadataError for a chunk whose inner chunks would not be equal */
export function assertMultiples({ dims }: ChunkGrid, chain: CodecChain): void {
  if (dims.every(({ runs }) => runs === undefined)) return;
  const units = unitsOfChunks(chain);
  dims.forEach((dim, d) => {
    const unit = units?.[d] ?? 1;
    for (const { length } of runsOf(dim))
      if (length % unit !== 0)
        throw new MetadataError(`chunk_shapes[${d}] has the length ${length}, which is no multiple of the length ${unit} of inner chunks`); // prettier-ignore
  });
}

/**
 * The document of an array with another shape. If the chunks of a dimension are shorter than the array, a chunk is added
 * for the difference, as zarr-python does; chunks after the last element remain.
 * @param document "zarr.json" with any chunk grid
 * @param units see `unitsOfChunks`; the added chunk is longer than the difference if necessary
 */
export function withGrownGrid(
  document: JsonObject,
  shape: readonly number[],
  units: readonly number[] | undefined,
): JsonObject {
  const found = rectilinearOf(document);
  if (found === undefined) return document;
  const shapes = found.shapes.map((given, d): JsonValue => {
    const size = shape[d];
    if (!isJsonList(given) || size === undefined) return given;
    const missing =
      size - given.reduce((sum: number, entry) => sum + lengthOf(runOf(entry, 'chunk_shapes')), 0);
    const unit = units?.[d] ?? 1;
    return missing > 0 ? withRun(given, Math.ceil(missing / unit) * unit) : given;
  });
  return {
    ...document,
    chunk_grid: { ...found.grid, configuration: { ...found.configuration, chunk_shapes: shapes } },
  };
}

function lengthOf({ length, count }: ChunkRun): number {
  return length * count;
}

/** Adds a chunk. Appending chunks of equal length does not extend the list. */
function withRun(given: readonly JsonValue[], length: number): JsonValue[] {
  const last = given[given.length - 1];
  const run = last === undefined ? undefined : runOf(last, 'chunk_shapes');
  return run?.length === length ? [...given.slice(0, -1), [length, run.count + 1]] : [...given, length];
}

/**
 * Whether the chunks of two documents have the same positions, as far as both have chunks. This is the case after an
 * array has grown.
 */
export function sameEdges(a: JsonObject, b: JsonObject): boolean {
  const [one, other] = [rectilinearOf(a), rectilinearOf(b)];
  if (one === undefined || other === undefined || one.shapes.length !== other.shapes.length) return false;
  const rank = one.shapes.length;
  const [mine, theirs] = [chunkRuns(one.shapes, rank), chunkRuns(other.shapes, rank)];
  return mine.every((dim, d) => {
    const their = theirs[d];
    if (typeof dim === 'number' || their === undefined || typeof their === 'number') return dim === their;
    return isPrefix(merged(dim), merged(their));
  });
}

/** Whether one of two lists of chunks begins with all chunks of the other. */
function isPrefix(a: readonly ChunkRun[], b: readonly ChunkRun[]): boolean {
  const common = Math.min(a.length, b.length);
  for (let r = 0; r < common; r++) {
    if (a[r]?.length !== b[r]?.length) return false;
    if (a[r]?.count === b[r]?.count) continue;
    const shorter = (a[r]?.count ?? 0) < (b[r]?.count ?? 0) ? a : b;
    return r === shorter.length - 1;
  }
  return true;
}

function merged(runs: readonly ChunkRun[]): ChunkRun[] {
  const result: ChunkRun[] = [];
  for (const run of runs) {
    const last = result[result.length - 1];
    if (last?.length === run.length) result[result.length - 1] = { ...last, count: last.count + run.count };
    else result.push(run);
  }
  return result;
}

function rectilinearOf({ chunk_grid: grid }: JsonObject) {
  const configuration =
    isJsonObject(grid) && grid['name'] === 'rectilinear' ? grid['configuration'] : undefined;
  if (!isJsonObject(grid) || !isJsonObject(configuration)) return undefined;
  const shapes = configuration['chunk_shapes'];
  return isJsonList(shapes) ? { grid, configuration, shapes } : undefined;
}
