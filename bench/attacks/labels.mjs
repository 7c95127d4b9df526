/**
 * Attacks on coordinates with millions of labels; see `run-case.mjs`.
 *
 *     npm run build && node bench/attacks/labels.mjs [PATTERN]
 */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCase } from './run-case.mjs';

const MILLION = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), 'zarrql-labels-'));
const values = '{ shape }';

/** A dimension coordinate of equal labels and a variable, of which no chunk is stored. */
const filled = (count, dtype, chunk = count) => `
  x: createArray(input: { store: "mem", path: "x", shape: [${count}], chunkShape: [${chunk}], dtype: "${dtype}", dimensionNames: ["x"] }) { array { path } }
  v: createArray(input: { store: "mem", path: "v", shape: [${count}], chunkShape: [${chunk}], dtype: "uint8", dimensionNames: ["x"] }) { array { path } }`;

const dates = (count, chunk = count) => `
  t: createArray(input: { store: "mem", path: "t", shape: [${count}], chunkShape: [${chunk}], dtype: "int32", dimensionNames: ["t"], attributes: { units: "hours since 2000-01-01" } }) { array { path } }
  v: createArray(input: { store: "mem", path: "v", shape: [${count}], chunkShape: [${chunk}], dtype: "uint8", dimensionNames: ["t"] }) { array { path } }`;

const onFilled = (selection) => `{ store(name: "mem") { array(path: "v") { slice${selection} } } }`;
const onStored = (store, selection) =>
  `{ store(name: "${store}") { dataset { variable(name: "v") { slice${selection} } } } }`;

const steps = {
  at: (label) => `(select: { named: [{ dim: "x", by: { at: { value: ${label} } } }] }) ${values}`,
  listed: (label) => `(select: { named: [{ dim: "x", by: { values: [${label}] } }] }) ${values}`,
  between: (label) =>
    `(select: { named: [{ dim: "x", by: { between: { from: ${label}, to: ${label} } } }] }) ${values}`,
  group: () => `{ group(by: { values: { dim: "x" } }, reduce: MEAN) { values } }`,
  anomaly: () => `{ anomaly(by: { values: { dim: "x" } }) { estimate { chunks } } }`,
  reducedAnomaly: () => `{ anomaly(by: { values: { dim: "x" } }) { reduce(by: STD) { values } } }`,
  interpolate: () => `{ interpolate(at: [{ dim: "x", values: [1] }]) { values } }`,
  bins: () => `{ group(by: { bins: { dim: "x", edges: [-1, 1, 2] } }, reduce: MEAN) { values } }`,
};

const part = (name) => `{ group(by: { part: { dim: "t", part: ${name} } }, reduce: MEAN) { values } }`;
const resample = (unit) => `{ group(by: { resample: { dim: "t", unit: ${unit} } }, reduce: MEAN) { shape } }`;

/** Hours since 2000, and 60,000 categories, of an ordinary series. */
function writeSeries(count) {
  const store = join(folder, 'series.zarr');
  writeArray(store, '.', undefined);
  const [hours, categories] = [new Int32Array(count), new Int32Array(count)];
  for (let i = 0; i < count; i++) [hours[i], categories[i]] = [i, (i * 7919) % 60_000];
  writeArray(store, 't', '<i4', hours, ['t'], { units: 'hours since 2000-01-01' });
  writeArray(store, 'c', '<i4', categories, ['t']);
  writeArray(
    store,
    'v',
    '<f4',
    new Float32Array(count).map((_, i) => i % 1013),
    ['t'],
  );
  return `s=${store}`;
}

function writeStations(count, unit) {
  const store = join(folder, 'stations.zarr');
  writeArray(store, '.', undefined);
  const names = new Uint8Array(count * 12);
  const encoder = new TextEncoder();
  for (let i = 0; i < count; i++)
    encoder.encodeInto(`${unit}${String((i * 7919) % 60_000).padStart(6, '0')}`, names.subarray(i * 12));
  writeArray(store, 'x', '|S12', names, ['x']);
  writeArray(store, 'v', '<f4', new Float32Array(count), ['x']);
  return `s=${store}`;
}

