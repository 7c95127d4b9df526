/** CSV: RFC 4180 with a header row. */
import { type LazySlice, sizeOf } from '../../zarr/index.js';
import { csvHead, type CsvOptions, csvRows, csvIndexes } from '../csv/rows.js';
import { type FileForm, type ReadParts, startWith } from './form.js';

export const csvFile = {
  name: 'CSV',
  extension: '.csv',
  mediaType: 'text/csv; charset=utf-8; header=present',
  isText: true,
  description:
    'a header row, then one row per value: its label (of stored values, its index) along each dimension, then the value or fields',
  types: 'all types',
  open(slice, { newline = '\r\n', labels, beside = [] }) {
    const isBox = slice.origin.selection.kind === 'box';
    const indexes = csvIndexes(slice).flatMap((index) => {
      if (labels === undefined) return [index];
      const at = isBox ? labels[index.dim] : undefined;
      if (at !== undefined) return [{ ...index, at }];
      const others = (isBox ? beside[index.dim] : undefined) ?? [];
      // Beside labels, positions need a heading that says so.
      const position = { ...index, name: `${index.name}_index` };
      return [position, ...others.map((other) => ({ ...other, dim: index.dim }))];
    });
    const options = { indexes, valueName: 'value', newline };
    const head = csvHead(slice.dtype, options);
    return {
      byteLength: undefined,
      pieces: (read) => startWith(head, rowPieces(slice, options, read)),
    };
  },
} as const satisfies FileForm;

async function* rowPieces(slice: LazySlice, options: CsvOptions, read: ReadParts): AsyncGenerator<string> {
  for await (const { block, from } of read(slice, { from: 0, to: sizeOf(slice.shape) }))
    yield* csvRows(block, options, { shape: slice.shape, from });
}
