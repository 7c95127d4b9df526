/** Random data types for written arrays, with their names in each format and values. */
import type { JsonValue } from '../../server/zarr/index.js';
import type { Random } from './random.js';

export interface RandomType {
  readonly name: string;
  /** The requested data type. */
  readonly dtype: JsonValue;
  /** Bytes of an element; undefined for a type of variable length. */
  readonly itemSize: number | undefined;
  /** Whether the type has a byte order. */
  readonly swaps: boolean;
  readonly isInteger: boolean;
  /** The required layout of the values that readers return. */
  readonly layout: JsonValue;
  /** Bytes (little-endian), or text for a type of variable length. */
  value(random: Random): Uint8Array | string;
  /** A fill value as JSON (undefined: the type's default) and as a value. */
  fill(random: Random): { json: JsonValue | undefined; value: Uint8Array | string };
}

const numbers = {
  int8: 'i1', int16: 'i2', int32: 'i4', int64: 'i8', uint8: 'u1', uint16: 'u2', uint32: 'u4', uint64: 'u8',
  float16: 'f2', float32: 'f4', float64: 'f8', complex64: 'c8', complex128: 'c16',
} as const; // prettier-ignore
type NumberName = keyof typeof numbers;

const sizeOfNumber = (name: NumberName): number => Number(numbers[name].slice(1));

/** Little-endian bytes of error-prone values. */
const extremes: Partial<Record<NumberName, readonly string[]>> = {
  float16: ['007e', '017e', '0080', '007c', '00fc', '0100', 'ff7b'],
  float32: ['0000c07f', '0100c07f', '00000080', '0000807f', '000080ff', '01000000', 'ffff7f7f'],
  float64: ['000000000000f87f', '010000000000f87f', '0000000000000080', '000000000000f07f', '0100000000000000'],
}; // prettier-ignore

