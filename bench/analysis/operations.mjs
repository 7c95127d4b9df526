/** Climatology, anomalies, weighted means and expressions, compared with xarray with flox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../folders.mjs';
import { littleEndian } from '../reduce/operations.mjs';

const month = 'by: { part: { dim: "time", part: MONTH } }';
const weights = 'using: { weights: { kind: COS_LATITUDE } }';
const values = '{ base64 { data } }';
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
};

function temperature(title, field) {
  return { title, store: 'ds', variable: 't2m', warmUp: '0:60,0:90,0:180', field, decode };
}

function wind(title, field) {
  const expression = 'sqrt(u10 ** 2 + v10 ** 2)';
  return { title, store: 'wind', expression, warmUp: '0:30,0:90,0:180', field, decode };
}

/** @param fields of the slice: the last one has the values */
function decode(fields) {
  const { base64, ...others } = fields;
  return base64 === undefined ? decode(Object.values(others)[0]) : littleEndian(Float32Array, { base64 });
}

export const analysisSuite = {
  name: 'analysis',
  operations,
  stores: {
    ds: join(dataFolder, 'gateway', 'ds.zarr'),
    wind: join(dataFolder, 'analysis', 'wind.zarr'),
  },
  script: join(import.meta.dirname, 'xarray_.py'),
  expected: join(dataFolder, 'analysis', 'expected'),
};
