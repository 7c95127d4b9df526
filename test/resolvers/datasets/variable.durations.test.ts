/** Durations as text wherever a label is accepted, on coordinates of each kind; counts are those of the decoded type. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../../server/index.js';
import { openStoreFromUrl } from '../../../server/zarr/index.js';
import { datasetsFolder } from '../../dataset/expected-values.js';
import { execute } from '../gateway-client.js';

const kinds = ['decoded', 'seconds', 'counted', 'native'] as const;
const gateway = createGateway({
  stores: kinds.map((name) => ({
    name,
    store: openStoreFromUrl(name, join(datasetsFolder, `durations-${name}-v3.zarr.zip`)),
  })),
});
afterAll(() => gateway.close());

/** 48 hours in the decoded type. */
const twoDays = { decoded: '172800000000000', seconds: '172800', counted: 48, native: '172800' };

const read = async (name: string, fields: string) => {
  const { data, errors } = await execute(gateway, `{ store(name: "${name}") { dataset { ${fields} } } }`);
  expect(errors).toEqual([]);
  return data.store.dataset;
};

describe.each(kinds)('%s', (name) => {
  test('values, coordinates and labels have the same unit', async () => {
    const label = JSON.stringify(twoDays[name]);
    const { variable, lead } = await read(
      name,
      `lead: variable(name: "lead") { slice(select: {text: "#3"}) { values } }
       variable(name: "t") { slice(select: {named: [{dim: "lead", by: {at: {value: ${label}}}}]}) { values coordinates { name values } } }`,
    );
    expect(lead.slice.values).toEqual(twoDays[name]);
    expect(variable.slice).toEqual({ values: 3, coordinates: [{ name: 'lead', values: twoDays[name] }] });
  });

  test('selections as text', async () => {
    const { variable } = await read(
      name,
      `variable(name: "t") {
        one: slice(select: {text: "lead=48h"}) { values }
        near: slice(select: {text: "lead=~PT11H"}) { values }
        list: slice(select: {text: "lead=(P2D, 0s)"}) { values }
        range: slice(select: {text: "lead=6h..2d"}) { values }
        quoted: slice(select: {text: "lead='2 days 00:00:00'"}) { values } }`,
    );
    expect(variable).toEqual({
      one: { values: 3 },
      near: { values: 2 },
      list: { values: [3, 0] },
      range: { values: [1, 2, 3] },
      quoted: { values: 3 },
    });
  });

  test('conditions, interpolation, bins and lines', async () => {
    const { variable, share } = await read(
      name,
      `share: compute(expression: "lead > 'PT6H'") { values }
       variable(name: "t") {
         where: slice(select: {named: [{dim: "lead", by: {where: "lead >= '12h' and lead != 'P2D'"}}]}) { values }
         slice {
           interpolate(at: [{dim: "lead", values: ["9h", "P2D"]}]) { values }
           group(by: {bins: {dim: "lead", edges: ["-1h", "12h", "20d"]}}, reduce: SUM) { values }
           line(width: 100, from: "6h", to: "12h") { y { values } } } }`,
    );
    expect(share.values).toEqual([false, false, true, true, true]);
    expect(variable.where.values).toEqual([2, 4]);
    expect(variable.slice.interpolate.values).toEqual([1.5, 3]);
    expect(variable.slice.group.values).toEqual([3, 7]);
    expect(variable.slice.line.y.values).toEqual([0, 1, 2, 3]);
  });

  test('the schema of the store', async () => {
    const typed = gateway.as(fullAccess).forStore(name);
    const label = name === 'counted' ? '{label: {value: "48h"}}' : '{at: "48h"}';
    const { data, errors } = await typed.execute({ document: `{ t(lead: ${label}) { value } }` });
    expect(errors).toBeUndefined();
    expect(data).toEqual({ t: { value: 3 } });
  });
});

test('durations of different units are aligned by their length, and never with numbers', async () => {
  const input = (store: string) =>
    `compute(expression: "a + t", inputs: [{name: "a", slice: {store: "${store}", path: "t", select: {text: "lead=6h.."}}}]) { values coordinates { values } }`;
  const { compute } = await read('decoded', input('seconds'));
  expect(compute).toEqual({
    values: [2, 4, 6, 8],
    coordinates: [{ values: ['21600', '43200', '172800', '864000'] }],
  });
  const document = `{ store(name: "decoded") { dataset { ${input('counted')} } } }`;
  const { errors } = await execute(gateway, document);
  expect(errors[0]?.message).toContain('the labels along "lead" are of different kinds: numbers, durations');
});

test('text that is no duration of the coordinate says what is', async () => {
  const document =
    '{ store(name: "native") { array(path: "t") { slice(select: {text: "lead=today"}) { values } } } }';
  const { errors } = await execute(gateway, document);
  expect(errors[0]?.message).toContain('durations ("48h", "PT48H", or counts of s)');
});
