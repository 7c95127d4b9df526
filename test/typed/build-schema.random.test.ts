/**
 * Random documents of the generated schema equal documents of the generic one, which are written here independently:
 * values, shape, data type, dimensions, and the codes of errors.
 */
import fc from 'fast-check';
import { type DeclaredName, declaredOperations } from '../../server/analysis/operations/table.js';
import { afterAll, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { openStoreFromUrl } from '../../server/zarr/index.js';
import { oddStore } from './odd-store.js';

const url = new URL('../../examples/data/coads.zarr', import.meta.url).href;
const gateway = createGateway({
  stores: [
    { name: 'coads', store: openStoreFromUrl('coads', url) },
    { name: 'odd', store: await oddStore() },
  ],
});
afterAll(() => gateway.close());

interface Dim {
  readonly name: string;
  readonly graphql: string;
  readonly kind: 'date' | 'longitude' | 'number' | 'integer' | 'text';
  /** Some labels of the dimension, and one that it lacks. */
  readonly labels: readonly (string | number)[];
}
interface Variable {
  readonly store: string;
  readonly group: string;
  readonly path: readonly string[];
  readonly name: string;
  readonly graphql: string;
  readonly dims: readonly Dim[];
}

const TIME: Dim = { name: 'TIME', graphql: 'TIME', kind: 'date', labels: ['0000-03', '0000-07-16T22:25:56', '0000', '0004-01'] }; // prettier-ignore
const COADSY: Dim = { name: 'COADSY', graphql: 'COADSY', kind: 'number', labels: [-9, 1, 45, 2.5] };
const COADSX: Dim = { name: 'COADSX', graphql: 'COADSX', kind: 'longitude', labels: [151, 5, -49, 181, 20] };
const time: Dim = { name: 'time', graphql: 'time', kind: 'date', labels: ['2000-01-02', '2000-01', '2001'] };
const lat: Dim = { name: 'lat', graphql: 'lat', kind: 'number', labels: [0, 1, 2, 0.4] };
const lon: Dim = { name: 'lon', graphql: 'lon', kind: 'longitude', labels: [0, 3, 361] };
const station: Dim = { name: 'station', graphql: 'station', kind: 'text', labels: ['Bern', 'Chur', 'Zug'] };
const big: Dim = { name: 'big', graphql: 'big', kind: 'integer', labels: [0, 2, 9] };
const coads = ['SST', 'UWND', 'AIRT'].map((name): Variable => ({ store: 'coads', group: '/', path: [], name, graphql: name, dims: [TIME, COADSY, COADSX] })); // prettier-ignore
const odd = (name: string, graphql: string, dims: readonly Dim[], group = '/', path: readonly string[] = []): Variable => ({ store: 'odd', group, path, name, graphql, dims }); // prettier-ignore
const variables: readonly Variable[] = [
  ...coads,
  odd('2m temperature', 'x2m_temperature', [time, lat, lon]),
  odd('t.2', 't_2_c2105c', [time]),
  odd('Ünïcode', 'Unicode', [lat, lon]),
  odd('rain', 'rain', [station, time]),
  odd('along big', 'along_big', [big]),
  odd('deep', 'deep', [time, lat], '/group with space', ['group_with_space']),
];

/** A part of a document in both forms. */
interface Both {
  readonly typed: string;
  readonly generic: string;
}

const text = (value: string | number): string => JSON.stringify(value);
const wrapOf = ({ kind }: Dim): string => (kind === 'longitude' ? ', wrap: 360' : '');

function selectionOf(dim: Dim): fc.Arbitrary<Both> {
  const label = fc.constantFrom(...dim.labels);
  const position = fc.integer({ min: -2, max: 3 });
  const list = fc.array(label, { minLength: 1, maxLength: 3 });
  const wrap = wrapOf(dim);
  const forms: fc.Arbitrary<Both>[] = [
    label.map((value) => ({ typed: `at: ${text(value)}`, generic: `at: {value: ${text(value)}${wrap}}` })),
    fc.tuple(label, label).map(([from, to]) => ({ typed: `between: {from: ${text(from)}, to: ${text(to)}}`, generic: `between: {from: ${text(from)}, to: ${text(to)}${wrap}}` })), // prettier-ignore
    list.map((values) => ({ typed: `values: [${values.map(text).join(', ')}]`, generic: `values: [${values.map(text).join(', ')}]` })), // prettier-ignore
    position.map((i) => ({ typed: `index: ${i}`, generic: `index: ${i}` })),
    fc.tuple(position, position).map(([a, b]) => ({ typed: `slice: {start: ${a}, stop: ${b}}`, generic: `slice: {start: ${a}, stop: ${b}}` })), // prettier-ignore
    fc.array(position, { maxLength: 3 }).map((all) => ({ typed: `indices: [${all.join(', ')}]`, generic: `indices: [${all.join(', ')}]` })), // prettier-ignore
  ];
  if (dim.kind !== 'text') forms.push(label.map((value) => ({ typed: `near: ${text(value)}`, generic: `at: {value: ${text(value)}, method: NEAREST${wrap}}` }))); // prettier-ignore
  if (dim.kind === 'date') forms.push(label.map((value) => ({ typed: `during: ${text(value)}`, generic: `between: {from: ${text(value)}, to: ${text(value)}}` }))); // prettier-ignore
  return fc.oneof(...forms);
}

/** Arguments of a field, and a list of named selections. */
function selectionsOf(dims: readonly Dim[]): fc.Arbitrary<Both> {
  return fc.subarray([...dims], { maxLength: Math.min(2, dims.length) }).chain((chosen) =>
    fc.tuple(...chosen.map(selectionOf)).map((selections) => ({
      typed: chosen.length === 0 ? '' : `(${chosen.map(({ graphql }, i) => `${graphql}: {${selections[i]?.typed}}`).join(', ')})`,
      generic: `[${chosen.map(({ name }, i) => `{dim: ${text(name)}, by: {${selections[i]?.generic}}}`).join(', ')}]`,
    })),
  ); // prettier-ignore
}

/** A declared operation with its required arguments. */
function along(name: DeclaredName, dims: readonly Dim[]): fc.Arbitrary<Both> {
  const required = declaredOperations[name].parameters.filter(({ isRequired, type }) => isRequired && type !== 'dimension'); // prettier-ignore
  const args = required
    .map((one) => `, ${one.name}: ${Object.keys(one.enum?.values ?? { 2: '' })[0]}`)
    .join('');
  return fc.constantFrom(...dims).map((dim) => ({
    typed: `${name}(along: ${dim.graphql}${args})`,
    generic: `${name}(dim: ${text(dim.name)}${args})`,
  }));
}

function operationOf(dims: readonly Dim[]): fc.Arbitrary<Both> {
  const over = fc.subarray([...dims], { minLength: 1 });
  const method = fc.constantFrom(['mean', 'MEAN'], ['sum', 'SUM'], ['min', 'MIN'], ['max', 'MAX'], ['std', 'STD'], ['median', 'MEDIAN'], ['count', 'COUNT']); // prettier-ignore
  const dates = dims.find(({ kind }) => kind === 'date');
  const forms: fc.Arbitrary<Both>[] = [
    method.map(([field, by]) => ({ typed: `${field}`, generic: `reduce(by: ${by})` })),
    fc.tuple(method, over).map(([[field, by], names]) => ({ typed: `${field}(over: [${names.map(({ graphql }) => graphql).join(', ')}])`, generic: `reduce(by: ${by}, over: [${names.map(({ name }) => text(name)).join(', ')}])` })), // prettier-ignore
    over.map((names) => ({ typed: `quantile(q: [0.25, 1], over: [${names.map(({ graphql }) => graphql).join(', ')}])`, generic: `reduce(by: QUANTILE, using: {q: [0.25, 1]}, over: [${names.map(({ name }) => text(name)).join(', ')}])` })), // prettier-ignore
    fc.tuple(fc.constantFrom(...dims), fc.integer({ min: 1, max: 4 })).map(([{ name, graphql }, size]) => ({ typed: `coarsen(${graphql}: ${size}, _method: MAX)`, generic: `coarsen(to: [{dim: ${text(name)}, size: ${size}}], method: MAX)` })), // prettier-ignore
    fc.tuple(fc.constantFrom(...dims), fc.integer({ min: 1, max: 3 })).map(([{ name, graphql }, size]) => ({ typed: `rolling(along: ${graphql}, window: ${size}, by: MEAN, center: true)`, generic: `rolling(dim: ${text(name)}, window: ${size}, by: MEAN, center: true)` })), // prettier-ignore
    ...(['cumulative', 'difference', 'shift', 'runs', 'rank', 'sort', 'top', 'fill'] as const).map((name) =>
      along(name, dims),
    ),
  ];
  if (dates !== undefined) {
    forms.push(
      fc.constantFrom('MONTH', 'SEASON', 'DAY_OF_YEAR').map((part) => ({ typed: `climatology(part: ${part}, by: MEAN)`, generic: `group(by: {part: {dim: ${text(dates.name)}, part: ${part}}}, reduce: MEAN)` })), // prettier-ignore
      fc.constantFrom('MONTH', 'SEASON').map((part) => ({ typed: `anomaly(part: ${part})`, generic: `anomaly(by: {part: {dim: ${text(dates.name)}, part: ${part}}})` })), // prettier-ignore
      fc.constantFrom('YEAR', 'MONTH', 'DAY').map((unit) => ({ typed: `resample(unit: ${unit}, every: 2, by: SUM)`, generic: `group(by: {resample: {dim: ${text(dates.name)}, unit: ${unit}, every: 2}}, reduce: SUM)` })), // prettier-ignore
    );
  }
  const numeric = dims.filter(({ kind }) => kind === 'number' || kind === 'longitude');
  if (numeric.length > 0) forms.push(fc.constantFrom(...numeric).map(({ name, graphql, kind }) => ({ typed: `interpolate(${graphql}: [0.5, 1.5])`, generic: `interpolate(at: [{dim: ${text(name)}, values: [0.5, 1.5]${kind === 'longitude' ? ', wrap: 360' : ''}}])` }))); // prettier-ignore
  return fc.oneof(...forms);
}

const shown = 'shape values(nonFinite: STRING) dtype { name } dimensions { name size }';
const cases = fc.constantFrom(...variables).chain(
  (variable) =>
  fc.tuple(fc.constant(variable), selectionsOf(variable.dims), fc.array(operationOf(variable.dims), { maxLength: 2 }), fc.oneof(fc.constant({ typed: '', generic: '' }), fc.constant({ typed: '', generic: '' }), selectionsOf(variable.dims))), // prettier-ignore
);

test('random documents', async () => {
  const compared = new Map(variables.map(({ name }) => [name, 0]));
  let failed = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ([variable, first, operations, last]) => {
      const { store, group, path, name, graphql } = variable;
      const steps = [...operations, ...(last.typed === '' ? [] : [{ typed: `select${last.typed}`, generic: `slice(select: {named: ${last.generic}})` }])]; // prettier-ignore
      const nest = (parts: readonly string[]): string => parts.reduceRight((inner, part) => `${part} { ${inner} }`, shown); // prettier-ignore
      const typed = `{ ${nest([...path, `${graphql}${first.typed}`, ...steps.map((step) => step.typed)])} }`;
      const generic = `{ ${nest([`store(name: ${text(store)})`, `dataset(path: ${text(group)})`, `variable(name: ${text(name)})`, `slice(select: {named: ${first.generic}})`, ...steps.map((step) => step.generic)])} }`; // prettier-ignore
      const one = await gateway.as(fullAccess).forStore(store).execute({ document: typed });
      const other = await gateway.execute({ document: generic }, fullAccess);
      const codes = (errors: typeof one.errors) => errors?.map(({ extensions }) => extensions['code']) ?? [];
      expect(codes(one.errors), `${typed}\n${generic}\n${one.errors?.[0]?.message}`).toEqual(codes(other.errors)); // prettier-ignore
      if (one.errors !== undefined) failed += 1;
      else {
        const leaf = (data: unknown, depth: number): unknown => {
          let at: unknown = JSON.parse(JSON.stringify(data));
          for (let i = 0; i < depth; i++)
            at = typeof at === 'object' && at !== null ? Object.values(at)[0] : at;
          return at;
        };
        const [depth, genericDepth] = [path.length + 1 + steps.length, 4 + steps.length];
        expect(leaf(one.data, depth), typed).toEqual(leaf(other.data, genericDepth));
        compared.set(name, (compared.get(name) ?? 0) + 1);
      }
    }),
    { numRuns: 250 },
  );
  // Most documents have results, and some fail in both forms.
  for (const [name, count] of compared) expect(count, name).toBeGreaterThan(0);
  expect([...compared.values()].reduce((a, b) => a + b)).toBeGreaterThan(80);
  expect(failed).toBeGreaterThan(10);
});
