/** The results that a gateway caches across requests, and their keys. */
import { createHash } from 'node:crypto';
import {
  createResultStore,
  type KeptValues,
  type ResultCache,
  type ResultKind,
  type ResultStoreOptions,
} from '../../analysis/result-cache.js';
import { isList, isRecord } from '../../../wire/guards.js';
import { type ArraySlice, type Block, InputError, type JsonObject, printJson } from '../../zarr/index.js';
import type { LineValues } from '../../analysis/line/read-lines.js';
import type { Histogram, StatisticsResult } from '../../analysis/statistics.js';
import { byteLengthOf } from '../../transport/response.js';
import type { ResultLoans } from '../../memory/lent-results.js';
import type { ReadScope } from '../budget.js';

export interface ResultCaches {
  /** Values of slices. */
  readonly values: ResultCache<Block>;
  readonly lines: ResultCache<LineValues>;
  readonly statistics: ResultCache<StatisticsResult>;
  /** PNG files in parts. */
  readonly pictures: ResultCache<readonly Uint8Array[]>;
  /** A part of the same memory for other values, which their owner compares with the stores. */
  valuesOf<T extends object>(kind: string): KeptValues<T>;
  /** Memory of all cached results in bytes. */
  readonly heldBytes: number;
}

/** State of one request: its reads, and access to the results shared across requests. */
export interface ResultScope extends ReadScope {
  readonly results: ResultCaches;
  /** Whether values are only serialised, so that requests can share them without a copy. */
  readonly valuesAreSent: boolean;
  /** Memory for values that are only sent and used by no other request. */
  readonly loans: (() => ResultLoans) | undefined;
}

export function createResultCaches(options: ResultStoreOptions): ResultCaches {
  const store = createResultStore(options);
  return {
    values: store.cacheOf(valuesForm),
    lines: store.cacheOf(linesForm),
    statistics: store.cacheOf(statisticsForm),
    pictures: store.cacheOf(picturesForm),
    valuesOf: (kind) => store.valuesOf(kind),
    get heldBytes() {
      return store.heldBytes;
    },
  };
}

/** Items (text and other values of variable length) are not cached. */
const valuesForm: ResultKind<Block> = {
  kind: 'values',
  sizeOf: bytesOfBlock,
  copyOf: copyOfBlock,
  shared: sharedBlock,
};

const linesForm: ResultKind<LineValues> = {
  kind: 'lines',
  sizeOf: ({ x, y }) => sum([bytesOfBlock(x), bytesOfBlock(y)]),
  copyOf: ({ x, y }) => ({ x: copyOfBlock(x), y: copyOfBlock(y) }),
  shared(result) {
    const { x, y } = isRecord(result) ? result : {};
    const [left, right] = [sharedBlock(x), sharedBlock(y)];
    return left === undefined || right === undefined ? undefined : { x: left, y: right };
  },
};

/** Files are only sent, so callers share them without a copy. */
const picturesForm: ResultKind<readonly Uint8Array[]> = {
  kind: 'pictures',
  sizeOf: byteLengthOf,
  copyOf: (file) => file,
  shared: (result) =>
    isList(result) && result.every((part) => part instanceof Uint8Array) ? result : undefined,
};

/** Estimated memory, in bytes, of a number or of a date as text in a list. */
const STATISTIC_BYTES = 64;

const statisticsForm: ResultKind<StatisticsResult> = {
  kind: 'statistics',
  sizeOf: ({ values, quantiles, histograms }) =>
    sum([
      (Object.keys(values).length + quantiles.flat().length) * STATISTIC_BYTES,
      ...histograms
        .flatMap((histogram) => (isHistogram(histogram) ? [histogram.edges, histogram.counts] : []))
        .map(bytesOfBlock),
    ]),
  copyOf: ({ values, quantiles, histograms }) => ({
    values: structuredClone(values),
    quantiles: structuredClone(quantiles),
    histograms: histograms.map((histogram) =>
      isHistogram(histogram)
        ? { ...histogram, edges: copyOfBlock(histogram.edges), counts: copyOfBlock(histogram.counts) }
        : histogram,
    ),
  }),
};

function isHistogram(histogram: StatisticsResult['histograms'][number]): histogram is Histogram {
  return histogram !== undefined && !(histogram instanceof InputError);
}

/** A block whose bytes begin at a multiple of their size; undefined for another value, or variable lengths. */
function sharedBlock(value: unknown): Block | undefined {
  if (!isBlock(value)) return undefined;
  return value.bytes.byteOffset % 16 === 0 ? value : copyOfBlock(value);
}

function isBlock(value: unknown): value is Extract<Block, { readonly bytes: Uint8Array }> {
  if (!isRecord(value)) return false;
  const { dtype, shape, bytes } = value;
  return isRecord(dtype) && isList(shape) && bytes instanceof Uint8Array;
}

function bytesOfBlock(block: Block): number | undefined {
  return 'bytes' in block ? block.bytes.length : undefined;
}

function copyOfBlock(block: Block): Block {
  return 'bytes' in block ? { ...block, bytes: new Uint8Array(block.bytes) } : block;
}

/** The sum of sizes; undefined if any size is undefined. */
function sum(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce(
    (total, size) => (total === undefined || size === undefined ? undefined : total + size),
    0,
  );
}

/** The properties of a slice that determine a result. */
export interface KeyedSlice {
  /** The cache key of the slice; see `recipeKey`. */
  key(): string;
  /** The attributes that control decoding. */
  readonly decodedBy: JsonObject | undefined;
}

/**
 * Identifies a result apart from the versions of chunks: the steps, the computation, and the metadata of all
 * arrays that are read.
 */
export function resultKey(
  slice: KeyedSlice,
  inputs: readonly ArraySlice[],
  computation: readonly unknown[],
): string {
  const hash = createHash('sha256').update(JSON.stringify([slice.key(), computation], exact));
  hash.update(printJson(slice.decodedBy ?? null));
  for (const { array } of inputs) hash.update('\0').update(array.cacheKey);
  return hash.digest('base64url');
}

/** Encodes bigints and non-finite floats as distinct values, because JSON does not represent them. */
function exact(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: value.toString() };
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
}
