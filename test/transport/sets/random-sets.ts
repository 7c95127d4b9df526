/** Random sets of labelled variables in memory, with the rows that a table of them has. */
import fc from 'fast-check';
import type { ReadParts } from '../../../server/transport/forms/form.js';
import type { LabelledSet, LabelledVariable } from '../../../server/transport/labelled-set.js';
import type { BodyPiece } from '../../../server/transport/time-sliced-body.js';
import { elementArrays } from '../../../wire/data-types.js';
import { type Block, blockSlice, type DataType, sizeOf } from '../../../server/zarr/index.js';

/** A value of a row: null for a missing one. */
export type Cell = number | bigint | boolean | string | null;

export interface RandomType {
  readonly dtype: DataType;
  readonly value: fc.Arbitrary<Cell>;
}

const orMissing = (value: fc.Arbitrary<Cell>): fc.Arbitrary<Cell> => fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }); // prettier-ignore
const long = fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n });
const time = (
  name: 'numpy.datetime64' | 'numpy.timedelta64',
  unit: 's' | 'ms' | 'us' | 'ns' | 'D',
): RandomType => ({
  dtype: { name, itemSize: 8, unit, scale: 1 },
  value: orMissing(fc.bigInt({ min: -20_000n, max: 2n ** (unit === 'D' ? 20n : 35n) })),
});

export const randomTypes: Readonly<Record<string, RandomType>> = {
  bool: { dtype: { name: 'bool', itemSize: 1 }, value: fc.boolean() },
  int8: { dtype: { name: 'int8', itemSize: 1 }, value: fc.integer({ min: -128, max: 127 }) },
  uint16: { dtype: { name: 'uint16', itemSize: 2 }, value: fc.integer({ min: 0, max: 65_535 }) },
  uint32: { dtype: { name: 'uint32', itemSize: 4 }, value: fc.nat({ max: 2 ** 32 - 1 }) },
  int32: { dtype: { name: 'int32', itemSize: 4 }, value: fc.integer() },
  int64: { dtype: { name: 'int64', itemSize: 8 }, value: long },
  uint64: { dtype: { name: 'uint64', itemSize: 8 }, value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) },
  float32: { dtype: { name: 'float32', itemSize: 4 }, value: orMissing(fc.float({ noNaN: true })) },
  float64: { dtype: { name: 'float64', itemSize: 8 }, value: orMissing(fc.double({ noNaN: true })) },
  seconds: time('numpy.datetime64', 's'),
  milliseconds: time('numpy.datetime64', 'ms'),
  nanoseconds: time('numpy.datetime64', 'ns'),
  days: time('numpy.datetime64', 'D'),
  duration: time('numpy.timedelta64', 'us'),
  text: {
    dtype: { name: 'string', itemSize: null },
    value: orMissing(fc.string({ unit: 'grapheme', maxLength: 5 })),
  },
};

function blockOf(dtype: DataType, shape: readonly number[], cells: readonly Cell[]): Block {
  if (dtype.name === 'string') {
    const texts = cells.map((cell) => (cell === null ? null : Buffer.from(String(cell))));
    let at = 0;
    const starts = Uint32Array.from(texts, (text) => (at += text?.length ?? 0) - (text?.length ?? 0));
    const lengths = Uint32Array.from(texts, (text) => text?.length ?? 0xffffffff);
    return { dtype: { name: 'string', itemSize: null }, shape, items: { starts, lengths, bytes: Buffer.concat(texts.flatMap((text) => text ?? [])) } }; // prettier-ignore
  }
  const element = dtype.name === 'bool' ? 'uint8' : dtype.name.startsWith('numpy') ? 'int64' : dtype.name;
  if (!(element in elementArrays) || dtype.itemSize === null) throw new TypeError(element);
  const Elements = elementArrays[element as keyof typeof elementArrays];
  const data = new Elements(cells.length);
  const missing = element === 'int64' ? -(2n ** 63n) : NaN;
  for (const [i, cell] of cells.entries())
    data[i] = cell === null ? missing : typeof cell === 'bigint' ? cell : Number(cell);
  return {
    dtype,
    shape,
    bytes: new Uint8Array(data.buffer),
  };
}

