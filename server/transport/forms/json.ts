/** JSON: nested lists of values as files, and GraphQL results. */
import { type Block, type DataType, type LazySlice, sizeOf, type StructField } from '../../zarr/index.js';
import { blockText, elementText } from '../json/block-text.js';
import { listText, shifted } from '../json/list-text.js';
import { resultText } from '../json/result-text.js';
import type { BodyPiece } from '../time-sliced-body.js';
import { type FileForm, type ReadParts, type ResultForm, startWith } from './form.js';

export const jsonResult = {
  mediaTypes: ['application/json', 'application/graphql-response+json'],
  isText: true,
  write: resultText,
} as const satisfies ResultForm;

export const jsonFile = {
  name: 'JSON',
  extension: '.json',
  mediaType: 'application/json; charset=utf-8',
  isText: true,
  description: 'nested lists, as in `values`; 64-bit integers, NaN and infinities are strings',
  types: 'all types',
  passes: leafCount,
  open: (slice) => ({ byteLength: undefined, pieces: (read) => listPieces(slice, read) }),
} as const satisfies FileForm;

/**
 * The fields of a struct are written one after the other. If the slice does not fit in one part, its chunks
 * are read once per field.
 */
async function* listPieces(slice: LazySlice, read: ReadParts): AsyncGenerator<BodyPiece> {
  const { dtype, shape } = slice;
  if (dtype.name === 'struct') {
    const whole = await readAtOnce(slice, read);
    yield* whole === undefined ? structPieces(slice, dtype.fields, read) : blockText(whole, 'STRING');
  } else if (sizeOf(shape) === 0) yield* listText(shape, () => '');
  else
    for await (const { block, from, to } of read(slice, { from: 0, to: sizeOf(shape) })) {
      yield* listText(shape, shifted(elementText(block, 'STRING'), from), { from, to });
    }
}

/** All values, if they fit in one part. */
async function readAtOnce(slice: LazySlice, read: ReadParts): Promise<Block | undefined> {
  const count = sizeOf(slice.shape);
  for await (const { block, from, to } of read(slice, { from: 0, to: count }))
    return to - from === count ? block : undefined;
  return undefined;
}

async function* structPieces(
  slice: LazySlice,
  fields: readonly StructField[],
  read: ReadParts,
): AsyncGenerator<BodyPiece> {
  for (const [i, { name }] of fields.entries())
    yield* startWith(`${i > 0 ? ',' : '{'}${JSON.stringify(name)}:`, listPieces(slice.field(name), read));
  yield fields.length === 0 ? '{}' : '}';
}

function leafCount(dtype: DataType): number {
  if (dtype.name !== 'struct') return 1;
  return dtype.fields.reduce((sum, field) => sum + leafCount(field.dtype), 0);
}
