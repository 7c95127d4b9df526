/**
 * Reads, decodes and caches whole coordinates. All requests share the decoded and sorted labels of a
 * coordinate, until its values or its metadata change, or the cache evicts it.
 */
import { LRUCache } from 'lru-cache';
import { type Block, heldBytes, type LazySlice, printJson, sameItems } from '../zarr/index.js';
import type { ReadIndex } from './cut-dataset.js';
import type { Decoding } from './decode/decoding.js';
import { LabelIndex } from './labels/label-index.js';
import { labelKeys } from './labels/label-keys.js';
import type { Variable } from './variable.js';

/** A coordinate whose values have been read. */
interface Coordinate {
  readonly stored: Block;
  /**
   * The decoding, which may depend on the values: for dates, they determine a more exact type than metadata
   * alone.
   */
  readonly decoding: Decoding;
  /** Created when it is first requested. */
  index: Promise<LabelIndex> | undefined;
}

export type CoordinateCache = LRUCache<string, Coordinate>;

/** Maximum size of the cache of coordinate values, in bytes. */
const CACHED_BYTES = 32 * 2 ** 20;

export function createCoordinateCache(): CoordinateCache {
  return new LRUCache({
    maxSize: CACHED_BYTES,
    sizeCalculation: ({ stored }) =>
      ('bytes' in stored ? stored.bytes.length : heldBytes(stored.items)) + 1000,
  });
}

export interface CoordinateValues {
  readonly stored: Block;
  readonly decoding: Decoding;
  readonly index: LabelIndex;
}

export interface CoordinateReader {
  /**
   * @param variable an index (`isIndex`)
   * @throws SelectionError if its values cannot be labels; errors from reading and decoding it
   */
  readonly index: ReadIndex;
  /** Reads all values of a coordinate of one dimension, and its labels. @throws errors from `index` */
  coordinate(variable: Variable): Promise<CoordinateValues>;
  /** Reads values from which a coordinate is computed. @throws errors from reading */
  read(slice: LazySlice): Promise<Block>;
  /**
   * Determines how the variable is decoded. The values of a small variable refine the result.
   * @throws errors from `Variable.decoding` and from reading
   */
  decoding(variable: Variable, options?: { readonly maskOutOfRange: boolean }): Promise<Decoding>;
}

/** Number of elements above which metadata alone determines the decoding. */
const MAX_LOOKED_THROUGH = 2 ** 20;

/** @param read reads a slice, charged to the request that uses the reader */
export function createCoordinateReader(
  cache: CoordinateCache,
  read: (slice: LazySlice) => Promise<Block>,
): CoordinateReader {
  const reading = new Map<Variable, Promise<Coordinate>>();

  async function readCoordinate(variable: Variable): Promise<Coordinate> {
    const planned = variable.decoding();
    const stored = await read(variable.stored);
    const key = cacheKey(variable);
    const known = cache.get(key);
    // Chunks can change without the metadata, so the stored values are compared.
    if (known !== undefined && isSameBlock(known.stored, stored)) return known;
    const decoding = await refined(variable, planned, stored);
    const coordinate = { stored, decoding, index: undefined };
    cache.set(key, coordinate);
    return coordinate;
  }

  function coordinateOf(variable: Variable): Promise<Coordinate> {
    const known = reading.get(variable);
    if (known !== undefined) return known;
    const coordinate = readCoordinate(variable);
    reading.set(variable, coordinate);
    return coordinate;
  }

  async function valuesOf(variable: Variable): Promise<CoordinateValues> {
    const coordinate = await coordinateOf(variable);
    const { stored, decoding } = coordinate;
    coordinate.index ??= variable.inTurns(createIndex(variable.name, stored, decoding));
    return { stored, decoding, index: await coordinate.index };
  }

  return {
    index: async (variable) => (await valuesOf(variable)).index,
    coordinate: valuesOf,
    read,
    async decoding(variable, options) {
      const planned = variable.decoding(options);
      const count = variable.shape.reduce((product, size) => product * size, 1);
      if (planned.refine === undefined || count > MAX_LOOKED_THROUGH) return planned;
      if (!options?.maskOutOfRange) return (await coordinateOf(variable)).decoding;
      return refined(variable, planned, await read(variable.stored));
    },
  };
}

async function refined(variable: Variable, planned: Decoding, stored: Block): Promise<Decoding> {
  return planned.refine === undefined ? planned : variable.inTurns(planned.refine(stored));
}

function* createIndex(name: string, stored: Block, decoding: Decoding): Generator<void, LabelIndex, void> {
  return yield* LabelIndex.create(name, yield* labelKeys(stored, decoding));
}

/** Cache key: all inputs of the decoding except shape and values, which `isSameBlock` compares. */
function cacheKey({ array, context }: Variable): string {
  const { zarrFormat, dtypeName, fillJson } = array.meta;
  return printJson([
    array.context.store.label,
    array.path,
    zarrFormat,
    dtypeName,
    fillJson,
    context.attributes,
    context.mayJoinCharacters,
  ]);
}

/** Also compares the shapes: the bytes of two texts of six characters may equal those of three of four. */
function isSameBlock(a: Block, b: Block): boolean {
  if (a.shape.join() !== b.shape.join()) return false;
  if ('bytes' in a) return 'bytes' in b && Buffer.compare(a.bytes, b.bytes) === 0;
  return 'items' in b && sameItems(a.items, b.items);
}
