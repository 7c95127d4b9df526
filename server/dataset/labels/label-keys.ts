/**
 * The labels of a coordinate as comparable keys: numbers and bigints (which JavaScript compares exactly with
 * each other), ticks for dates, booleans, or text. A missing label (NaN, NaT, null) has the key undefined and
 * matches nothing.
 */
import { defined } from '../../../wire/guards.js';
import { isFloatName, isIntegerName } from '../../../wire/data-types.js';
import {
  type Block,
  blockOfValues,
  dataOf,
  type DataType,
  type FixedSizeType,
  elementAt,
  factsOf,
  formatDatetimes,
  heldBytes,
  isNumberSequence,
  isZarrError,
  numberType,
  type NumberSequence,
  SelectionError,
  type SequenceFacts,
  runToEnd,
  sizeOf,
  type TimeType,
  toTypedArray,
} from '../../zarr/index.js';
import { blockRun, blockPieces, decodeInSteps, PIECE_ELEMENTS } from '../decode/decode-cooperatively.js';
import {
  durationCount,
  writtenDuration,
  lengthOfCount,
  lengthOfUnit,
  parseDuration,
} from '../calendar/parse-duration.js';
import type { TimeAxis, VariableDecoding } from '../decode/decoding.js';
import { plainIntegers } from '../decode/plain-integers.js';
import { storedNumber } from '../decode/valid-range.js';

export type LabelDirection = SequenceFacts['direction'];

export type LabelKey = number | bigint | string | boolean;

/**
 * What a requested label denotes: all keys from first to last. `first` and `last` are equal, except for dates
 * as text.
 */
export interface LabelSpan {
  readonly first: LabelKey;
  readonly last: LabelKey;
}

export interface LabelKeys {
  readonly size: number;
  /** The kind of labels, for messages: "numbers". Durations of different units have different forms. */
  readonly form: string;
  /** Whether labels are numbers or counts of durations. */
  readonly isNumeric: boolean;
  /** Set if text such as 48h may be a label: the count in the unit of the coordinate; undefined for other text. */
  readonly countOf?: ((text: string) => number | bigint | undefined) | undefined;
  /** Memory of the keys in bytes, in addition to the stored values. */
  readonly heldBytes: number;
  /** The order of the keys, if it is known. */
  readonly direction: LabelDirection | undefined;
  /** Whether the keys are computed from a few numbers instead of the stored values. */
  readonly isComputed: boolean;
  /** The key of label `i`; undefined for a missing label. */
  at(i: number): LabelKey | undefined;
  /** The text of label `i`, as a user would write it. */
  show(i: number): string;
  /** The attoseconds of one count, if labels are durations of a fixed unit. */
  readonly countLength?: bigint | undefined;
  /**
   * Converts a requested label to keys.
   * @throws SelectionError for a label of another type, or a missing one
   */
  span(label: unknown): LabelSpan;
  /**
   * Converts the text of a label, as people write it, to a requested label.
   * @throws SelectionError for text that cannot be a label
   */
  fromText(text: string): unknown;
  /**
   * Converts a tolerance from the unit of the stored coordinate to that of the keys; undefined if keys have
   * no distance.
   */
  reach(tolerance: number): number | undefined;
}

/**
 * Converts the labels of a coordinate to comparable keys. Yields every few milliseconds.
 * @param stored the coordinate as stored; after decoding, it has one dimension
 * @throws SelectionError for a data type that cannot be a label; errors from decoding
 */
export function* labelKeys(stored: Block, decoding: VariableDecoding): Generator<void, LabelKeys, void> {
  const { times } = decoding;
  if (times !== undefined) return yield* dateKeys(stored, decoding, times);
  const decoded = yield* decodeInSteps(decoding, stored);
  const heldBytes = decoded === stored ? 0 : bytesOf(decoded);
  const { dtype } = decoded;
  switch (dtype.name) {
    case 'bool':
      return booleanKeys(toTypedArray(decoded), heldBytes);
    case 'string':
    case 'fixed_length_utf32':
    case 'null_terminated_bytes':
      return textKeys(decoded, heldBytes);
    default:
      if (isIntegerName(dtype.name) || isFloatName(dtype.name) || dtype.name === 'numpy.timedelta64')
        return yield* numberKeys(toTypedArray(decoded), dtype, heldBytes, decoding.units);
      throw new SelectionError(`values of type ${dtype.name} cannot be labels; select by position`);
  }
}