function writeLatitudes(count) {
  const store = join(folder, 'tall.zarr');
  writeArray(store, '.', undefined);
  const units = (name) => ({ units: `degrees_${name}` });
  writeArray(store, 'lat', '<f8', new Float64Array(count).map((_, i) => -89 + (178 * i) / count), ['lat'], units('north'));
  writeArray(store, 'lon', '<f4', Float32Array.of(0, 1, 2, 3), ['lon'], units('east'));
  writeArray(store, 'v', '|u1', undefined, ['lat', 'lon'], {}, [count, 4]);
  return `s=${store}`;
} // prettier-ignore

function writeArray(store, name, dtype, data, dimensions, attributes = {}, shape) {
  const path = join(store, name);
  mkdirSync(path, { recursive: true });
  if (dtype === undefined) {
    writeFileSync(join(path, '.zgroup'), '{"zarr_format":2}');
    return;
  }
  const own = shape ?? [data.byteLength / Number(/\d+$/.exec(dtype)[0])];
  const meta = { zarr_format: 2, shape: own, chunks: own, dtype, fill_value: 0, order: 'C' };
  writeFileSync(join(path, '.zarray'), JSON.stringify({ ...meta, filters: null, compressor: null }));
  writeFileSync(join(path, '.zattrs'), JSON.stringify({ _ARRAY_DIMENSIONS: dimensions, ...attributes }));
  if (data !== undefined) writeFileSync(join(path, own.map(() => 0).join('.')), new Uint8Array(data.buffer));
}

/** A polygon whose outline has `rows` steps, each of which crosses all parallels between two latitudes. */
function comb(rows) {
  const ring = [[0, -80]];
  for (let i = 0; i < rows; i++) ring.push([0.5 + (i % 2), -80 + (160 * i) / rows]);
  ring.push([0, 80], [0, -80]);
  return { type: 'Polygon', coordinates: [ring] };
}

const within = (store) => ({
  query: `query($g: JSON!) { store(name: "${store}") { dataset { variable(name: "v") { slice { within(geometry: $g) { shape } } } } } }`,
  variables: { g: comb(20_000) },
});

function listedLabels(store, labels, aliases) {
  const list = Array.from({ length: aliases }, (_, i) => `a${i}: slice(select: { named: [{ dim: "x", by: { values: $v } }] }) { shape }`); // prettier-ignore
  return {
    query: `query($v: [JSON!]!) { store(name: "${store}") { dataset { variable(name: "v") { ${list.join(' ')} } } } }`,
    variables: { v: labels },
  };
}

const text = '"a"';
const cases = {};
for (const name of ['at', 'listed', 'between', 'group', 'anomaly', 'interpolate'])
  cases[`15 million texts, ${name}`] = {
    make: filled(15 * MILLION, '|S1'),
    query: onFilled(steps[name](text)),
  };
for (const name of ['at', 'listed', 'group', 'anomaly', 'reducedAnomaly', 'interpolate', 'bins'])
  for (const count of [60, 15])
    cases[`${count} million uint8, ${name}`] = { make: filled(count * MILLION, 'uint8'), query: onFilled(steps[name](1)) }; // prettier-ignore
for (const [name, selection] of Object.entries({
  'slice of groups': `{ group(by: { bins: { dim: "x", edges: [-1, 0, 1, 2] } }, reduce: MEAN) { slice(select: { text: "1:" }) { values } } }`,
  'slice of anomalies': `{ anomaly(by: { values: { dim: "x" } }) { slice(select: { text: "5:" }) { estimate { chunks } } } }`,
}))
  for (const count of [60, 15])
    cases[`${count} million uint8, ${name}`] = {
      make: filled(count * MILLION, 'uint8'),
      query: onFilled(selection),
    };
