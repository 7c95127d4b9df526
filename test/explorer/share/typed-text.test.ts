import { parse, validate } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import type { Recipe } from '../../../explorer/src/array/recipe.js';
import { typedText } from '../../../explorer/src/share/typed-text.js';
import { createGateway, fullAccess } from '../../../server/index.js';
import { oddStore } from '../../typed/odd-store.js';

async function odd() {
  const gateway = createGateway({ stores: [{ name: 'odd', store: await oddStore() }] });
  onTestFinished(() => gateway.close());
  return gateway.as(fullAccess).forStore('odd');
}

const recipe = (path: string, dims: Recipe['dims'], more: Partial<Recipe> = {}): Recipe => ({
  ...{ store: 'odd', path, decode: true, dims, areNamed: true, reductions: [], coarsen: undefined },
  ...more,
});

test('documents have the names of the schema, and its results', async () => {
  const store = await odd();
  const dims = [{ key: 'time', pick: { index: 1 } }, { key: 'lat', pick: { span: [0, 2] } }, { key: 'lon', pick: 'all' }] as const; // prettier-ignore
  const document = typedText(recipe('/2m temperature', dims, { reductions: [{ by: 'MEAN', over: ['lon'] }] }), await store.sdl()); // prettier-ignore
  expect(document).toContain('x2m_temperature(time: { index: 1 }, lat: { slice: { start: 0, stop: 2 } })');
  expect(await store.execute({ document: document ?? '' })).toMatchObject({ data: { x2m_temperature: { reduce: { shape: [2] } } } }); // prettier-ignore
});

test.each([
  recipe('/scalar', []),
  recipe('/温度', [{ key: 'lat', pick: 'all' }]),
  recipe('/lat', [{ key: 'lat', pick: 'all' }], { reductions: [{ by: 'MAX', over: ['lat'] }] }),
  recipe('/group with space/deep', [{ key: 'time', pick: { index: 0 } }, { key: 'lat', pick: 'all' }], { coarsen: { to: { lat: 2 }, method: 'MEAN' } }),
  recipe('/plain', [{ key: '0', pick: { index: 0 } }, { key: '1', pick: 'all' }, { key: '2', pick: 'all' }], { decode: false, areNamed: false }),
])('the document of $path is valid', async (given) => {
  const store = await odd();
  const document = typedText(given, await store.sdl());
  expect(validate(await store.schema(), parse(document ?? ''))).toEqual([]);
}); // prettier-ignore

test('what the schema cannot express has no document', async () => {
  const sdl = await (await odd()).sdl();
  expect(typedText(recipe('/missing', []), sdl)).toBeUndefined();
  expect(typedText(recipe('/温度', [{ key: 'lat', pick: 'all' }], { decode: false }), sdl)).toBeUndefined();
  expect(typedText(recipe('/scalar', [], { field: 'f' }), sdl)).toBeUndefined();
});
