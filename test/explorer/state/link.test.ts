/** The URL of the explorer contains the complete view. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatLink, parseLink } from '../../../explorer/src/state/link.js';
import { emptyView, methods, reductions, type View } from '../../../explorer/src/state/view.js';

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
  palette: fc.constantFrom('viridis', 'balance'),
  low: maybe(finite),
  high: maybe(finite),
  isLog: fc.boolean(),
  method: maybe(fc.constantFrom(...methods)),
  hasTable: fc.boolean(),
  beside: maybe(name),
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

test('any other address is some view', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      const { at, span: spans } = parseLink(`#/${text}`);
      for (const position of Object.values(at))
        expect(Number.isSafeInteger(position) && position >= 0).toBe(true);
      for (const [start, stop] of Object.values(spans)) expect(start < stop).toBe(true);
    }),
  );
});

test('hostile parts are ignored', () => {
  const view = parseLink(
    '#/s/a?at.t=-1&at.u=1e400&at.v=3&span.x=5:5&span.y=2:1e9:3&over.z=DROP&low=NaN&method=x&range=9:1&map=99/0/0',
  );
  expect(view).toEqual({ ...emptyView, store: 's', path: '/a', at: { v: 3 } });
  expect(parseLink(`#/s?${'a'.repeat(20_000)}`)).toEqual(emptyView);
  expect(parseLink('#/%E0%A4%A/x').store).toBe('%E0%A4%A');
});