function variableOf(name: string, dimensions: readonly string[], block: Block): LabelledVariable {
  return { name, slice: blockSlice(block, {}), dimensions, attributes: { units: 'K', scale: [1, 2] } };
}

export interface RandomSet {
  readonly set: LabelledSet;
  /** The values of each column, by row. */
  readonly columns: ReadonlyMap<string, readonly Cell[]>;
}

const typeNames = fc.constantFrom(...Object.keys(randomTypes));

/** Two variables over one to three dimensions; an index along the first, and a coordinate along all or the last. */
export const randomSets: fc.Arbitrary<RandomSet> = fc
  .record({
    shape: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    types: fc.tuple(typeNames, typeNames, typeNames, typeNames),
    isWide: fc.boolean(),
  })
  .chain(({ shape, types, isWide }) => {
    const dimensions = shape.map((_, d) => `d${d}`);
    const inner = isWide ? shape : shape.slice(-1);
    const counts = [sizeOf(shape), sizeOf(shape), shape[0] ?? 1, sizeOf(inner)];
    const cells = types.map((name, i) =>
      fc.array(randomTypes[name]?.value ?? fc.constant(null), {
        minLength: counts[i] ?? 0,
        maxLength: counts[i] ?? 0,
      }),
    );
    return fc.tuple(...cells).map((all): RandomSet => {
      const block = (i: number, own: readonly number[]): Block =>
        blockOf(
          randomTypes[types[i] ?? '']?.dtype ?? { name: 'unknown', itemSize: null, given: '' },
          own,
          all[i] ?? [],
        );
      const set: LabelledSet = {
        variables: [
          variableOf('a', dimensions, block(0, shape)),
          variableOf('b', dimensions, block(1, shape)),
        ],
        coordinates: [
          variableOf('d0', ['d0'], block(2, shape.slice(0, 1))),
          variableOf('other', isWide ? dimensions : dimensions.slice(-1), block(3, inner)),
        ],
        attributes: { title: 'random', list: [1, 'x'] },
      };
      const rows = Array.from({ length: sizeOf(shape) }, (_, i) => i);
      const indexAt = (row: number, d: number): number =>
        Math.floor(row / sizeOf(shape.slice(d + 1))) % (shape[d] ?? 1);
      const columns = new Map<string, readonly Cell[]>();
      for (const d of shape.keys())
        columns.set(
          `d${d}`,
          rows.map((row) => (d === 0 ? (all[2]?.[indexAt(row, 0)] ?? null) : indexAt(row, d))),
        );
      columns.set(
        'other',
        rows.map((row) => all[3]?.[isWide ? row : indexAt(row, shape.length - 1)] ?? null),
      );
      columns.set('a', all[0] ?? []);
      columns.set('b', all[1] ?? []);
      return { set, columns };
    });
  });

/** Reads slices in memory in parts of three elements, whose memory is reused. */
export function readOf(): ReadParts {
  let last: Uint8Array | undefined;
  return async function* read(slice, { from, to }) {
    const block = await slice.read();
    const count = sizeOf(block.shape);
    for (let start = Math.floor(from / 3) * 3; start < to; start += 3) {
      const end = Math.min(count, start + 3);
      last?.fill(0xee);
      if ('bytes' in block) {
        last = block.bytes.slice(start * block.dtype.itemSize, end * block.dtype.itemSize);
        yield { from: start, to: end, block: { ...block, shape: [end - start], bytes: last } };
      } else {
        const { starts, lengths, bytes } = block.items;
        const items = { starts: starts.subarray(start, end), lengths: lengths.subarray(start, end), bytes };
        yield { from: start, to: end, block: { ...block, shape: [end - start], items } };
      }
    }
  };
}

export async function bytesOf(pieces: AsyncGenerator<BodyPiece>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(typeof piece === 'string' ? Buffer.from(piece) : piece.slice());
  return Buffer.concat(all);
}
