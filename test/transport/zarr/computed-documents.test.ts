import fc from 'fast-check';
import { expect, test } from 'vitest';
import { regularDim } from '../../../server/format/grid.js';
import {
  chunkBox,
  chunkBytes,
  chunkShapeFor,
  computedDocuments,
  storedForm,
} from '../../../server/transport/zarr/computed-documents.js';
import type { LabelledVariable } from '../../../server/transport/labelled-set.js';
import {
  blockSlice,
  openHierarchy,
  printJson,
  createMemoryStore,
  sizeOf,
  type Block,
} from '../../../server/zarr/index.js';

function variableOf(block: Block): LabelledVariable {
  const dimensions = block.shape.map((_, d) => `d${d}`);
  return { name: 'v', slice: blockSlice(block, {}), dimensions, attributes: {} };
}

test('chunks together are the values, in whole chunks of the source', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 3 }),
      (shape, chunk) => {
        const bytes = Uint8Array.from({ length: sizeOf(shape) }, (_, i) => i);
        const box = {
          ranges: shape.map((stop) => ({ start: 0, stop })),
          chunkShape: shape.map((size) => size + chunk),
        };
        const padded = chunkBytes('v', { dtype: { name: 'uint8', itemSize: 1 }, shape, bytes }, box);
        const strides = box.chunkShape.map((_, d) => sizeOf(box.chunkShape.slice(d + 1)));
        expect(padded).toHaveLength(sizeOf(box.chunkShape));
        for (let i = 0; i < bytes.length; i++) {
          let [left, at] = [i, 0];
          for (let d = shape.length - 1; d >= 0; d--) {
            const size = shape[d] ?? 1;
            at += (left % size) * (strides[d] ?? 0);
            left = Math.floor(left / size);
          }
          expect(padded[at]).toBe(i % 256);
        }
      },
    ),
  );
});

test.each([
  [[10, 10], undefined, [10, 10]],
  [[1000, 1024], undefined, [512, 1024]],
  [[1000, 1024], 100, [500, 1024]],
  [[4, 4096, 4096], undefined, [1, 128, 4096]],
  [[3, 2 ** 20], 2 ** 10, [1, 2 ** 19]],
  [[], undefined, []],
  [[0, 5], undefined, [1, 5]],
])('the chunk shape of %j with source chunks of %j', (shape, natural, expected) => {
  const dims = shape.map((size) => ({
    name: null,
    size,
    chunks: natural === undefined ? undefined : regularDim(size, natural),
    start: 0,
    step: 1,
  }));
  expect(chunkShapeFor({ slice: { dtype: { name: 'float64', itemSize: 8 }, shape, dims } })).toEqual(
    expected,
  );
});

test('indexes outside the grid, and of another rank, have no box', () => {
  const variable = variableOf({
    dtype: { name: 'uint8', itemSize: 1 },
    shape: [3],
    bytes: new Uint8Array(3),
  });
  expect(chunkBox(variable, [0])?.ranges).toEqual([{ start: 0, stop: 3 }]);
  expect(chunkBox(variable, [1])).toBeUndefined();
  expect(chunkBox(variable, [])).toBeUndefined();
  expect(chunkBox(variable, [0, 0])).toBeUndefined();
});

test('the engine reads documents and chunks: dates as integers, texts, coordinates', async () => {
  const texts = openTexts(['a', 'é', '']);
  const dates = new BigInt64Array([0n, -(2n ** 63n), 86_400n]);
  const set = {
    variables: [variableOf(texts)],
    coordinates: [
      {
        ...variableOf({ dtype: { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 }, shape: [3], bytes: new Uint8Array(dates.buffer) }), // prettier-ignore
        name: 'when',
      },
    ],
    attributes: { title: 'made' },
  };
  const store = createMemoryStore({ label: 'm' });
  for (const [key, document] of computedDocuments(set)) await store.set(key, Buffer.from(printJson(document))); // prettier-ignore
  const box = chunkBox(set.variables[0] ?? variableOf(texts), [0]);
  if (box === undefined) throw new Error('no chunk');
  await store.set('v/c/0', chunkBytes('v', texts, box));
  await store.set('when/c/0', new Uint8Array(dates.buffer));
  const hierarchy = openHierarchy(store);
  const read = await (await hierarchy.array('/v')).select().read();
  expect('items' in read && Buffer.from(read.items.bytes).toString('utf8')).toContain('aé');
  const when = await hierarchy.array('/when');
  expect(when.meta.attributes).toMatchObject({
    units: 'seconds since 1970-01-01',
    calendar: 'proleptic_gregorian',
  });
  expect((await hierarchy.array('/v')).meta.attributes).toEqual({ coordinates: 'when' });
});

function openTexts(texts: readonly string[]): Block {
  const encoded = texts.map((text) => Buffer.from(text));
  const lengths = Uint32Array.from(encoded, ({ length }) => length);
  let at = 0;
  const starts = Uint32Array.from(encoded, ({ length }) => (at += length) - length);
  return { dtype: { name: 'string', itemSize: null }, shape: [texts.length], items: { starts, lengths, bytes: Buffer.concat(encoded) } }; // prettier-ignore
}

test('types that tools do not read are refused', () => {
  expect(() => storedForm('v', { name: 'struct', itemSize: 0, fields: [] })).toThrow(
    /"v" has values of type struct/,
  );
  expect(() => storedForm('v', { name: 'numpy.datetime64', itemSize: 8, unit: 'M', scale: 1 })).toThrow(
    /datetime64/,
  );
  expect(() => storedForm('v', { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 10 })).toThrow(
    /datetime64/,
  );
});
