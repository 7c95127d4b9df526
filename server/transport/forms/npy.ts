/**
 * NPY, NumPy's file format (numpy.lib.format): a text header, then the values. Files are byte-identical to the
 * output of `numpy.save` for a little-endian array in C order. Python literals in the form of `repr`, as in the
 * headers of NumPy's files.
 */
import { defined } from '../../../wire/guards.js';
import {
  type DataType,
  isJsonList,
  type JsonValue,
  numpyDescr,
  numpyTypestr,
  UnsupportedError,
} from '../../zarr/index.js';
import { binaryFile } from './binary-file.js';
import type { FileForm } from './form.js';

export const npyFile = {
  name: 'NPY',
  extension: '.npy',
  mediaType: 'application/octet-stream',
  isText: false,
  description: "NumPy's file format, byte-identical to the output of `numpy.save`",
  types: 'types of fixed size',
  open: (slice) => binaryFile(slice, npyHeader(slice.dtype, slice.shape)),
} as const satisfies FileForm;

/** Alignment of the values, in bytes. */
const ALIGNMENT = 64;

/** Number of characters that NumPy reserves for a growing first dimension: the digits of 2^64, plus one. */
const GROWTH_DIGITS = 21;

/**
 * The header. Its version is 1.0 if possible, 2.0 for headers of 64 KiB and more, 3.0 for field names beyond
 * Latin-1.
 * @throws UnsupportedError for types of variable length, which NumPy can only pickle
 */
export function npyHeader(dtype: DataType, shape: readonly number[]): Uint8Array {
  const text = `{'descr': ${descrText(dtype)}, 'fortran_order': False, 'shape': ${pythonTuple(shape)}, }`;
  const first = shape[0];
  const grown = text + ' '.repeat(first === undefined ? 0 : GROWTH_DIGITS - String(first).length);
  // Versions 1 and 2 are in Latin-1.
  const isLatin = !/[^\p{ASCII}\u0080-\u00ff]/u.test(grown);
  const body = Buffer.from(grown, isLatin ? 'latin1' : 'utf8');
  const short = padded(body, 10);
  if (isLatin && short.length < 2 ** 16) return framed(1, short);
  return framed(isLatin ? 2 : 3, padded(body, 12));
}

/** Appends spaces and a line feed, so that `before` bytes and the result are a multiple of the alignment. */
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
    `values of type ${dtype.name} have no fixed size, which NPY requires; use the format JSON or CSV`,
  );
}

/**
 * Writes the fields of a struct as a list of [name, type] or [name, type, shape]. A type may again be a list
 * of fields.
 */
function structText(descr: JsonValue): string {
  if (typeof descr === 'string') return pythonText(descr);
  if (!isJsonList(descr)) throw new UnsupportedError('NPY does not support a field of this struct');
  return `[${descr.map(fieldText).join(', ')}]`;
}

function fieldText(field: JsonValue): string {
  const [name = '', type = null, shape] = isJsonList(field) ? field : [];
  const parts = [pythonText(typeof name === 'string' ? name : ''), structText(type)];
  if (isJsonList(shape)) parts.push(pythonTuple(shape.map(Number)));
  return pythonTuple(parts);
}

/**
 * Characters that Python does not consider printable: controls, formats, surrogates, unassigned, and all
 * spaces except U+0020.
 */
const unprintable = /[\p{C}\p{Z}]/u;

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Writes text in single quotes, or in double quotes if the text contains single quotes but no double quotes.
 */
function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let literal = quote;
  for (const character of text)
    literal += character === quote ? `\\${character}` : (escapes[character] ?? characterText(character));
  return literal + quote;
}

function characterText(character: string): string {
  if (character === ' ' || !unprintable.test(character)) return character;
  const code = defined(character.codePointAt(0));
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/** Writes a tuple: `()`, `(3,)` or `(3, 4)`. */
function pythonTuple(items: readonly (number | string)[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
}
