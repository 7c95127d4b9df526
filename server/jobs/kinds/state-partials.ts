/** Partial results of reductions as JSON, exactly: the bytes of their numbers, or of elements, as base64. */
import * as z from 'zod';
import { isRecord } from '../../../wire/guards.js';
import { InputError, type JsonValue } from '../../zarr/index.js';
import type { PartialCodec } from '../plan.js';

/** Maximum number of chunks of a task, and of the arrays of a state. */
const MAX_CHUNKS = 100_000;
const MAX_ARRAYS = 16;

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const numbers = bytes.refine(({ length }) => length % 8 === 0).transform(floatsOf);
const form = z
  .array(
    z.union([
      z.strictObject({ count: numbers, values: z.array(numbers).max(MAX_ARRAYS) }),
      z.strictObject({ elements: bytes.transform((each) => new Uint8Array(each)) }),
    ]),
  )
  .max(MAX_CHUNKS);

/** Whether they fit the reduction is checked when they are merged. */
export const statePartials: PartialCodec = {
  encode: (partials) => partials.map(encodePartial),
  decode(json) {
    const parsed = form.safeParse(json);
    if (!parsed.success) throw new InputError('invalid partial results', { cause: parsed.error });
    return parsed.data;
  },
};

function encodePartial(partial: unknown): JsonValue {
  if (isRecord(partial)) {
    const { count, values, elements } = partial;
    if (elements instanceof Uint8Array) return { elements: textOf(elements) };
    if (count instanceof Float64Array && Array.isArray(values))
      return { count: textOf(count), values: values.map(numbersText) };
  }
  throw new TypeError('a task returned an invalid partial result');
}

function numbersText(array: unknown): string {
  if (array instanceof Float64Array) return textOf(array);
  throw new TypeError('a task returned an invalid partial result');
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array | Float64Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Copies the bytes to an aligned address. */
function floatsOf(from: Buffer): Float64Array {
  const floats = new Float64Array(from.length / 8);
  new Uint8Array(floats.buffer).set(from);
  return floats;
}
