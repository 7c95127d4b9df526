/** Implements NDArray with contiguous values in C order. */
import { NAT, unitsPerDay } from '../../wire/data-types.js';
import { InputError } from '../errors.js';
import { toJsonForm } from '../json/json-form.js';
import type { JsonValue } from '../json/json.js';
import type {
  Coordinates,
  DataOf,
  DTypeName,
  NestedOf,
  ScalarOf,
  TimeUnit,
  NDArray,
  NDArrayUnion,
} from './ndarray.js';
import { nest, positionOf, sizeOf, stridesOf } from './shape.js';

/** The parts of an array. `read` returns the value at a valid position in C order. */
export interface DenseParts<D extends DTypeName> {
  readonly dtype: D;
  readonly shape: readonly number[];
  readonly dimensions?: readonly (string | null)[] | undefined;
  readonly data: DataOf<D>;
  /** A function if the bytes are computed on first use. */
  readonly bytes?: Uint8Array | (() => Uint8Array) | undefined;
  readonly mask?: Uint8Array | undefined;
  readonly coordinates?: Coordinates | undefined;
  readonly unit?: TimeUnit | undefined;
  readonly scale?: number | undefined;
  readonly read: (position: number) => ScalarOf<D>;
}

/** If `D` is a union, `data` must have the type of `dtype`. */
export function createDense<D extends DTypeName>(parts: DenseParts<D>): NDArrayUnion<D> {
  return new DenseNDArray(parts);
}

/**
 * The class has a custom tag and no enumerable properties, so that caches do not traverse, compare, copy or freeze
 * arrays like plain objects.
 */
class DenseNDArray<D extends DTypeName> implements NDArray<D> {
  readonly #parts: DenseParts<D>;
  #bytes: Uint8Array | undefined;

  constructor(parts: DenseParts<D>) {
    this.#parts = parts;
  }

  get dtype(): D {
    return this.#parts.dtype;
  }

  get shape(): readonly number[] {
    return this.#parts.shape;
  }

  get ndim(): number {
    return this.shape.length;
  }

  get size(): number {
    return sizeOf(this.shape);
  }

  get strides(): readonly number[] {
    return stridesOf(this.shape);
  }

  get dimensions(): readonly (string | null)[] {
    return this.#parts.dimensions ?? this.shape.map(() => null);
  }

  get data(): DataOf<D> {
    return this.#parts.data;
  }

  get bytes(): Uint8Array | undefined {
    const { bytes } = this.#parts;
    if (typeof bytes !== 'function') return bytes;
    this.#bytes ??= bytes();
    return this.#bytes;
  }

  get mask(): Uint8Array | undefined {
    return this.#parts.mask;
  }

  get coordinates(): Coordinates | undefined {
    return this.#parts.coordinates;
  }

  get unit(): TimeUnit | undefined {
    return this.#parts.unit;
  }

  get scale(): number {
    return this.#parts.scale ?? 1;
  }

  get(...indices: readonly number[]): ScalarOf<D> {
    return this.#parts.read(positionOf(indices, this.shape));
  }

  at(position: number): ScalarOf<D> {
    const { size } = this;
    if (!Number.isInteger(position) || position < 0 || position >= size)
      throw new InputError('BAD_SELECTION', `position ${position} is out of range for ${size} values`);
    return this.#parts.read(position);
  }

  is<U extends DTypeName>(...names: readonly U[]): this is NDArrayUnion<U> {
    return names.some((name) => name === String(this.dtype));
  }