/**
 * Like `labelKeys`, for labels that need no memory in addition to the stored values: numbers as stored, and integers that
 * are converted to dates on access. Undefined for others.
 * @throws errors from `labelKeys`
 */
export function* compactKeys(
  stored: Block,
  decoding: VariableDecoding,
): Generator<void, LabelKeys | undefined, void> {
  const { times, isIdentity } = decoding;
  if (times === undefined) return isIdentity ? yield* labelKeys(stored, decoding) : undefined;
  const ticks = yield* wholeTicks(stored, times);
  return ticks === undefined ? undefined : keysOfTicks(sizeOf(stored.shape), decoding, times, ticks);
}

/**
 * Like `labelKeys`, but holds only the keys of one piece, and decodes another piece when one of its keys is requested.
 * For keys that are requested in order.
 * @throws errors from `labelKeys`; `at` throws errors from decoding
 */
export function keysByPiece(stored: Block, decoding: VariableDecoding): LabelKeys {
  const characters = decoding.joinedCharacters;
  const size = sizeOf(characters === undefined ? stored.shape : stored.shape.slice(0, -1));
  const keysOf = (start: number, count: number): LabelKeys =>
    runToEnd(labelKeys(blockRun(stored, start, count, characters), decoding));
  let [first, piece] = [0, keysOf(0, Math.min(size, PIECE_ELEMENTS))];
  const find = (i: number): LabelKeys => {
    if (i >= first && i < first + piece.size) return piece;
    first = i - (i % PIECE_ELEMENTS);
    piece = keysOf(first, Math.min(size - first, PIECE_ELEMENTS));
    return piece;
  };
  return {
    ...piece,
    size,
    heldBytes: 0,
    direction: undefined,
    at: (i) => find(i).at(i - first),
    show: (i) => find(i).show(i - first),
  };
}

/** The text of a label for messages, which state counts of durations in words too. */
export function explained(keys: LabelKeys, i: number): string {
  const count = keys.countLength === undefined ? undefined : keys.at(i);
  const text = typeof count === 'bigint' ? writtenDuration(count * defined(keys.countLength)) : undefined;
  return text === undefined ? keys.show(i) : `${keys.show(i)} (${text})`;
}

/** Upper bound on `LabelKeys.heldBytes`, before the labels are decoded. */
export function bytesOfKeys(
  stored: Block,
  { times, isIdentity, dtype, joinedCharacters }: VariableDecoding,
): number {
  const count = sizeOf(stored.shape) / (joinedCharacters ?? 1);
  if (times !== undefined) return count * BigInt64Array.BYTES_PER_ELEMENT;
  if (isIdentity) return 0;
  return dtype.itemSize === null
    ? count * REFERENCE_BYTES + MAX_UTF8_GROWTH * bytesOf(stored)
    : count * dtype.itemSize;
}

/** Memory of a text besides its contents. */
const REFERENCE_BYTES = 8;
/** Maximum number of UTF-8 bytes per byte of stored text. */
const MAX_UTF8_GROWTH = 3;

/** Memory of a block in bytes. */
export function bytesOf(block: Block): number {
  return 'bytes' in block ? block.bytes.length : heldBytes(block.items);
}

type AnyData = ReturnType<typeof toTypedArray>;

