/** Climatology, anomalies, weighted means and expressions, compared with xarray with flox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../folders.mjs';

const month = 'by: { part: { dim: "time", part: MONTH } }';
const weights = 'using: { weights: { kind: COS_LATITUDE } }';
const values = '{ values }';
const polygon = readFileSync(join(import.meta.dirname, 'polygon.json'), 'utf8');
const geometry = polygon.replaceAll(/"(\w+)":/g, '$1:');

const operations = {
  climatology: temperature('Monthly climatology', `group(${month}, reduce: MEAN) ${values}`),
  'anomaly-std': temperature(
    'Standard deviation of monthly anomalies',
    `anomaly(${month}) { reduce(by: STD, over: ["time"]) ${values} }`,
  ),
  'polygon-mean': temperature(
    'Weighted mean within a polygon, a series',
    `within(geometry: ${geometry}) { reduce(by: MEAN, over: ["lat", "lon"], ${weights}) ${values} }`,
  ),
  'weighted-mean': temperature(
    'Weighted mean of all, a series',
    `reduce(by: MEAN, over: ["lat", "lon"], ${weights}) ${values}`,
  ),
  'wind-speed': wind('Wind speed of a day', `slice(select: { text: "0" }) ${values}`),
  'wind-speed-mean': wind('Mean wind speed', `reduce(by: MEAN, over: ["time"]) ${values}`),
  several: several('Five expressions of 120 days of two variables', '0:120'),
  'several-small': several('Five expressions of 31 MB', '0:30,0:90'),
  'several-slices': {
    title: 'Mean, extremes and standard deviation of 120 days',
    store: 'ds',
    fields: (part) =>
      ['MEAN', 'MAX', 'MIN', 'STD']
        .map(
          (by) =>
            `${by}: variable(name: "t2m") { slice(select: { text: "${part}" }) { reduce(by: ${by}, over: ["time"]) ${values} } }`,
        )
        .join(' '),
    part: '0:120',
    warmUp: '0:30,0:90,0:180',
    decode,
  },
  rolling: {
    ...temperature(
      'Mean of 7 days, 30 days of values',
      `rolling(dim: "time", window: 7, by: MEAN) ${values}`,
    ),
    part: '0:30',
    decode: (fields) => decode(fields).map((value) => (Number.isNaN(value) ? 0 : value)),
  },
  hovmoller: packed('Mean of latitudes, packed', `reduce(by: MEAN, over: ["lat"]) ${values}`),
  'weighted-packed': packed(
    'Weighted mean of all, packed',
    `reduce(by: MEAN, over: ["lat", "lon"], ${weights}) ${values}`,
  ),
  comparison: { ...comparison('Comparison, 30 days of values', 'values'), part: '0:30' },
  'comparison-share': comparison(
    'Share of days above a threshold',
    `reduce(by: MEAN, over: ["time"]) ${values}`,
  ),
  layers: {
    title: 'Maxima of 1,460 layers',
    store: 'layers',
    variable: 't',
    warmUp: '0:60',
    field: `reduce(by: MAX, over: ["y", "x"]) ${values}`,
    decode,
  },
};

function temperature(title, field) {
  return { title, store: 'ds', variable: 't2m', warmUp: '0:60,0:90,0:180', field, decode };
}

function packed(title, field) {
  return { ...temperature(title, field), store: 'packed' };
}

function comparison(title, field) {
  return { ...temperature(title, field), variable: undefined, expression: 't2m > 280' };
}

function several(title, part) {
  const expressions = [
    'sqrt(u10 ** 2 + v10 ** 2)',
    'u10 * v10',
    'u10 + v10',
    'abs(u10 - v10)',
    'max(u10, v10)',
  ];
  const fields = (selected) =>
    expressions
      .map(
        (text, k) =>
          `e${k}: compute(expression: "${text}") { slice(select: { text: "${selected}" }) { reduce(by: MEAN, over: ["time"]) ${values} } }`,
      )
      .join(' ');
  return { title, store: 'wind', fields, part, warmUp: '0:30,0:30,0:180', decode };
}

function wind(title, field) {
  const expression = 'sqrt(u10 ** 2 + v10 ** 2)';
  return { title, store: 'wind', expression, warmUp: '0:30,0:90,0:180', field, decode };
}

/** The values of all fields, one after the other. */
function decode(fields) {
  const parts = [];
  const collect = (field) => {
    if (ArrayBuffer.isView(field.values)) parts.push(field.values);
    else Object.values(field).forEach(collect);
  };
  collect(fields);
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export const analysisSuite = {
  name: 'analysis',
  operations,
  stores: {
    ds: join(dataFolder, 'gateway', 'ds.zarr'),
    wind: join(dataFolder, 'analysis', 'wind.zarr'),
    packed: join(dataFolder, 'analysis', 'packed.zarr'),
    layers: join(dataFolder, 'analysis', 'layers.zarr'),
  },
  script: join(import.meta.dirname, 'xarray_.py'),
  expected: join(dataFolder, 'analysis', 'expected'),
  accept: 'application/cbor',
};
