/** The operations, with their queries for zarrql and the comparison with the results of NumPy in float64. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../folders.mjs';
import { titiler } from './titiler.mjs';

/**
 * @param operation of a suite: `field` of `variable`, or of the values of `expression`, in `store`, or `fields` of its
 * dataset; in `part` or all of it
 * @param isWarmUp whether to compute only a small part
 */
export function documentOf({ store, variable, expression, warmUp, part, field, fields }, isWarmUp = false) {
  const selected = isWarmUp ? warmUp : part;
  if (fields !== undefined) return `{ store(name: "${store}") { dataset { ${fields(selected)} } } }`;
  const inPart =
    selected !== undefined
      ? `slice(select: { text: "${selected}" }) { ${field} }`
      : variable === undefined
        ? field
        : `slice { ${field} }`;
  const own =
    variable === undefined
      ? `computed: compute(expression: "${expression}") { ${inPart} }`
      : `variable(name: "${variable}") { ${inPart} }`;
  return `{ store(name: "${store}") { dataset { ${own} } } }`;
}

export function littleEndian(type, { base64 }) {
  const bytes = Buffer.from(base64.data, 'base64');
  return new type(new Uint8Array(bytes).buffer);
}

/** Relative tolerance, for peers that add float32 values in float32. */
const TOLERANCE = 2e-4;

/** @returns a description of the difference; undefined if there is none. */
export function faultOf({ expected: folder }, name, result) {
  const file = readFileSync(join(folder, `${name}.f8`));
  const expected = new Float64Array(new Uint8Array(file).buffer);
  if (result.length !== expected.length)
    return `wrong result: got ${result.length} numbers, expected ${expected.length}`;
  const i = expected.findIndex(
    (value, n) => !(Math.abs(result[n] - value) <= TOLERANCE * Math.max(1, Math.abs(value))),
  );
  return i < 0 ? undefined : `wrong result: number ${i} is ${result[i]}, expected ${expected[i]}`;
}

const reduced = (by, over) => `reduce(by: ${by}, over: ${JSON.stringify(over)}) { base64 { data } }`;
const summary = 'count min max mean std quantiles(q: [0.02, 0.5, 0.98])';
const bins = 'histogram(bins: 64, range: { min: 200, max: 320 }) { counts }';

/** Relative to 1970, because the dates are read as seconds. */
const SECONDS_TO_2000 = 946_684_800;

/**
 * `field` of `variable` in `store`. `warmUp` selects the part to compute before the measurements. `decode` converts the
 * field's value to numbers.
 */
const operations = {
  'mean-time': cube('Mean over time', reduced('MEAN', ['time']), decodeFloats),
  'mean-space': cube('Mean over space', reduced('MEAN', ['lat', 'lon']), decodeFloats),
  'mean-all': cube('Mean of all', reduced('MEAN', ['time', 'lat', 'lon']), decodeFloats),
  'std-time': cube('Standard deviation over time', reduced('STD', ['time']), decodeFloats),
  'median-time': cube('Median over time', reduced('MEDIAN', ['time']), decodeFloats),
  statistics: cube(
    'Statistics of all, 3 quantiles and 64 bins',
    `statistics { ${summary} ${bins} }`,
    decodeStatistics,
  ),
  'line-numbers': line('Line of 1e7 points, numbers', 'byDistance', (x) => littleEndian(Float64Array, x)),
  'line-dates': line('Line of 1e7 points, dates', 'byTime', (x) =>
    Array.from(littleEndian(BigInt64Array, x), (seconds) => Number(seconds) - SECONDS_TO_2000),
  ),
  coarsen: {
    title: 'Map of 9600x9600 to 800x800 pixels',
    store: 'map',
    variable: 'height',
    warmUp: '0:480,0:480',
    field: 'coarsen(to: [{ dim: "lat", size: 800 }, { dim: "lon", size: 800 }]) { base64 { data } }',
    decode: decodeFloats,
  },
};

function cube(title, field, decode) {
  return { title, store: 'ds', variable: 't2m', warmUp: '0:30,0:90,0:180', field, decode };
}

function line(title, variable, decodeX) {
  const [x, y] = ['x { base64 { data } }', 'y { base64 { data } }'];
  return {
    title,
    store: 'lines',
    variable,
    warmUp: '0:500000',
    field: `line(width: 800) { ${x} ${y} }`,
    decode: ({ line: { x, y } }) => [...decodeX(x), ...littleEndian(Float32Array, y)],
  };
}

const stores = {
  ds: join(dataFolder, 'gateway', 'ds.zarr'),
  lines: join(dataFolder, 'reduce', 'lines.zarr'),
  map: join(dataFolder, 'reduce', 'map.zarr'),
};

function decodeFloats({ reduce, coarsen }) {
  return littleEndian(Float32Array, reduce ?? coarsen);
}

function decodeStatistics({ statistics: { count, min, max, mean, std, quantiles, histogram } }) {
  return [Number(count), min, max, mean, std, ...quantiles, ...histogram.counts.map(Number)];
}

export const reduceSuite = {
  name: 'reduce',
  operations,
  stores,
  script: join(import.meta.dirname, 'xarray_.py'),
  expected: join(dataFolder, 'reduce', 'expected'),
  others: { titiler: (name) => titiler(stores, name) },
};
