/**
 * NumPy's type strings (`<f4`, `<M8[ns]`) and the descr of structs (`[["a", "<i4"], ["b", "<f8", [2]]]`), which say
 * how base64 values are laid out. See "The __array_interface__ protocol" and numpy.lib.format in NumPy's manual.
 */
import { TransportError } from '../errors.js';
import { isList, shown } from '../json.js';
import { packedStruct } from './layout.js';
import type { FixedName, ValueLayout } from './layout.js';
import type { TimeUnit } from './ndarray.js';
import { parseShape } from './shape.js';

type PlainName = Exclude<FixedName, 'numpy.datetime64' | 'numpy.timedelta64'>;

const numbers: ReadonlyMap<string, PlainName> = new Map<string, PlainName>([
  ['b1', 'bool'], ['i1', 'int8'], ['i2', 'int16'], ['i4', 'int32'], ['i8', 'int64'],
  ['u1', 'uint8'], ['u2', 'uint16'], ['u4', 'uint32'], ['u8', 'uint64'],
  ['f2', 'float16'], ['f4', 'float32'], ['f8', 'float64'], ['c8', 'complex64'], ['c16', 'complex128'],
]); // prettier-ignore

const units: readonly TimeUnit[] = [
  'Y',
  'M',
  'W',
  'D',
  'h',
  'm',
  's',
  'ms',
  'us',
  'ns',
  'ps',
  'fs',
  'as',
  'generic',
];

/** Structs in structs; more is no data type that anybody writes. */
export const maxDepth = 32;

/** A type string, or a struct's descr as JSON text. @throws TransportError BAD_RESPONSE */
export function parseNumpyDescr(text: string): ValueLayout {
  return text.startsWith('[') ? parseStruct(parseJson(text), 0) : parseTypestr(text);
}

function parseDescr(descr: unknown, depth: number): ValueLayout {
  if (depth > maxDepth) throw unknownType('a struct nested too deeply');
  return typeof descr === 'string' ? parseTypestr(descr) : parseStruct(descr, depth);
}

function parseStruct(descr: unknown, depth: number): ValueLayout {
  if (!isList(descr)) throw unknownType(descr);
  return packedStruct(
    descr.map((field) => {
      if (!isList(field)) throw unknownType(descr);
      const [name, of, shape = []] = field;
      if (typeof name !== 'string' || !isList(shape) || !shape.every(isSize)) throw unknownType(descr);
      return { name, layout: parseDescr(of, depth + 1), shape: parseShape(shape) };
    }),
  );
}

function parseTypestr(text: string): ValueLayout {
  const match = /^([<|])([a-zA-Z])(\d{1,10})(?:\[(\d{0,10})([a-z]{1,2}|[YMWD])\])?$/.exec(text);
  const [, order, kind, digits, scale, unit] = match ?? [];
  if (order === undefined || kind === undefined || digits === undefined) throw unknownType(text);
  const size = Number(digits);
  if ((kind === 'M' || kind === 'm') && size === 8) {
    const known = unit === undefined ? 'generic' : units.find((name) => name === unit);
    const count = Number(scale || 1);
    // NumPy counts in 32 bits.
    if (known === undefined || count < 1 || count >= 2 ** 31) throw unknownType(text);
    const name = kind === 'M' ? 'numpy.datetime64' : 'numpy.timedelta64';
    return { name, itemSize: 8, unit: known, scale: count };
  }
  if (unit !== undefined) throw unknownType(text);
  if (kind === 'S') return { name: 'null_terminated_bytes', itemSize: size };
  if (kind === 'U') return { name: 'fixed_length_utf32', itemSize: size * 4 };
  if (kind === 'V') return { name: 'raw_bytes', itemSize: size };
  const name = numbers.get(kind + digits);
  if (name === undefined || (order === '|' && size > 1)) throw unknownType(text);
  return { name, itemSize: size };
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unknownType(text);
  }
}

export function unknownType(given: unknown): TransportError {
  return new TransportError(
    'BAD_RESPONSE',
    `the values have a data type this SDK does not know: ${shown(given)}`,
  );
}
