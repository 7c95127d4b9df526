/**
 * Reads, decodes and caches whole coordinates. All requests share the decoded and sorted labels of a
 * coordinate, until its values or its metadata change, or the cache evicts it.
 */
import { LRUCache } from 'lru-cache';
import { defined } from '../../wire/guards.js';
import {
  type Block,
  haveVersions,
  isSameBlock,
  type KnownValues,
  type LazySlice,
  objectName,
  type ObjectVersions,
  printJson,
  sizeOf,
  type SliceReadOptions,
} from '../zarr/index.js';
import type { VariableDecoding } from './decode/decoding.js';
import { type ChargeLookUps, LabelIndex } from './labels/label-index.js';
import {
  bytesOf,
  bytesOfKeys,
  compactKeys,
  keysByPiece,
  labelKeys,
  type LabelKeys,
} from './labels/label-keys.js';
import type { Variable } from './variable.js';

/** A coordinate whose values have been read. */
interface Coordinate {
  /** Undefined if the labels are computed without it, and the versions show whether they changed. */
  stored: Block | undefined;
  /** The version of each object, by `objectName`; undefined if one has none, and for values of variable length. */
  readonly versions: ObjectVersions | undefined;
  /**
   * The decoding, which may depend on the values: for dates, they determine a more exact type than metadata
   * alone.
   */
  readonly decoding: VariableDecoding;
  /** Created when they are first requested: the labels in a form without memory, if they have one. */
  compact: Promise<LabelKeys | undefined> | undefined;
  keys: Promise<LabelKeys> | undefined;
  index: Promise<LabelIndex> | undefined;
  /** Memory of everything above in bytes. */
  heldBytes: number;
}

export type CoordinateCache = LRUCache<string, Coordinate>;

/** Default size of the cache of coordinate values and labels, in bytes. */
const DEFAULT_BYTES = 32 * 2 ** 20;

/** Memory of an entry besides its values. */
const ENTRY_BYTES = 1000;

export function createCoordinateCache(maxBytes = DEFAULT_BYTES): CoordinateCache {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ heldBytes }) => heldBytes });
}

interface CoordinateLabels {
  /** What shows that the labels are unchanged. */
  readonly known: KnownValues;
  readonly decoding: VariableDecoding;
  readonly keys: LabelKeys;
}

export interface CoordinateReader {
  readonly chargeLookUps: ChargeLookUps;
  /**
   * Reads the whole index of a dimension.
   * @param variable an index (`isIndex`)
   * @throws SelectionError if its values cannot be labels; errors from reading and decoding it
   */
  readonly index: (variable: Variable) => Promise<LabelIndex>;
  /** Reads all values of a coordinate of one dimension, and its labels. @throws errors from `index` */
  labels(variable: Variable): Promise<CoordinateLabels>;
  /** Like `labels`, for labels that are read in order: they take no memory besides the stored values. */
  labelsInOrder(variable: Variable): Promise<CoordinateLabels>;
  /** Reads values from which a coordinate is computed. @throws errors from reading */
  read(slice: LazySlice, options?: LookUpOptions): Promise<Block>;
  /**
   * Determines how the variable is decoded. The values of a small variable refine the result.
   * @throws errors from `Variable.decoding` and from reading
   */
  decoding(variable: Variable, options?: { readonly maskOutOfRange: boolean }): Promise<VariableDecoding>;
  readonly reserve: Reserve;
  /**
   * A value that is computed from slices, remembered as long as their objects have the same versions.
   * @param key what determines the value besides the contents of the slices; undefined if it is not remembered
   * @throws errors from reading the slices and from `make`
   */
  remembered<T extends object>(
    cache: LRUCache<string, RememberedValue<T>>,
    key: string | undefined,
    slices: readonly LazySlice[],
    make: (blocks: readonly Block[]) => Promise<T>,
  ): Promise<RememberedValue<T>>;
}

/** A value that was computed from slices, and what shows that they are unchanged. */
export interface RememberedValue<T> {
  readonly value: T;
  readonly known: readonly KnownValues[];
}

/**
 * Reserves memory until the request ends, for values that are derived from coordinates. Await it before you allocate.
 * @throws LimitError or BusyError if the request may not use that much
 */
export type Reserve = (bytes: number) => Promise<void> | undefined;