for (const name of ['MONTH', 'HOUR', 'DAY_OF_YEAR'])
  cases[`15 million dates, ${name}`] = { make: dates(15 * MILLION), query: onFilled(part(name)) };
for (const clients of [1, 30]) {
  const series = { store: () => writeSeries(8 * MILLION), clients };
  const of = (selection) => ({ ...series, query: onStored('s', selection) });
  for (const name of ['HOUR', 'DAY_OF_YEAR'])
    cases[`series of 8 million, ${name}, ${clients} clients`] = of(part(name));
  cases[`series of 8 million, resample, ${clients} clients`] = of(resample('DAY'));
  cases[`series of 8 million, anomaly STD, ${clients} clients`] = of(
    `{ anomaly(by: { values: { dim: "t", coordinate: "c" } }) { reduce(by: STD) { values } } }`,
  );
  cases[`series of 8 million, bins, ${clients} clients`] = of(
    `{ group(by: { bins: { dim: "t", edges: ["2000-01-01", "2100-01-01", "2500-01-01"] } }, reduce: MEAN) { values } }`,
  );
  cases[`series of 8 million, at, ${clients} clients`] = of(
    `(select: { named: [{ dim: "t", by: { at: { value: "2100-01-01" } } }] }) { values }`,
  );
  cases[`series of 8 million, CSV link of groups, ${clients} clients`] = of(
    `{ group(by: { resample: { dim: "t", unit: HOUR, every: 24 } }, reduce: MEAN) { href(format: CSV) } }`,
  );
  cases[`series of 8 million, CSV link of anomalies, ${clients} clients`] = of(
    `{ anomaly(by: { part: { dim: "t", part: HOUR } }) { slice(select: { text: "::8" }) { href(format: CSV) } } }`,
  );
  cases[`series of 8 million, slice of groups, ${clients} clients`] = of(
    `{ group(by: { values: { dim: "t", coordinate: "c" } }, reduce: MEAN) { slice(select: { text: "::7" }) { values } } }`,
  );
  cases[`series of 8 million, slice of anomalies, ${clients} clients`] = of(
    `{ anomaly(by: { values: { dim: "t", coordinate: "c" } }) { slice(select: { text: "::7" }) { reduce(by: MEAN) { values } } } }`,
  );
  cases[`1 million stations, group, ${clients} clients`] = {
    store: () => writeStations(MILLION, 'st'),
    query: onStored('s', `{ group(by: { values: { dim: "x" } }, reduce: MEAN) { shape } }`),
    clients,
  };
  cases[`1 million stations, anomaly, ${clients} clients`] = {
    store: () => writeStations(MILLION, 'st'),
    query: onStored('s', `{ anomaly(by: { values: { dim: "x" } }) { shape } }`),
    clients,
  };
  cases[`2 million latitudes, within, ${clients} clients`] = {
    store: () => writeLatitudes(2 * MILLION),
    ...within('s'),
    clients,
  };
}
cases['120,000 labels in 16 lists of 60,000 stations'] = {
  store: () => writeStations(60_000, 'st'),
  ...listedLabels(
    's',
    Array.from({ length: 60_000 }, (_, i) => `st${String(i).padStart(6, '0')}`),
    16,
  ),
};
cases['rolling with a long window, 20 aliases'] = {
  store: () => writeLatitudes(4000),
  query: `{ store(name: "s") { dataset { variable(name: "v") { slice { ${Array.from({ length: 20 }, (_, i) => `r${i}: rolling(dim: "lat", window: 100000, by: STD, minCount: ${i + 1}) { reduce(by: MEAN) { values } }`).join(' ')} } } } } }`,
};

const pattern = new RegExp(process.argv[2] ?? '');
try {
  for (const [name, attack] of Object.entries(cases)) if (pattern.test(name)) await runCase(name, attack);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
