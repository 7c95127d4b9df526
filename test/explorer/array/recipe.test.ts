/** The requests of the explorer, and the code that it generates. */
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { operationsOf, type Recipe, requestOf } from '../../../explorer/src/array/recipe.js';
import { curlText, pythonText, typescriptText } from '../../../explorer/src/share/code-text.js';
import { graphqlText } from '../../../explorer/src/share/graphql-text.js';

const recipe: Recipe = {
  store: 'coads',
  path: '/SST',
  decode: true,
  areNamed: true,
  dims: [
    { key: 'TIME', pick: { index: 3 } },
    { key: 'DEPTH', pick: 'all' },
    { key: 'LAT', pick: { span: [10, 50] } },
  ],
  reductions: [{ by: 'MEAN', over: ['DEPTH'] }],
  coarsen: { to: { LAT: 20 }, method: undefined },
};
const unnamed: Recipe = {
  ...recipe,
  decode: false,
  areNamed: false,
  dims: recipe.dims.map(({ pick }, d) => ({ key: String(d), pick })),
  reductions: [{ by: 'MAX', over: ['1'] }],
  coarsen: { to: { '2': 20 }, method: 'NEAREST' },
};

test('steps by name', () => {
  expect(requestOf(recipe)).toEqual({
    store: 'coads',
    path: '/SST',
    decode: true,
    steps: [
      {
        select: {
          named: [
            { dim: 'TIME', by: { index: 3 } },
            { dim: 'LAT', by: { slice: { start: 10, stop: 50 } } },
          ],
        },
      },
      { reduce: { by: 'MEAN', over: ['DEPTH'] } },
      { coarsen: { to: [{ dim: 'LAT', size: 20 }] } },
    ],
  });
});

test('without names, operations count the dimensions that are left', () => {
  expect(operationsOf(unnamed)).toEqual([
    { reduce: { by: 'MAX', over: ['0'] } },
    { coarsen: { to: [{ dim: '0', size: 20 }], method: 'NEAREST' } },
  ]);
});

test.each([recipe, unnamed, { ...recipe, store: '"\n}', path: '/a\'b"/c' }])(
  'the document is valid',
  (each) => {
    expect(() => parse(graphqlText(each))).not.toThrow();
  },
);

test('a name in generated code remains a string', () => {
  const hostile = { ...recipe, store: `'); alert("1`, path: `/x'\\` };
  expect(typescriptText(hostile, 'http://h/graphql')).toContain(String.raw`client.store('\'); alert("1')`);
  expect(pythonText({ ...recipe, store: '"""' }, 'http://h/graphql')).not.toContain('"""\\"""');
  expect(curlText({ ...recipe, store: `it's` }, 'http://h/graphql')).toContain(String.raw`it'\''s`);
});

test('code for TypeScript', () => {
  expect(typescriptText(recipe, 'http://127.0.0.1:4000/graphql'))
    .toBe(`import { createClient } from 'zarrql-client';
import { lazySlice } from 'zarrql-client/analysis';

const client = createClient({ url: 'http://127.0.0.1:4000/graphql' });
const variable = client.store('coads').dataset().variable('SST');
const values = await lazySlice(variable, { TIME: 3, LAT: [10, 50] }).mean('DEPTH').coarsen({ LAT: 20 }).read();
console.log(values.shape, values.data);
`);
});
