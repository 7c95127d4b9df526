/**
 * Parses NumPy type strings (`<f4`, `<M8[ns]`) and the descr of structs (`[["a", "<i4"], ["b", "<f8", [2]]]`),
 * which give the layout of base64 values. See numpy.lib.format in NumPy's manual.
 */
import { parseTypestr } from '../../wire/numpy-type.js';
import { TransportError } from '../errors.js';
import { isList, shown } from '../json/json.js';
import { packedStruct, type ValueLayout } from './layout.js';
import { parseShape } from './shape.js';

/** Bound on the nesting of structs. */
export const MAX_DEPTH = 32;

/** A type string, or a struct's descr as JSON text. @throws TransportError BAD_RESPONSE */
export function parseNumpyDescr(text: string): ValueLayout {
  return text.startsWith('[') ? parseStruct(parseJson(text), 0) : typestrLayout(text);
}

function parseDescr(descr: unknown, depth: number): ValueLayout {
  if (depth > MAX_DEPTH) throw unknownType('a struct nested too deeply');
  return typeof descr === 'string' ? typestrLayout(descr) : parseStruct(descr, depth);
}

function parseStruct(descr: unknown, depth: number): ValueLayout {
  if (!isList(descr)) throw unknownType(descr);
  return packedStruct(
    descr.map((field) => {
      if (!isList(field)) throw unknownType(descr);
      const [name, type, shape = []] = field;
      if (typeof name !== 'string' || !isList(shape) || !shape.every(isSize)) throw unknownType(descr);
      return { name, layout: parseDescr(type, depth + 1), shape: parseShape(shape) };
    }),
  );
}

function typestrLayout(text: string): ValueLayout {
  const layout = parseTypestr(text);
  if (layout === undefined) throw unknownType(text);
  return layout;
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

export function unknownType(dtype: unknown): TransportError {
  return new TransportError('BAD_RESPONSE', `unknown data type in the response: ${shown(dtype)}`);
}