function numberValue(name: NumberName, random: Random): Uint8Array {
  const size = sizeOfNumber(name);
  const known = extremes[name];
  if (known !== undefined && random.chance(0.3)) return fromHex(random.choose(known));
  if (!name.includes('int') || random.chance(0.5)) return random.bytes(size);
  // Small values close to each other, which suit filters and compressors.
  const bytes = new Uint8Array(size);
  bytes[0] = random.int(0, 9);
  return bytes;
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

function numberFill(
  name: NumberName,
  format: number,
  random: Random,
): { json: JsonValue | undefined; value: Uint8Array } {
  const size = sizeOfNumber(name);
  const zero = { json: undefined, value: new Uint8Array(size) };
  const known: Partial<Record<NumberName, readonly (readonly [JsonValue, string])[]>> = {
    float16: [['NaN', '007e'], [-0, '0080'], ['-Infinity', '00fc'], [1.5, '003e']],
    float32: [['NaN', '0000c07f'], [-0, '00000080'], ['Infinity', '0000807f'], [1.5, '0000c03f']],
    float64: [['NaN', '000000000000f87f'], [-0, '0000000000000080'], ['-Infinity', '000000000000f0ff']],
    int8: [[-128, '80'], [127, '7f']],
    int64: [[-(2n ** 63n), '0000000000000080'], [2n ** 63n - 1n, 'ffffffffffffff7f']],
    uint64: [[2n ** 64n - 1n, 'ffffffffffffffff'], [7, '0700000000000000']],
    uint16: [[65535, 'ffff']],
    // zarr-python 2 computes re + 1j * im, which is wrong if either part is not finite.
    complex64:
      format === 3
        ? [[[1.5, 'NaN'], '0000c03f0000c07f'], [['-Infinity', -0], '000080ff00000080']]
        : [[[1.5, -2], '0000c03f000000c0']],
  }; // prettier-ignore
  const pool = known[name];
  if (pool === undefined || random.chance(0.4)) return zero;
  const [json, hex] = random.choose(pool);
  return { json, value: fromHex(hex) };
}

function numberType(name: NumberName, format: number, random: Random): RandomType {
  const size = sizeOfNumber(name);
  const order = size === 1 ? '|' : random.choose(['<', '>']);
  return {
    name,
    dtype: format === 3 ? name : order + numbers[name],
    itemSize: size,
    swaps: size > 1,
    isInteger: name.includes('int'),
    layout: { kind: name },
    value: (r) => numberValue(name, r),
    fill: (r) => numberFill(name, format, r),
  };
}

const boolType: RandomType = {
  name: 'bool',
  dtype: 'bool',
  itemSize: 1,
  swaps: false,
  isInteger: false,
  layout: { kind: 'bool' },
  value: (random) => Uint8Array.of(random.int(0, 1)),
  fill: (random) =>
    random.chance(0.5) ? { json: true, value: Uint8Array.of(1) } : { json: false, value: Uint8Array.of(0) },
};

function timeType(format: number, random: Random): RandomType {
  const [kind, letter] = random.choose([['datetime64', 'M8'], ['timedelta64', 'm8']] as const); // prettier-ignore
  const unit = random.choose(['D', 's', 'ms', 'us', 'ns'] as const);
  const nat = fromHex('0000000000000080');
  return {
    name: kind,
    dtype:
      format === 3
        ? { name: `numpy.${kind}`, configuration: { unit, scale_factor: 1 } }
        : `${random.choose(['<', '>'])}${letter}[${unit}]`,
    itemSize: 8,
    swaps: true,
    isInteger: false,
    layout: { kind, unit, scale: 1 },
    value: (r) => (r.chance(0.2) ? nat : Uint8Array.from([...r.bytes(5), 0, 0, 0])),
    fill: () => ({ json: 'NaT', value: nat }),
  };
}

function bytesType(format: number, random: Random): RandomType {
  const size = random.int(1, 6);
  return {
    name: 'null_terminated_bytes',
    dtype:
      format === 3 ? { name: 'null_terminated_bytes', configuration: { length_bytes: size } } : `|S${size}`,
    itemSize: size,
    swaps: false,
    isInteger: false,
    layout: { kind: 'fixed_bytes', bytes: size },
    value: (r) => {
      const length = r.int(0, size);
      return Uint8Array.from({ length: size }, (_, i) => (i < length ? r.int(1, 255) : 0));
    },
    fill: () => ({ json: undefined, value: new Uint8Array(size) }),
  };
}

const points = Array.from('aZ09 é€ß漢😀𝒳\ufeff');

function textType(format: number, random: Random): RandomType {
  const chars = random.int(1, 4);
  return {
    name: 'fixed_length_utf32',
    dtype:
      format === 3
        ? { name: 'fixed_length_utf32', configuration: { length_bytes: 4 * chars } }
        : `${random.choose(['<', '>'])}U${chars}`,
    itemSize: 4 * chars,
    swaps: true,
    isInteger: false,
    layout: { kind: 'fixed_utf32', chars },
    value: (r) => {
      const bytes = Buffer.alloc(4 * chars);
      const length = r.int(0, chars);
      for (let i = 0; i < length; i++) bytes.writeUInt32LE(r.choose(points).codePointAt(0) ?? 0, 4 * i);
      return new Uint8Array(bytes);
    },
    fill: () => ({ json: undefined, value: new Uint8Array(4 * chars) }),
  };
}

/** v2 only: the registered `struct` of v3 has no other reader yet. */
function structType(random: Random): RandomType {
  const order = random.choose(['<', '>']);
  return {
    name: 'struct',
    dtype: [['a', `${order}i4`], ['b', `${order}f8`], ['c', '|S3'], ['d', `${order}u2`]],
    itemSize: 17,
    swaps: true,
    isInteger: false,
    layout: { kind: 'struct', bytes: 17 },
    value: (r) => Uint8Array.from([...r.bytes(12), r.int(1, 255), 0, 0, ...r.bytes(2)]),
    fill: () => ({ json: undefined, value: new Uint8Array(17) }),
  }; // prettier-ignore
}

const words = ['', 'a', 'temperature', 'é€漢字', '😀', 'line\nbreak', '\ufeffbom', 'nul\0inside', ' tail ', 'x'.repeat(70)]; // prettier-ignore

const stringType: RandomType = {
  name: 'string',
  dtype: 'string',
  itemSize: undefined,
  swaps: false,
  isInteger: false,
  layout: { kind: 'var_utf8' },
  value: (random) => random.choose(words),
  fill: (random) => random.choose([{ json: '', value: '' }, { json: 'fïll', value: 'fïll' }]),
}; // prettier-ignore

const numberNames = Object.keys(numbers).filter((name): name is NumberName => name in numbers);

/** Numbers of v1. It defines no fill values of complex numbers, times, bytes and structs. */
const v1Names = numberNames.filter((name) => !name.startsWith('complex'));

export function randomType(format: number, random: Random): RandomType {
  if (format === 1) {
    const pool = [
      () => boolType,
      () => textType(1, random),
      () => numberType(random.choose(v1Names), 1, random),
    ];
    return random.choose([...pool, ...pool.slice(2), ...pool.slice(2)])();
  }
  const at = random.next();
  if (at < 0.62) return numberType(random.choose(numberNames), format, random);
  if (at < 0.67) return boolType;
  if (at < 0.75) return timeType(format, random);
  if (at < 0.82) return bytesType(format, random);
  if (at < 0.88) return textType(format, random);
  if (at < 0.94) return format === 3 ? numberType('float32', format, random) : structType(random);
  return stringType;
}
