/** The values of one column of a batch: contiguous and aligned, with the positions of missing values. */
import {
  type ElementArrays,
  elementArrays,
  type ElementName,
  NAT,
  numberTypes,
} from '../../../wire/data-types.js';
import {
  type Block,
  contentsAt,
  elementAt,
  inTurns,
  runToEnd,
  sizeOf,
  UnsupportedError,
} from '../../zarr/index.js';
import type { ColumnType } from './column-type.js';

export interface ColumnValues {
  readonly rows: number;
  /** Numbers as stored (float16 as bits; booleans as 0 and 1), or the texts in UTF-8, one after the other. */
  readonly data: ElementArrays[ElementName];
  /** For texts: the start of each row in `data`, and the end of the last. */
  readonly offsets: Int32Array | undefined;
  /** 1 for each row with a value, 0 for a missing one (NaN, NaT, null); undefined if no value is missing. */
  readonly present: Uint8Array | undefined;
}

/** The element of each type in memory. */
export function elementOfColumn(type: ColumnType): ElementName {
  if (type.kind === 'integer' || type.kind === 'float') return numberTypes[type.name].element;
  return type.kind === 'timestamp' || type.kind === 'duration' ? 'int64' : 'uint8';
}

/** Number of rows between two pauses. */
const STEP = 2 ** 13;

/** The values of a batch, at once. */
export function columnValues(type: ColumnType, blocks: readonly Block[]): ColumnValues {
  return runToEnd(valuesInSteps(type, blocks));
}

/** Like `columnValues`, for labels, of which there may be millions. */
export function labelValues(type: ColumnType, blocks: readonly Block[]): Promise<ColumnValues> {
  return inTurns(valuesInSteps(type, blocks));
}

function* valuesInSteps(type: ColumnType, blocks: readonly Block[]): Generator<void, ColumnValues, void> {
  const rows = blocks.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  return type.kind === 'text' ? yield* textValues(blocks, rows) : yield* fixedValues(type, blocks, rows);
}

function* fixedValues(
  type: ColumnType,
  blocks: readonly Block[],
  rows: number,
): Generator<void, ColumnValues, void> {
  const Elements = elementArrays[elementOfColumn(type)];
  const data = new Elements(rows);
  const bytes = new Uint8Array(data.buffer);
  let at = 0;
  for (const block of blocks) {
    if (!('bytes' in block)) throw new TypeError(`values of ${block.dtype.name} have no fixed size`);
    bytes.set(block.bytes, at);
    at += block.bytes.length;
    yield;
  }
  const present = yield* presence(type, data);
  if (type.kind === 'timestamp' || type.kind === 'duration') yield* convert(data, type.factor);
  return { rows, data, offsets: undefined, present };
}

function* presence(
  type: ColumnType,
  data: ElementArrays[ElementName],
): Generator<void, Uint8Array | undefined, void> {
  let present: Uint8Array | undefined;
  const isMissing = missingTest(type);
  if (isMissing === undefined) return undefined;
  for (let i = 0; i < data.length; i++) {
    if (i % STEP === STEP - 1) yield;
    if (!isMissing(data[i] ?? 0)) continue;
    present ??= new Uint8Array(data.length).fill(1);
    present[i] = 0;
  }
  return present;
}

function missingTest(type: ColumnType): ((value: number | bigint) => boolean) | undefined {
  if (type.kind === 'timestamp' || type.kind === 'duration') return (value) => value === NAT;
  if (type.kind !== 'float') return undefined;
  // A half has no number type: all bits of the exponent, and some of the fraction.
  if (type.name === 'float16') return (bits) => (Number(bits) & 0x7fff) > 0x7c00;
  return (value) => value !== value;
}

/** @throws UnsupportedError for a time that does not fit the unit */
function* convert(data: ElementArrays[ElementName], factor: bigint): Generator<void, void, void> {
  if (factor === 1n || !(data instanceof BigInt64Array)) return;
  for (let i = 0; i < data.length; i++) {
    if (i % STEP === STEP - 1) yield;
    const count = data[i];
    if (count === undefined || count === NAT) continue;
    const product = count * factor;
    data[i] = product;
    if (data[i] !== product)
      throw new UnsupportedError(
        'a time is outside the range of tables, 2^63 seconds; request another format',
      );
  }
}

function* textValues(blocks: readonly Block[], rows: number): Generator<void, ColumnValues, void> {
  const offsets = new Int32Array(rows + 1);
  const pieces: Uint8Array[] = [];
  let present: Uint8Array | undefined;
  let [row, at] = [0, 0];
  for (const block of blocks) {
    const count = sizeOf(block.shape);
    for (let i = 0; i < count; i++, row++) {
      if (row % STEP === STEP - 1) yield;
      const text = 'items' in block ? contentsAt(block.items, i) : Buffer.from(String(elementAt(block, i)));
      offsets[row] = at;
      if (text === null) {
        present ??= new Uint8Array(rows).fill(1);
        present[row] = 0;
      } else {
        pieces.push(text);
        at += text.length;
      }
    }
  }
  offsets[rows] = at;
  const joined = Buffer.concat(pieces);
  return { rows, data: new Uint8Array(joined.buffer, joined.byteOffset, joined.length), offsets, present };
}
