/**
 * Filter chains of liblzma, in the notation of numcodecs' "lzma" (that of Python's `lzma` module): a list of
 * filters ending in LZMA1 or LZMA2, each with its number and options.
 */
import { InputError } from '../../../core/errors.js';

/** One filter; the applicable options depend on its id. Absent options default to those of the preset. */
export interface LzmaFilter {
  /**
   * 0x21: LZMA2, 3: delta, 4 to 10: branch converters, 0x4000000000000001: LZMA1 (rounded to the nearest
   * double).
   */
  readonly id: number | bigint;
  /** Preset, 0 to 9, plus 2^31 for "extreme". */
  readonly preset?: number;
  readonly dict_size?: number;
  readonly lc?: number;
  readonly lp?: number;
  readonly pb?: number;
  readonly mode?: number;
  readonly nice_len?: number;
  readonly mf?: number;
  readonly depth?: number;
  /** Distance of the delta filter: 1 to 256. */
  readonly dist?: number;
  /** Start offset, for branch converters. */
  readonly start_offset?: number;
}

const MAX_FILTERS = 4;
const LZMA1 = 0x4000000000000001n;
/** The WebAssembly module's number for LZMA1. */
const MODULE_LZMA1 = 1;
const LZMA2 = 0x21;
const DELTA = 3;
const MAX_BRANCH = 10;
const MAX_DICTIONARY_BYTES = 1.5 * 2 ** 30;
const MAX_UINT32 = 2 ** 32 - 1;
/** The WebAssembly module's value for an absent option. */
const ABSENT = -1;

/**
 * Converts a chain to the form of the WebAssembly module: 10 integers per filter. build/glue/lzma.c checks
 * combinations.
 * @throws InputError for an unknown filter or option
 */
export function packFilters(filters: readonly LzmaFilter[]): Int32Array {
  if (filters.length === 0 || filters.length > MAX_FILTERS)
    throw new InputError(
      `codec "lzma": the filter chain has ${filters.length} filters; expected 1 to ${MAX_FILTERS}`,
    );
  return Int32Array.from(filters.flatMap(packFilter));
}

function packFilter(filter: LzmaFilter): number[] {
  const id = moduleId(filter.id);
  const isLzma = id === MODULE_LZMA1 || id === LZMA2;
  const lastOption = isLzma ? 'depth' : id === DELTA ? 'dist' : 'start_offset';
  return [
    id,
    option('preset', isLzma ? filter.preset : undefined, MAX_UINT32 - 1),
    option('dict_size', isLzma ? filter.dict_size : undefined, MAX_DICTIONARY_BYTES),
    option('lc', filter.lc, 4),
    option('lp', filter.lp, 4),
    option('pb', filter.pb, 4),
    option('mode', filter.mode, 2),
    option('nice_len', filter.nice_len, 273),
    option('mf', filter.mf, 0x14),
    option(lastOption, filter[lastOption], MAX_UINT32 - 1),
  ];
}

function moduleId(id: number | bigint): number {
  if (BigInt.asUintN(64, BigInt(id)) === LZMA1 || id === Number(LZMA1)) return MODULE_LZMA1;
  const known = Number(id);
  if (known === LZMA2 || (Number.isInteger(known) && known >= DELTA && known <= MAX_BRANCH)) return known;
  throw new InputError(`codec "lzma": unknown filter ${id}`);
}

function option(name: string, value: number | undefined, most: number): number {
  if (value === undefined) return ABSENT;
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new InputError(
      `codec "lzma": a filter's ${name} is ${value}; expected an integer from 0 to ${most}`,
    );
  return value | 0;
}
