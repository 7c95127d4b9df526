/** Random sequences of writes, resizes and appends on arbitrary arrays, compared with a list of elements. */
import { itemsOfValues } from '../../../server/core/dtype/item-values.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chunkLength,
  createFilesystemStore,
  createMemoryStore,
  openHierarchy,
  type KeyStore,
  type Selection,
  type ZarrArray,
} from '../../../server/zarr/index.js';
import { arrayCases, blockFrom, elementsOf, selections, type ArrayCase } from '../../zarr/write/arrays.js';
import {
  naiveArray,
  naiveBroadcast,
  naiveResize,
  naiveSelect,
  type NaiveArray,
} from '../../zarr/write/naive-array.js';

/** A step consists of numbers that apply to any current shape of the array. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('write', 'write', 'write', 'write', 'fill', 'field', 'resize', 'append'),
    seed: fc.nat(),
    picks: fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 30 }),
    broadcast: fc.nat({ max: 7 }),
    empty: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

function selectionFor(shape: readonly number[], seed: number): Selection {
  const [selection] = fc.sample(selections(shape), { seed, numRuns: 1 });
  return selection!;
}

/** A shape that broadcasts to `shape`. */
function broadcastable(shape: readonly number[], bits: number): number[] {
  const some = shape.map((length, d) => ((bits >> d) & 1 ? 1 : length));
  return bits === 7 ? [] : some;
}

async function run(
  store: KeyStore,
  array: ArrayCase,
  plan: typeof steps extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  const hierarchy = openHierarchy(store);
  const path = array.format === 1 ? '/' : '/some/where';
  let node = await hierarchy.createArray(path, array.request, { zarrFormat: array.format });
  const [fill] = elementsOf(blockOfFill(node) as Parameters<typeof elementsOf>[0]);
  const naive = naiveArray(array.request.shape, fill);
  // Usually the array contains data, because only then can a test show that a write preserves it.
  const first = {
    kind: 'write',
    seed: 0,
    picks: [1, 0, 2, 1, 1, 0, 3],
    broadcast: 0,
    empty: false,
    all: true,
  };
  for (const step of plan.length % 4 === 0 ? plan : [first, ...plan]) {
    node = await applyStep(hierarchy, node, array, naive, fill, step);
    const all = await node.select({ kind: 'all' }).read();
    expect(all.shape).toEqual(naive.shape);
    expect(elementsOf(all)).toEqual(naive.elements);
  }
  await node.select({ kind: 'all' }).write(blockOfFill(node));
  const left: string[] = [];
  for await (const { key } of store.walk('')) left.push(key);
  expect(left.filter((key) => !/(^|\/)(zarr\.json|\.z\w+|meta|attrs)$/.test(key))).toEqual([]);
}

/** The shape of the chunk at the origin, the only one that selections of chunks select. */
function firstChunk({ geometry: { grid } }: ZarrArray): number[] {
  return grid.dims.map((dim) => chunkLength(dim, 0));
}

/** The value of an absent chunk. */
function blockOfFill({ meta: { dtype, fill } }: ZarrArray) {
  if (dtype.itemSize !== null && 'bytes' in fill) return { dtype, shape: [], bytes: fill.bytes };
  return { dtype, shape: [], items: itemsOfValues(['item' in fill ? fill.item : null], dtype) };
}

async function applyStep(
  hierarchy: ReturnType<typeof openHierarchy>,
  node: ZarrArray,
  array: ArrayCase,
  naive: NaiveArray,
  fill: unknown,
  step: { kind: string; seed: number; picks: number[]; broadcast: number; empty: boolean; all?: boolean },
): Promise<ZarrArray> {
  const { dtype, values } = array;
  if (step.kind === 'resize') {
    const shape = naive.shape.map((_, d) => step.picks[d % step.picks.length]! % 10);
    naiveResize(naive, shape, fill);
    return hierarchy.resize(node.path, shape);
  }
  if (step.kind === 'append' && naive.shape.length > 0) {
    const axis = step.seed % naive.shape.length;
    const shape = naive.shape.map((length, d) => (d === axis ? step.broadcast % 4 : length));
    const block = blockFrom(dtype, values, step.picks, shape);
    const at = naive.shape[axis]!;
    naiveResize(naive, naive.shape.map((length, d) => (d === axis ? length + shape[d]! : length)), fill); // prettier-ignore
    const dims = naive.shape.map((_, d) =>
      d === axis ? { kind: 'slice' as const, start: at } : { kind: 'slice' as const },
    );
    const { offsets } = naiveSelect(naive, { kind: 'dims', dims }, firstChunk(node));
    elementsOf(block).forEach((element, i) => (naive.elements[offsets[i]!] = element));
    return (await hierarchy.append(node.path, block, axis)).array;
  }
  const selection: Selection = step.all === true ? { kind: 'all' } : selectionFor(naive.shape, step.seed);
  const { shape, offsets } = naiveSelect(naive, selection, firstChunk(node));
  const slice = node.select(selection);
  expect(slice.shape).toEqual(shape);
  if (step.kind === 'field' && dtype.name === 'struct') {
    const field = dtype.fields[step.seed % dtype.fields.length]!;
    const column = blockFrom(field.dtype, values.map((value) => (value as Record<string, unknown>)[field.name]), step.picks, shape); // prettier-ignore
    await slice.field(field.name).write(column, { writeEmptyChunks: step.empty });
    elementsOf(column).forEach((element, i) => {
      const old = String(naive.elements[offsets[i]!]);
      const [from, to] = [field.offset * 2, field.offset * 2 + String(element).length];
      naive.elements[offsets[i]!] = old.slice(0, from) + String(element) + old.slice(to);
    });
    return node;
  }
  const block =
    step.kind === 'fill'
      ? (blockOfFill(node) as Parameters<typeof elementsOf>[0])
      : blockFrom(dtype, values, step.picks, broadcastable(shape, step.broadcast));
  await slice.write(block, { writeEmptyChunks: step.empty });
  const broadcast = naiveBroadcast(elementsOf(block), block.shape, shape);
  offsets.forEach((offset, i) => (naive.elements[offset] = broadcast[i]));
  expect(elementsOf(await slice.read())).toEqual(offsets.map((offset) => naive.elements[offset]));
  return node;
}

describe('random sequences of writes', () => {
  test('arrays in memory equal the model', async () => {
    await fc.assert(
      fc.asyncProperty(arrayCases, steps, (array, plan) =>
        run(createMemoryStore({ label: 'm' }), array, plan),
      ),
      { numRuns: 250 },
    );
  }, 120_000);

  test('arrays on disk equal the model', async () => {
    const root = await mkdtemp(join(tmpdir(), 'zarrql-write-'));
    let n = 0;
    try {
      await fc.assert(
        fc.asyncProperty(arrayCases, steps, (array, plan) =>
          run(createFilesystemStore({ label: 'f', root: join(root, String(n++)) }), array, plan),
        ),
        { numRuns: 40 },
      );
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }, 120_000);
});