function* numberKeys(
  data: AnyData,
  dtype: DataType,
  heldBytes: number,
  units: string | undefined,
): Generator<void, LabelKeys, void> {
  if (!isNumberSequence(data)) throw new TypeError('numbers are a typed array');
  const facts = yield* factsOf(data);
  const mayBeMissing = dtype.name === 'numpy.timedelta64' && facts.ends?.[0] === NAT;
  const even = evenNumbers(data, facts);
  const isBig = data instanceof BigInt64Array || data instanceof BigUint64Array;
  return keysOfNumbers(even ?? numbersAt(data, mayBeMissing), dtype, isBig, units, {
    size: data.length,
    heldBytes,
    direction: mayBeMissing ? 'unsorted' : facts.direction,
    isComputed: even !== undefined,
  });
}

type NumberAt = (i: number) => number | bigint | undefined;

function numbersAt(data: NumberSequence, mayBeMissing: boolean): NumberAt {
  return (i) => {
    const key = data[i];
    if (typeof key === 'bigint') return mayBeMissing && key === NAT ? undefined : key;
    return typeof key === 'number' && !Number.isNaN(key) ? key : undefined;
  };
}

function keysOfNumbers(
  at: NumberAt,
  dtype: DataType,
  isBig: boolean,
  units: string | undefined,
  described: Pick<LabelKeys, 'size' | 'heldBytes' | 'direction' | 'isComputed'>,
): LabelKeys {
  const isDuration = dtype.name === 'numpy.timedelta64';
  const unit = isDuration ? lengthOfCount(dtype) : lengthOfUnit(units);
  const count = unit === undefined ? undefined : (text: string) => writtenCount(text, unit, isBig);
  const form = isDuration ? durationForm(dtype, unit) : 'numbers';
  const wanted = isDuration ? form : 'a number';
  return {
    ...described,
    form,
    isNumeric: true,
    countOf: count,
    at,
    show: (i) => String(at(i) ?? (isDuration ? 'NaT' : 'NaN')),
    countLength: isDuration ? unit : undefined,
    span(label) {
      const counted = typeof label === 'string' ? count?.(label) : undefined;
      const key = numberOf(counted ?? label, dtype, wanted);
      return { first: key, last: key };
    },
    fromText: (text) => (count?.(text) === undefined ? numberFromText(text, wanted) : text),
    reach: (tolerance) => tolerance,
  };
}

function durationForm({ unit, scale }: TimeType, length: bigint | undefined): string {
  const counts =
    unit === 'generic' ? 'counts without a unit' : `counts of ${scale === 1 ? '' : `${scale} `}${unit}`;
  return length === undefined ? `durations (${counts})` : `durations ("48h", "PT48H", or ${counts})`;
}

/** Keys of 64-bit integers are bigints. */
function writtenCount(text: string, unit: bigint, isBig: boolean): number | bigint | undefined {
  const length = parseDuration(text);
  if (length === undefined) return undefined;
  const count = durationCount(length, unit);
  return isBig ? count : Number(count);
}

const NAT = -(2n ** 63n);

/**
 * Element `i` of a sequence with equal differences, without the sequence: closures that do not need it are created in
 * functions that do not have it, because closures of one call share their variables.
 */
function evenNumbers({ length, 0: first }: NumberSequence, { step }: SequenceFacts): NumberAt | undefined {
  const isWithin = (i: number): boolean => i >= 0 && i < length;
  if (typeof step === 'bigint' && typeof first === 'bigint')
    return (i) => (isWithin(i) ? first + BigInt(i) * step : undefined);
  if (typeof step === 'number' && typeof first === 'number')
    return (i) => (isWithin(i) ? first + i * step : undefined);
  return undefined;
}

/** Rounds a number to the coordinate's float type: 0.1 finds float32's 0.1. */
function numberOf(label: unknown, dtype: DataType, wanted: string): number | bigint {
  const { name } = dtype;
  if (typeof label === 'bigint' || (typeof label === 'number' && !Number.isNaN(label)))
    return name === 'float16' || name === 'float32' ? (storedNumber(label, name) ?? label) : label;
  // Integers beyond 2^53 and infinities are passed as text (see the scalar JSON). The largest float64 has 309
  // digits.
  if (typeof label === 'string' && /^-?\d{1,400}$/.test(label)) return numberOf(BigInt(label), dtype, wanted);
  if (label === 'Infinity' || label === '-Infinity') return Number(label);
  throw notALabel(label, wanted);
}

