/**
 * NumPy's file format (numpy.lib.format): a header of text, then the values. Byte for byte what `numpy.save` writes of
 * a little-endian array in C order, so that files compare equal.
 */
import { type DataType, type JsonValue, numpyDescr, numpyTypestr, UnsupportedError } from '../zarr/index.js';
import { pythonText, pythonTuple } from './python-literal.js';

/** Values begin at a multiple of this. */
const ALIGNMENT = 64;

/** Room that NumPy leaves for the first dimension to grow: the digits of 2^64, and one more. */
const GROWTH_DIGITS = 21;

/**
 * All before the values. Version 1.0 where it fits, 2.0 for a header of 64 KiB and more, 3.0 for field names beyond
 * Latin-1.
 * @throws UnsupportedError for types of variable length, which have no form in this format without pickles
 */
export function npyHeader(dtype: DataType, shape: readonly number[]): Uint8Array {
  const text = `{'descr': ${descrText(dtype)}, 'fortran_order': False, 'shape': ${pythonTuple(shape)}, }`;
  const first = shape[0];
  const grown = text + ' '.repeat(first === undefined ? 0 : GROWTH_DIGITS - String(first).length);
  // Latin-1 is what the first two versions are written in.
  const isLatin = !/[^\p{ASCII}\u0080-\u00ff]/u.test(grown);
  const body = Buffer.from(grown, isLatin ? 'latin1' : 'utf8');
  const short = padded(body, 10);
  if (isLatin && short.length < 2 ** 16) return framed(1, short);
  return framed(isLatin ? 2 : 3, padded(body, 12));
}

/** With spaces and a line feed at the end, so that `before` bytes and this are a multiple of the alignment. */
function padded(body: Buffer, before: number): Buffer {
  const spaces = ALIGNMENT - ((before + body.length + 1) % ALIGNMENT);
  return Buffer.concat([body, Buffer.alloc(spaces, ' '), Buffer.from('\n')]);
}

function framed(version: 1 | 2 | 3, body: Buffer): Buffer {
  const start = Buffer.alloc(version === 1 ? 10 : 12);
  start.write('\u0093NUMPY', 'latin1');
  start[6] = version;
  if (version === 1) start.writeUInt16LE(body.length, 8);
  else start.writeUInt32LE(body.length, 8);
  return Buffer.concat([start, body]);
}

function descrText(dtype: DataType): string {
  if (dtype.name === 'struct') return structText(numpyDescr(dtype));
  const typestr = numpyTypestr(dtype);
  if (typestr !== undefined) return pythonText(typestr);
  throw new UnsupportedError(
    `values of the type ${dtype.name} have no fixed size, which NumPy's files need; use the format json or csv`,
  );
}

/** A list of fields, [name, type] or [name, type, shape], where a type may be such a list. */
function structText(descr: JsonValue): string {
  if (typeof descr === 'string') return pythonText(descr);
  if (!Array.isArray(descr)) throw new UnsupportedError('a field of this struct has no form in NumPy');
  const fields: readonly JsonValue[] = descr;
  return `[${fields.map(fieldText).join(', ')}]`;
}

function fieldText(field: JsonValue): string {
  const [name = '', type = null, shape] = Array.isArray(field) ? (field as readonly JsonValue[]) : [];
  const parts = [pythonText(typeof name === 'string' ? name : ''), structText(type)];
  if (Array.isArray(shape)) parts.push(pythonTuple(shape.map(Number)));
  return pythonTuple(parts);
}
