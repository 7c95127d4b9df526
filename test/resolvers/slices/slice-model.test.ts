/** A slice recreated from the JSON of its recipe is equal to the original. */
import { describe, expect, test } from 'vitest';
import { MemoryBudget } from '../../../server/memory/budget.js';
import { createMemoryStore, toTypedArray } from '../../../server/zarr/index.js';
import { createContext, type GatewayContext } from '../../../server/resolvers/context.js';
import type { Selection } from '../../../server/resolvers/generated/types.js';
import {
  sliceByStep,
  sliceFromRecipe,
  sliceOfSlice,
  sliceOfVariable,
  wholeArray,
} from '../../../server/resolvers/slices/slice-model.js';
import { cutDataset } from '../../../server/dataset/cut-dataset.js';
import { variableOf } from '../../../server/resolvers/datasets/dataset.js';
import { parseNamedDims } from '../../../server/resolvers/slices/selection-input.js';
import { parseRecipe } from '../../../server/analysis/recipe.js';
import { arrayDocument } from '../gateway-client.js';
import { gatewayParts } from '../gateway-parts.js';
import { fullAccess } from '../../../server/resolvers/access/caller-rights.js';

const store = createMemoryStore({ label: 'm' });
const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
await put('a/zarr.json', arrayDocument('int32', [4, 6], { dimension_names: ['y', 'x'] }));
await store.set('a/c/0/0', new Uint8Array(Int32Array.from({ length: 24 }, (_, i) => i).buffer));
await put('d/zarr.json', { zarr_format: 3, node_type: 'group' });
await put('d/x/zarr.json', arrayDocument('int32', [4], { dimension_names: ['x'] }));
await store.set('d/x/c/0', new Uint8Array(Int32Array.of(10, 20, 30, 40).buffer));
const packed = { scale_factor: 0.5, valid_max: 6 };
await put('d/v/zarr.json', arrayDocument('int16', [4], { dimension_names: ['x'], attributes: packed }));
await store.set('d/v/c/0', new Uint8Array(Int16Array.of(2, 4, 6, 8).buffer));
const fields = [
  ['p', '<i2'],
  ['q', '<f4', [3]],
];
await put('s/.zarray', {
  zarr_format: 2,
  shape: [5],
  chunks: [5],
  dtype: fields,
  compressor: null,
  fill_value: null,
  order: 'C',
  filters: null,
});

const memory = new MemoryBudget({ maxBytes: 2 ** 30, maxRequestBytes: 2 ** 28, waitMs: 1000 });

function context(): GatewayContext {
  return createContext(gatewayParts(store, memory), { rights: fullAccess, memory: memory.open('test') });
}

async function sliced(path: string, selections: readonly (Selection | string)[], within: GatewayContext) {
  const array = await within.nodes.array(within.store('m'), path);
  let model = wholeArray(array);
  for (const one of selections)
    model =
      typeof one === 'string'
        ? await sliceByStep(model, { field: one }, within)
        : await sliceOfSlice(model, one, within);
  return model;
}

describe('a recipe', () => {
  test.each<[string, (Selection | string)[]]>([
    ['/a', []],
    ['/a', [{ text: '1:, ::2' }, { dims: [{ index: -1 }] }]],
    ['/a', [{ dims: [{ chunk: 0 }, { mask: [true, false, true, false, true, false] }] }]],
    ['/a', [{ named: [{ dim: 'x', by: { slice: { start: 5, step: -2 } } }] }]],
    [
      '/a',
      [
        {
          points: [
            [0, 1],
            [3, 5],
          ],
        },
        { text: '1' },
      ],
    ],
    ['/s', [{ text: '1:3' }, 'q', { text: '0, ::-1' }]],
    [
      '/d/v',
      [
        { named: [{ dim: 'x', by: { between: { from: 20, to: 35, step: 1 } } }] },
        { dims: [{ at: { value: 30, method: 'EXACT', tolerance: null } }] },
      ],
    ],
  ])('of %s with the steps %j recreates the slice', async (path, selections) => {
    const model = await sliced(path, selections, context());
    const elsewhere = context();
    const again = await sliceFromRecipe(parseRecipe(JSON.parse(JSON.stringify(model.recipe))), elsewhere);
    expect(again.slice.shape).toEqual(model.slice.shape);
    expect(again.slice.dims).toEqual(model.slice.dims);
    expect(again.key()).toBe(model.key());
    expect(await again.read(elsewhere)).toEqual(await model.read(context()));
  });

  test('of a decoded variable in a part of its dataset recreates the slice', async () => {
    const within = context();
    const { store: model, cut } = await within.datasets.open(within.store('m'), '/d');
    const between = parseNamedDims([{ dim: 'x', by: { between: { from: 20, to: null, step: 1 } } }]);
    const part = await cutDataset(cut, between, within.datasets.coordinates);
    const variable = variableOf({ store: model, cut: part }, 'v');
    const again = async (args: { decode: boolean; select: Selection | null }) => {
      const made = await sliceOfVariable(variable, { ...args, maskOutOfRange: true }, within);
      const elsewhere = context();
      const recipe = parseRecipe(JSON.parse(JSON.stringify(made.recipe)));
      const block = await (await sliceFromRecipe(recipe, elsewhere)).read(elsewhere);
      expect(block).toEqual(await made.read(within));
      return toTypedArray(block);
    };
    const at20 = { at: { value: 20, method: 'EXACT' as const, tolerance: null } };
    expect(await again({ decode: true, select: { named: [{ dim: 'x', by: at20 }] } })).toEqual(
      Float64Array.of(2),
    );
    expect(await again({ decode: true, select: null })).toEqual(Float64Array.of(2, 3, NaN));
    expect(await again({ decode: false, select: null })).toEqual(Int16Array.of(4, 6, 8));
  });

  test.each([
    null,
    {},
    { store: 'm', path: '/a', steps: [{}] },
    { store: 'm', path: '/a', steps: [{ select: { kind: 'all' }, field: 'p' }] },
    { store: 'm', path: '/a', steps: [{ constructor: {} }] },
    { store: 'm', path: '/a', steps: [{ select: { kind: 'dims', dims: [{ kind: 'index', index: 0.5 }] } }] },
    { store: 'm', path: '/a', steps: Array.from({ length: 65 }, () => ({ field: 'p' })) },
    { store: 'm', path: '/a', steps: [], version: 2 },
    { store: 'm', path: '/a', steps: [], more: 1 },
  ])('is not %j', (json) => {
    expect(() => parseRecipe(json)).toThrow('invalid description of a slice');
  });
});