/** Integers beyond 2^53 remain text. Digits, signs, points and exponents only, so not `0x10` or an empty text. */
function numberFromText(text: string, wanted: string): unknown {
  if (/^-?\d{16,400}$/.test(text)) return text;
  if (text === 'Infinity' || text === '-Infinity') return text;
  const number = /^[-+.\deE]{1,400}$/.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(number)) throw notALabel(text, wanted);
  return number;
}

function booleanKeys(data: AnyData, heldBytes: number): LabelKeys {
  const at = (i: number): boolean => data[i] === 1;
  return {
    size: data.length,
    heldBytes,
    form: 'true or false',
    direction: undefined,
    isComputed: false,
    isNumeric: false,
    at,
    show: (i) => String(at(i)),
    span(label) {
      if (typeof label !== 'boolean') throw notALabel(label, 'true or false');
      return { first: label, last: label };
    },
    fromText(text) {
      if (text !== 'true' && text !== 'false') throw notALabel(text, 'true or false');
      return text === 'true';
    },
    reach: () => undefined,
  };
}

/** Texts are decoded on access, because a coordinate may have millions. */
function textKeys(decoded: Block, heldBytes: number): LabelKeys {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const at = (i: number): string | undefined => {
    const key = elementAt(decoded, i);
    if (typeof key === 'string') return key;
    return key instanceof Uint8Array ? decoder.decode(key) : undefined;
  };
  return {
    size: defined(decoded.shape[0]),
    heldBytes,
    form: 'text',
    direction: undefined,
    isComputed: false,
    isNumeric: false,
    at,
    show: (i) => JSON.stringify(at(i) ?? null),
    span(label) {
      if (typeof label !== 'string') throw notALabel(label, 'text');
      return { first: label, last: label };
    },
    fromText: (text) => text,
    reach: () => undefined,
  };
}

/**
 * Creates keys of dates, which are selected by ISO text or a prefix of it. A bare number is compared with the
 * stored values.
 */
function* dateKeys(
  stored: Block,
  decoding: VariableDecoding,
  times: TimeAxis,
): Generator<void, LabelKeys, void> {
  const ticks = (yield* wholeTicks(stored, times)) ?? (yield* decodedTicks(stored, times));
  return keysOfTicks(sizeOf(stored.shape), decoding, times, ticks);
}

function keysOfTicks(
  size: number,
  decoding: VariableDecoding,
  times: TimeAxis,
  { storedAt, ...ticks }: Ticks,
): LabelKeys {
  return {
    size,
    ...ticks,
    isNumeric: false,
    form: `dates ("2001-03-04T05:06", or a prefix of that) in the calendar ${times.calendar}`,
    show: (i) => showDate(decoding.decode(storedAt(i))),
    span(label) {
      if (typeof label === 'string') return dateSpan(times, label);
      const tick = tickOf(times, label);
      return { first: tick, last: tick };
    },
    fromText: (text) => text,
    reach: (tolerance) => tolerance * times.ticksPerUnit,
  };
}

interface Ticks extends Pick<LabelKeys, 'at' | 'heldBytes' | 'direction' | 'isComputed'> {
  /** The stored value of label `i`, as a block. */
  readonly storedAt: (i: number) => Block;
}

