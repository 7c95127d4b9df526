/**
 * Reads coordinates whole, decodes them and keeps what comes of it: a coordinate is decoded and sorted once, however many
 * requests look labels up in it, as long as its stored values are the same.
 */
import { LRUCache } from 'lru-cache';
import { type Block, heldBytes, type LazySlice, printJson, sameItems } from '../zarr/index.js';
import type { ReadIndex } from './cut-dataset.js';
import type { Decoding } from './decode/decoding.js';
import { LabelIndex } from './labels/label-index.js';
import { type LabelKeys, labelKeys } from './labels/label-keys.js';
import type { Variable } from './variable.js';

/** What is known of a coordinate once its values are. */
interface Coordinate {
  readonly stored: Block;
  /** By these values: dates may have a more fitting type than metadata alone could tell. */
  readonly decoding: Decoding;
  /** Made when the first label is looked up. */
  index: LabelIndex | undefined;
}

export type CoordinateCache = LRUCache<string, Coordinate>;

/** Bytes of coordinate values that are kept between requests. */
const CACHED_BYTES = 32 * 2 ** 20;

export function createCoordinateCache(): CoordinateCache {
  return new LRUCache({
    maxSize: CACHED_BYTES,
    sizeCalculation: ({ stored }) =>
      ('bytes' in stored ? stored.bytes.length : heldBytes(stored.items)) + 1000,
  });
}

export interface CoordinateReader {
  /**
   * @param variable one whose `isIndex` is true
   * @throws SelectionError where its values are no labels; what reading throws
   */
  readonly index: ReadIndex;
  /** How the variable is decoded, by its values where those matter and are few. @throws as Variable.decoding */
  decoding(variable: Variable, options?: { readonly maskOutOfRange: boolean }): Promise<Decoding>;
}

/** Variables of more elements are decoded by their metadata alone. */
const MAX_LOOKED_THROUGH = 2 ** 20;

/** @param read reads a slice, on account of the request that the reader is for */
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
    // The metadata may be the same and the chunks others: only the values tell.
    if (known !== undefined && isSameBlock(known.stored, stored)) return known;
    const decoding = variable.placed(() => planned.refine?.(stored) ?? planned);
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

  return {
    async index(variable) {
      const coordinate = await coordinateOf(variable);
      const { stored, decoding } = coordinate;
      const keys = (): LabelKeys => variable.placed(() => labelKeys(stored, decoding));
      return (coordinate.index ??= new LabelIndex(variable.name, keys()));
    },
    async decoding(variable, options) {
      const planned = variable.decoding(options);
      const count = variable.shape.reduce((product, size) => product * size, 1);
      if (planned.refine === undefined || count > MAX_LOOKED_THROUGH) return planned;
      if (!options?.maskOutOfRange) return (await coordinateOf(variable)).decoding;
      const stored = await read(variable.stored);
      return variable.placed(() => planned.refine?.(stored) ?? planned);
    },
  };
}

/** Everything but the values that the decoded coordinate depends on. */
function cacheKey({ array, context }: Variable): string {
  const { zarrFormat, dtypeName, fillJson } = array.meta;
  return printJson([array.home.store.label, array.path, zarrFormat, dtypeName, fillJson, context.attributes]);
}

function isSameBlock(a: Block, b: Block): boolean {
  if ('bytes' in a) return 'bytes' in b && Buffer.compare(a.bytes, b.bytes) === 0;
  return 'items' in b && sameItems(a.items, b.items);
}