/** Number of elements above which metadata alone determines the decoding. */
const MAX_LOOKED_THROUGH = 2 ** 20;

function isLong({ shape }: Variable): boolean {
  return sizeOf(shape) > MAX_LOOKED_THROUGH;
}

export type LookUpOptions = Pick<SliceReadOptions, 'onVersion' | 'keepChunks'>;

/**
 * Size of a local coordinate in bytes above which its chunks are not cached: threads then decode them into their place, and
 * the labels are remembered.
 */
const LARGE_BYTES = 4 * 2 ** 20;

/** What the request that uses a reader may use. By default, it is not limited. */
export interface ReaderLimits {
  readonly reserve?: Reserve;
  /** Charges a coordinate that is remembered instead of read. @throws LimitError */
  readonly chargeRemembered?: (slice: LazySlice) => void;
  readonly signal?: AbortSignal | undefined;
  readonly chargeLookUps?: ChargeLookUps;
}

/** @param read reads a slice, charged to the request that uses the reader */
export function createCoordinateReader(
  cache: CoordinateCache,
  read: (slice: LazySlice, reading?: LookUpOptions) => Promise<Block>,
  {
    reserve = () => undefined,
    chargeLookUps = () => undefined,
    chargeRemembered = () => undefined,
    signal,
  }: ReaderLimits = {},
): CoordinateReader {
  const reading = new Map<Variable, Promise<Coordinate>>();

  async function readCoordinate(variable: Variable): Promise<Coordinate> {
    const planned = variable.decoding();
    const { stored: slice } = variable;
    const key = cacheKey(variable);
    const known = cache.get(key);
    // Chunks can change without the metadata, so versions or stored values are compared.
    if (known?.versions !== undefined && (await haveVersions(slice, known.versions, { signal }))) {
      chargeRemembered(slice);
      return known;
    }
    const whole = await readVersioned(slice);
    const { stored } = whole;
    if (known?.stored !== undefined && (await isSameBlock(known.stored, stored))) return known;
    // Values, labels and the declared type of a long variable have the same unit.
    const isFixed = planned.times === undefined && isLong(variable);
    const decoding = isFixed ? planned : await refined(variable, planned, stored);
    const coordinate: Coordinate = {
      ...whole,
      decoding,
      compact: undefined,
      keys: undefined,
      index: undefined,
      heldBytes: ENTRY_BYTES + bytesOf(stored),
    };
    cache.set(key, coordinate);
    return coordinate;
  }

  async function readVersioned(
    slice: LazySlice,
  ): Promise<{ readonly stored: Block; readonly versions: ObjectVersions | undefined }> {
    const versions = new Map<string, string | undefined>();
    const isRemote = slice.inputs.some(({ array }) => !array.context.store.isLocal);
    const stored = await read(slice, {
      onVersion: (object, version) => versions.set(objectName(object), version),
      keepChunks: isRemote || slice.cost().allocatedBytes <= LARGE_BYTES,
    });
    const areKnown = versions.size > 0 && [...versions.values()].every((version) => version !== undefined);
    return { stored, versions: areKnown && 'bytes' in stored ? versions : undefined };
  }

  async function areUnchanged(slices: readonly LazySlice[], known: readonly KnownValues[]): Promise<boolean> {
    const same = await Promise.all(
      known.map(
        async ({ versions }, i) =>
          versions !== undefined && haveVersions(defined(slices[i]), versions, { signal }),
      ),
    );
    return same.every(Boolean);
  }

  function coordinateOf(variable: Variable): Promise<Coordinate> {
    const known = reading.get(variable);
    if (known !== undefined) return known;
    const coordinate = readCoordinate(variable);
    reading.set(variable, coordinate);
    return coordinate;
  }

  /** Adds memory of a coordinate to its entry in the cache, which is replaced, because the cache counts new entries. */
  function grow(variable: Variable, coordinate: Coordinate, bytes: number): void {
    if (bytes === 0) return;
    coordinate.heldBytes += bytes;
    const key = cacheKey(variable);
    if (cache.peek(key) !== coordinate) return;
    cache.delete(key);
    cache.set(key, coordinate);
  }

  async function keysOf(variable: Variable, coordinate: Coordinate): Promise<LabelKeys> {
    const compact = await compactOf(variable, coordinate);
    if (compact !== undefined) return compact;
    const { stored, decoding } = coordinate;
    if (stored === undefined) throw new TypeError('labels that are not computed need the stored values');
    if (coordinate.keys === undefined) await reserve(bytesOfKeys(stored, decoding));
    coordinate.keys ??= createKeys(variable, coordinate, stored);
    return coordinate.keys;
  }

  function compactOf(variable: Variable, coordinate: Coordinate): Promise<LabelKeys | undefined> {
    return (coordinate.compact ??= createCompact(variable, coordinate));
  }

  async function createCompact(variable: Variable, coordinate: Coordinate): Promise<LabelKeys | undefined> {
    const { stored, decoding, versions } = coordinate;
    if (stored === undefined) throw new TypeError('the labels of a coordinate are created once');
    const keys = await variable.inTurns(compactKeys(stored, decoding));
    if (keys?.isComputed === true && versions !== undefined) {
      coordinate.stored = undefined;
      coordinate.heldBytes -= bytesOf(stored);
      // With the stored values, it may have been too large for the cache.
      const key = cacheKey(variable);
      const held = cache.peek(key);
      if (held === coordinate) cache.delete(key);
      if (held === undefined || held === coordinate) cache.set(key, coordinate);
    }
    return keys;
  }

  async function createKeys(variable: Variable, coordinate: Coordinate, stored: Block): Promise<LabelKeys> {
    const keys = await variable.inTurns(labelKeys(stored, coordinate.decoding));
    grow(variable, coordinate, keys.heldBytes);
    return keys;
  }

  async function indexOf(variable: Variable): Promise<LabelIndex> {
    const coordinate = await coordinateOf(variable);
    const keys = await keysOf(variable, coordinate);
    if (coordinate.index === undefined) await reserve(LabelIndex.bytesToCreate(keys));
    coordinate.index ??= createIndex(variable, coordinate, keys);
    return coordinate.index;
  }

  async function createIndex(
    variable: Variable,
    coordinate: Coordinate,
    keys: LabelKeys,
  ): Promise<LabelIndex> {
    const index = await variable.inTurns(LabelIndex.create(variable.name, keys));
    grow(variable, coordinate, index.heldBytes);
    return index;
  }

  function knownOf({ stored: slice }: Variable, { stored, versions }: Coordinate): KnownValues {
    return { slice, block: stored, versions };
  }

  return {
    index: indexOf,
    async labels(variable) {
      const coordinate = await coordinateOf(variable);
      const keys = await keysOf(variable, coordinate);
      return { known: knownOf(variable, coordinate), decoding: coordinate.decoding, keys };
    },
    async labelsInOrder(variable) {
      const coordinate = await coordinateOf(variable);
      const keys = (await compactOf(variable, coordinate)) ?? (await coordinate.keys);
      const { stored, decoding } = coordinate;
      const known = knownOf(variable, coordinate);
      if (keys !== undefined) return { known, decoding, keys };
      if (stored === undefined) throw new TypeError('labels that are not computed need the stored values');
      return { known, decoding, keys: keysByPiece(stored, decoding) };
    },
    read,
    reserve,
    chargeLookUps,
    async remembered(values, key, slices, make) {
      const held = key === undefined ? undefined : values.get(key);
      if (held !== undefined && (await areUnchanged(slices, held.known))) {
        for (const slice of slices) chargeRemembered(slice);
        return held;
      }
      const whole = await Promise.all(slices.map(readVersioned));
      const value = await make(whole.map(({ stored }) => stored));
      const known = slices.map((slice, i): KnownValues => {
        const { stored, versions } = defined(whole[i]);
        return { slice, block: versions === undefined ? stored : undefined, versions };
      });
      const entry = { value, known };
      if (key !== undefined && known.every(({ versions }) => versions !== undefined)) values.set(key, entry);
      return entry;
    },
    async decoding(variable, options) {
      const planned = variable.decoding(options);
      if (planned.refine === undefined || isLong(variable)) return planned;
      if (!options?.maskOutOfRange) return (await coordinateOf(variable)).decoding;
      return refined(variable, planned, await read(variable.stored));
    },
  };
}

async function refined(
  variable: Variable,
  planned: VariableDecoding,
  stored: Block,
): Promise<VariableDecoding> {
  return planned.refine === undefined ? planned : variable.inTurns(planned.refine(stored));
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