/** Integers without missing values are converted on access: the list of all ticks would take twice their memory. */
function* wholeTicks(
  stored: Block,
  { transform: { values: packed, count, unit } }: TimeAxis,
): Generator<void, Ticks | undefined, void> {
  if (count.kind !== 'integers' || (unit?.ticks ?? 1) !== 1) return undefined;
  const plain = yield* plainIntegers(stored, packed);
  if (plain === undefined) return undefined;
  const { values, facts, ends } = plain;
  const [least, most] = ends;
  const convert = tickConverter(count.start, BigInt(count.factor));
  const isExact = (tick: bigint): boolean => BigInt.asIntN(64, tick) === tick && tick !== NAT;
  // The smallest 64-bit integer is NaT in the stored form of NumPy, too.
  if (least === NAT || !isExact(convert(least)) || !isExact(convert(most))) return undefined;
  const even = evenNumbers(values, facts);
  const { direction } = facts;
  return even === undefined
    ? listedTicks(stored, values, convert, direction)
    : evenTicks(even, convert, { storedAs: plain.dtype, readAs: numberType(packed.name) }, direction);
}

function tickConverter(start: bigint, factor: bigint): (value: number | bigint) => bigint {
  return (value) => start + BigInt(value) * factor;
}

function listedTicks(
  stored: Block,
  values: NumberSequence,
  convert: (value: number | bigint) => bigint,
  direction: LabelDirection,
): Ticks {
  return {
    heldBytes: 0,
    direction,
    isComputed: false,
    at(i) {
      const value = values[i];
      return value === undefined ? undefined : convert(value);
    },
    storedAt: (i) => blockRun(stored, i, 1),
  };
}

function evenTicks(
  valueAt: NumberAt,
  convert: (value: number | bigint) => bigint,
  { storedAs, readAs }: { readonly storedAs: FixedSizeType; readonly readAs: DataType },
  direction: LabelDirection,
): Ticks {
  return {
    heldBytes: 0,
    direction,
    isComputed: true,
    at(i) {
      const value = valueAt(i);
      return value === undefined ? undefined : convert(value);
    },
    storedAt(i) {
      const block = blockOfValues([valueAt(i)], readAs, 1);
      return 'bytes' in block ? { dtype: storedAs, shape: block.shape, bytes: block.bytes } : block;
    },
  };
}

function* decodedTicks(stored: Block, times: TimeAxis): Generator<void, Ticks, void> {
  const ticks = new BigInt64Array(sizeOf(stored.shape));
  for (const { start, part } of blockPieces(stored)) {
    ticks.set(times.ticks(part), start);
    yield;
  }
  const { ends, direction } = yield* factsOf(ticks);
  return {
    heldBytes: ticks.byteLength,
    direction: ends?.[0] === NAT ? 'unsorted' : direction,
    isComputed: false,
    at: (i) => (ticks[i] === NAT ? undefined : ticks[i]),
    storedAt: (i) => blockRun(stored, i, 1),
  };
}

function dateSpan(times: TimeAxis, label: string): LabelSpan {
  try {
    return times.span(label);
  } catch (error) {
    if (!isZarrError(error, 'BAD_INPUT')) throw error;
    throw new SelectionError(error.detail, { cause: error });
  }
}

function tickOf(times: TimeAxis, label: unknown): bigint {
  if (typeof label !== 'number' && typeof label !== 'bigint') throw notALabel(label, 'a date as text');
  let tick: bigint;
  try {
    tick = times.tickOf(label);
  } catch (error) {
    throw new SelectionError(`${label} is not a value of the stored coordinate`, { cause: error });
  }
  if (tick === NAT) throw notALabel(label, 'a date');
  return tick;
}

function showDate(decoded: Block): string {
  const { dtype } = decoded;
  const [shown] =
    dtype.name === 'numpy.datetime64'
      ? formatDatetimes(dataOf(decoded, dtype.name), dtype)
      : toTypedArray(decoded);
  return JSON.stringify(typeof shown === 'string' ? shown : null);
}

function notALabel(label: unknown, wanted: string): SelectionError {
  return new SelectionError(`${showLabel(label)} is not a label of this coordinate; expected ${wanted}`);
}

/** A requested label, for messages. */
export function showLabel(label: unknown): string {
  if (typeof label === 'string') return JSON.stringify(label.slice(0, 100));
  return typeof label === 'object' && label !== null ? 'a list or an object' : String(label);
}
