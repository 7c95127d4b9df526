/**
 * Datasets written by xarray and libnetcdf, read over GraphQL: dimensions, coordinates, types and all
 * values equal xarray's.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway, type Gateway, fullAccess } from '../../../server/index.js';
import { NDArrayValue } from '../../../server/transport/nd-array-value.js';
import { openStoreFromUrl } from '../../../server/zarr/index.js';
import {
  caseNames,
  comparable,
  datasetsFolder,
  dtypeText,
  type ExpectedGroup,
  type ExpectedLabel,
  type ExpectedSelection,
  type ExpectedValues,
  type ExpectedVariable,
  readCase,
  shown,
  shownDates,
} from '../../dataset/expected-values.js';

describe.each(caseNames())('%s', (name) => {
  const { groups, selections } = readCase(name);
  let gateway: Gateway;
  beforeAll(() => {
    const store = openStoreFromUrl('m', join(datasetsFolder, `${name}.zarr.zip`));
    gateway = createGateway({ stores: [{ name: 'm', store }] });
  });
  afterAll(() => gateway.close());

  const readDataset = async (
    fields: string,
    variables: { readonly path: string; readonly named?: unknown },
  ) => {
    const named = variables.named === undefined ? '' : ', $named: [NamedDimSelection!]!';
    const document = `query ($path: String!${named}) { store(name: "m") { dataset(path: $path) { ${fields} } } }`;
    const { data, errors } = await gateway.execute({ document, variables }, fullAccess);
    // The response depends on the query; the expectations below access it without types.
    // eslint-disable-next-line typescript/no-explicit-any
    const found: any = data;
    return { dataset: found.store.dataset, errors: errors ?? [] };
  };

  test.each(Object.entries(groups))('the group %s', async (path, group) => {
    const { dataset, errors } = await readDataset(
      `attributes dimensions { name size coordinate { name } } variables { name kind dimensionNames shape attributes calendar slice { values } }`,
      { path },
    );
    expect(dataset.attributes).toEqual(group.attrs);
    expectDimensions(dataset.dimensions, group);
    const readable: Found[] = dataset.variables.filter((one: Found) => !(one.name in (group.errors ?? {})));
    expect(readable.map((one) => one.name).toSorted()).toEqual(Object.keys(group.variables).toSorted());
    for (const one of readable) expectVariable(one, group.variables[one.name]);
    expect(errors).toHaveLength(dataset.variables.length - readable.length);
  });

  const broken = Object.entries(groups).flatMap(([path, { errors = {} }]) =>
    Object.entries(errors).map(([variable, error]) => ({ path, variable, ...error })),
  );
  test.each(broken)('$variable in $path fails alone', async ({ path, variable, code, mentions }) => {
    const { dataset, errors } = await readDataset(
      `attributes variable(name: "${variable}") { slice { values } }`,
      { path },
    );
    expect(dataset.attributes).toEqual(groups[path]?.attrs);
    expect(errors.map(({ extensions }) => extensions['code'])).toEqual([code]);
    for (const mentioned of mentions) expect(errors[0]?.message).toContain(mentioned);
  });

  test.each(selections)('$variable at $labels and $indices', async (selection) => {
    const { dataset, errors } = await readDataset(
      `variable(name: "${selection.variable}") { slice(select: {named: $named}) {
        dimensions { name } values coordinates { name dimensions values } } }
      select(named: $named) { variable(name: "${selection.variable}") { dimensionNames slice { values } } }`,
      { path: selection.group, named: namedOf(selection) },
    );
    expect(errors).toEqual([]);
    const { slice } = dataset.variable;
    expect(slice.dimensions.map(({ name: one }: { name: string }) => one)).toEqual(selection.dims);
    expectValues(slice.values, selection.values);
    const part = dataset.select.variable;
    expect(part.dimensionNames).toEqual(selection.dims);
    expectValues(part.slice.values, selection.values);
    const coordinates: { name: string; dimensions: string[]; values: unknown }[] = slice.coordinates;
    for (const [coordinate, { dims, values }] of Object.entries(selection.coordinates)) {
      const found = coordinates.find((one) => one.name === coordinate);
      expect(found?.dimensions, coordinate).toEqual(dims);
      expectValues(found?.values, values);
    }
  });
});

interface Found {
  readonly name: string;
  readonly kind: string;
  readonly dimensionNames: readonly string[];
  readonly attributes: unknown;
  readonly calendar: string | null;
  readonly slice: { readonly values: unknown } | null;
}

function expectDimensions(
  found: readonly { name: string; size: number; coordinate: { name: string } | null }[],
  { dims, variables }: ExpectedGroup,
): void {
  expect(Object.fromEntries(found.map(({ name, size }) => [name, size]))).toEqual(dims);
  const indexes = found.flatMap(({ coordinate }) => coordinate?.name ?? []);
  const expected = Object.entries(variables).flatMap(([name, { index }]) => (index ? [name] : []));
  expect(indexes.toSorted()).toEqual(expected.toSorted());
}

function expectVariable(found: Found, expected: ExpectedVariable | undefined): void {
  if (expected === undefined) throw new TypeError(`unexpected variable ${found.name}`);
  const { name, kind, dimensionNames, attributes, calendar } = found;
  expect({ name, kind, dimensionNames, attributes, calendar }).toEqual({
    name,
    kind: expected.role.toUpperCase(),
    dimensionNames: expected.dims,
    attributes: expected.attrs,
    calendar: expected.calendar ?? expected.attrs['calendar'] ?? null,
  });
  expectValues(found.slice?.values, expected.values, expected.dtype);
}

function expectValues(found: unknown, expected: ExpectedValues, dtype?: string): void {
  if (!(found instanceof NDArrayValue)) throw new TypeError('expected values');
  if ('dates' in expected) expect(shownDates(found.block)).toEqual(expected);
  else {
    expect(comparable(shown(found.block))).toEqual(comparable(expected));
    if (dtype !== undefined) expect(dtypeText(found.block)).toBe(dtype);
  }
}

function namedOf({ labels, indices }: ExpectedSelection): unknown[] {
  return [
    ...Object.entries(labels).map(([dim, label]) => ({ dim, by: byLabel(label) })),
    ...Object.entries(indices).map(([dim, by]) => ({
      dim,
      by: typeof by === 'number' ? { index: by } : Array.isArray(by) ? { indices: by } : { slice: by },
    })),
  ];
}

/** In xarray, a partial date selects all positions within its period, even as a single label. */
function byLabel(label: ExpectedLabel): unknown {
  if ('values' in label) return { values: label.values };
  if (!('at' in label)) return { between: label };
  const { at, method = 'EXACT' } = label;
  const isSpan = typeof at === 'string' && /^-?\d{4,}(-\d\d)?$/.test(at) && method === 'EXACT';
  return isSpan ? { between: { from: at, to: at } } : { at: { value: at, method } };
}
