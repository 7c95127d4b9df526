/** The URL, the requests and the generated code of the explorer, and insertions by the panel of GraphiQL. */
import fc from 'fast-check';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { operationsOf, type Recipe, requestOf } from '../explorer/src/array/recipe.js';
import { insertionAt } from '../explorer/src/graphiql/editor.js';
import { curlText, pythonText, typescriptText } from '../explorer/src/share/code-text.js';
import { graphqlText } from '../explorer/src/share/graphql-text.js';
import { formatLink, parseLink } from '../explorer/src/state/link.js';
import { emptyView, methods, parts, reductions, type View } from '../explorer/src/state/view.js';

const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.includes('/'));
const index = fc.nat(2 ** 31);
const span = fc
  .tuple(index, fc.integer({ min: 1, max: 1000 }))
  .map(([start, n]) => [start, start + n] as const);
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const dictionary = <T>(values: fc.Arbitrary<T>) =>
  fc.dictionary(name, values, { maxKeys: 4, noNullPrototype: true });
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

const views: fc.Arbitrary<View> = fc.record({
  store: name,
  path: fc.array(name, { maxLength: 3 }).map((names) => `/${names.join('/')}`),
  field: maybe(name),
  x: maybe(name),
  y: maybe(name),
  at: dictionary(index),
  over: dictionary(fc.constantFrom(...reductions)),
  span: dictionary(span),
  range: maybe(span),
  isMarked: fc.boolean(),
  palette: fc.constantFrom('viridis', 'vik'),
  low: maybe(finite),
  high: maybe(finite),
  isLog: fc.boolean(),
  method: maybe(fc.constantFrom(...methods)),
  hasTable: fc.boolean(),
  beside: maybe(name),
  hasScatter: fc.boolean(),
  rgb: maybe(name),
  part: fc.constantFrom(...parts),
  minus: maybe(fc.record({ store: maybe(name), path: name, at: dictionary(index) })),
  written: fc.constant(undefined),
  besideLow: maybe(finite),
  besideHigh: maybe(finite),
  map: maybe(
    fc.record({
      zoom: fc.double({ min: 0, max: 22, noNaN: true }).map((value) => value + 0),
      latitude: fc.double({ min: -85, max: 85, noNaN: true }).map((value) => value + 0),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value + 0),
    }),
  ),
});

test('a view round-trips through its URL', () => {
  fc.assert(
    fc.property(views, (view) => {
      expect(parseLink(formatLink(view))).toEqual(view);
    }),
  );
});

test('any fragment is parsed as a view', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      const { at, span: spans } = parseLink(`#/${text}`);
      for (const position of Object.values(at))
        expect(Number.isSafeInteger(position) && position >= 0).toBe(true);
      for (const [start, stop] of Object.values(spans)) expect(start < stop).toBe(true);
    }),
  );
});

test('malformed parts of a fragment are ignored', () => {
  const view = parseLink(
    '#/s/a?at.t=-1&at.u=1e400&at.v=3&span.x=5:5&span.y=2:1e9:3&over.z=DROP&low=NaN&method=x&range=9:1&map=99/0/0',
  );
  expect(view).toEqual({ ...emptyView, store: 's', path: '/a', at: { v: 3 } });
  expect(parseLink(`#/s?${'a'.repeat(20_000)}`)).toEqual(emptyView);
  expect(parseLink('#/%E0%A4%A/x').store).toBe('%E0%A4%A');
});

test('selections of an address are text', () => {
  const view = {
    ...emptyView,
    store: 's',
    path: '/a',
    at: { time: 2, lat: 4 },
    span: { lat: [3, 9] as const },
  };
  expect(formatLink(view)).toBe('#/s/a?select=time=#2,lat=[3:9]&at=lat=#4');
  const naming = {
    labelText: (dim: string) => (dim === 'time' ? '2021-03' : undefined),
    rangeText: () => '-5..5',
  };
  expect(formatLink(view, naming)).toBe('#/s/a?select=time=2021-03,lat=-5..5&at=lat=#4');
  const odd = { ...emptyView, store: 's', path: '/a', at: { 'a&b c': 1 } };
  expect(formatLink(odd)).toBe('#/s/a?select=a%26b%20c=#1');
  expect(parseLink(formatLink(odd))).toEqual(odd);
});

test('labels of an address are kept for the page that knows the array, and positions are not', () => {
  const text = '#/s/a?select=time=2021-03,x=[2:4]&minus=/b&minusat=time=2020';
  const view = parseLink(text);
  expect(view).toMatchObject({
    at: {},
    span: {},
    written: { select: 'time=2021-03,x=[2:4]', minusAt: 'time=2020' },
  });
  expect(formatLink(view)).toBe('#/s/a?select=time=2021-03,x=[2:4]&minus=/b&minusat=time=2020');
  expect(parseLink('#/s/a?select=time=#3,x=2:4')).toMatchObject({
    at: { time: 3 },
    span: { x: [2, 4] },
    written: undefined,
  });
  expect(parseLink('#/s/a?select=time=').written?.select).toBe('time=');
});

test('addresses of earlier versions select positions', () => {
  const view = parseLink('#/coads/SST?at.TIME=6&span.COADSX=80:140&minus=/A&minus.TIME=2&mark=1');
  expect(view).toMatchObject({
    at: { TIME: 6 },
    span: { COADSX: [80, 140] },
    minus: { path: '/A', at: { TIME: 2 } },
  });
});

// The requests of the explorer, and the code that it generates.

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

test('operations refer to dimensions by name', () => {
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

test('without names, operations count the remaining dimensions', () => {
  expect(operationsOf(unnamed)).toEqual([
    { reduce: { by: 'MAX', over: ['0'] } },
    { coarsen: { to: [{ dim: '0', size: 20 }], method: 'NEAREST' } },
  ]);
});

test.each([recipe, unnamed, { ...recipe, store: '"\n}', path: '/a\'b"/c' }])(
  'the document can be parsed: recipe %#',
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

test('TypeScript code reads the slice with lazySlice', () => {
  expect(typescriptText(recipe, 'http://127.0.0.1:4000/graphql'))
    .toBe(`import { createClient } from 'zarrql-client';
import { lazySlice } from 'zarrql-client/analysis';

const client = createClient({ url: 'http://127.0.0.1:4000/graphql' });
const variable = client.store('coads').dataset().variable('SST');
const values = await lazySlice(variable, { TIME: 3, LAT: [10, 50] }).mean('DEPTH').coarsen({ LAT: 20 }).read();
console.log(values.shape, values.data);
`);
});

/** The line with `text` inserted by the GraphiQL panel; the cursor is at `|`. */
function inserted(line: string, text: string): string {
  const plain = line.replace('|', '');
  const { start, end, text: added } = insertionAt(plain, line.indexOf('|'), text);
  return plain.slice(0, start) + added + plain.slice(end);
}

test.each([
  ['array(path: "/AI|RT") {', 'array(path: "/SST") {'],
  ['array(path: |"/AIRT") {', 'array(path: "/SST") {'],
  ['array(path: ""|) {', 'array(path: "/SST") {'],
  ['array(path: |) {', 'array(path: "/SST") {'],
  ['a(b: "x", path: "q\\"|z", c: "y")', 'a(b: "x", path: "/SST", c: "y")'],
  ['array(path: "/unfini|shed', 'array(path: "/SST"'],
  ['at: { value: -12|.5 }', 'at: { value: "/SST" }'],
  ['dimension1 |', 'dimension1 "/SST"'],
  ['|', '"/SST"'],
])('insertion into %s', (line, expected) => {
  expect(inserted(line, '"/SST"')).toBe(expected);
});