  toNested(): NestedOf<ScalarOf<D>> {
    return nest(this.shape, this.#parts.read);
  }

  toJSON(): JsonValue {
    const { dtype, shape } = this;
    const { read } = this.#parts;
    const toJson = (at: number): JsonValue => {
      const value = read(at);
      if (this.unit === undefined || typeof value !== 'bigint') return toJsonForm(value);
      if (value === NAT) return null;
      return dtype === 'numpy.datetime64' ? toIsoText(value, this) : String(value);
    };
    return nest(shape, toJson);
  }

  *[Symbol.iterator](): Iterator<ScalarOf<D>> {
    const { read } = this.#parts;
    for (let position = 0, { size } = this; position < size; position++) yield read(position);
  }

  get [Symbol.toStringTag](): string {
    return 'NDArray';
  }

  /** The representation in Node's console. */
  [Symbol.for('nodejs.util.inspect.custom')](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const { dtype, shape, dimensions, data } = this;
    const sizes = shape.map((size, d) => (dimensions[d] == null ? size : `${dimensions[d]}: ${size}`));
    return `NDArray ${dtype} [${sizes.join(', ')}] ${inspect(data, options)}`;
  }
}

// Datetimes and byte strings in the forms that programs display.

const MS_PER_DAY = 86_400_000n;
/** Maximum absolute time value of Date in ms (ECMAScript, 21.4.1.1). */
const MAX_MS = 8_640_000_000_000_000n;

/**
 * Datetimes as Dates, in C order; null for NaT. Digits below the millisecond are dropped (rounding towards the past).
 * @throws InputError for times beyond the range of Date, and for datetimes without a unit
 * @example
 * const time = await array.slice();
 * if (time.is('numpy.datetime64')) console.log(toDates(time)[0]?.getUTCFullYear());
 */
export function toDates(array: NDArray<'numpy.datetime64'>): (Date | null)[] {
  return Array.from(array.data, (count) => {
    if (count === NAT) return null;
    const instant = toInstant(count, array);
    if (instant === undefined)
      throw new InputError(
        'BAD_INPUT',
        `datetimes in the unit ${array.unit ?? 'none'} cannot be converted to Date`,
      );
    if (instant.date === undefined)
      throw new InputError(
        'BAD_INPUT',
        `the time ${count * BigInt(array.scale)} ${array.unit ?? ''} is beyond the range of Date`,
      );
    return instant.date;
  });
}

/**
 * Converts a count to ISO 8601 text without a time zone, in seconds or in the precision of the unit. Beyond the range
 * of Date, and without a unit of time, returns the count as text.
 */
function toIsoText(count: bigint, step: TimeStep): string {
  const instant = toInstant(count, step);
  return instant?.date === undefined ? String(count) : isoText(instant.date, instant.digits);
}

/** A Date in the gateway's format of datetimes: no time zone, and no fraction for whole seconds. */
export function isoText(date: Date, digits = ''): string {
  const text = date.toISOString().slice(0, -1) + digits;
  return text.replace(/\.0+$/, '');
}

interface TimeStep {
  readonly unit: TimeUnit | undefined;
  readonly scale: number;
}

interface Instant {
  /** Rounded down to milliseconds; undefined beyond the range of Date. */
  readonly date: Date | undefined;
  /** The digits below the millisecond. */
  readonly digits: string;
}

/** @returns undefined for the generic unit */
function toInstant(count: bigint, { unit, scale }: TimeStep): Instant | undefined {
  const units = count * BigInt(scale);
  if (unit === 'Y' || unit === 'M') {
    const months = unit === 'Y' ? units * 12n : units;
    const date = new Date(0);
    date.setUTCFullYear(1970, toSafeNumber(months), 1);
    return { date: valid(date), digits: '' };
  }
  const perDay = unit === 'W' ? 1n : unit === undefined ? undefined : unitsPerDay(unit);
  if (perDay === undefined) return undefined;
  const scaled = (unit === 'W' ? units * 7n : units) * MS_PER_DAY;
  const rest = ((scaled % perDay) + perDay) % perDay;
  const length = String(perDay / MS_PER_DAY).length - 1;
  return {
    date: valid(new Date(toSafeNumber((scaled - rest) / perDay))),
    digits: perDay > MS_PER_DAY ? String(rest / MS_PER_DAY).padStart(length, '0') : '',
  };
}

function toSafeNumber(count: bigint): number {
  return count > MAX_MS || count < -MAX_MS ? Number.NaN : Number(count);
}

function valid(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Decodes byte strings to text, in C order.
 * @param encoding a label of the Encoding standard.
 * @default utf-8
 */
export function toText(
  array: NDArray<'null_terminated_bytes' | 'raw_bytes' | 'raw_bits'>,
  encoding = 'utf-8',
): string[] {
  const decoder = new TextDecoder(encoding);
  return array.data.map((bytes) => decoder.decode(bytes));
}
