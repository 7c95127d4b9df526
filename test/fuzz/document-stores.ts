/** The stores that generated documents read: small data of many kinds, and the same with damaged metadata. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../interop/random.js';
import { mutateJson } from './mutate-json.js';

interface Variable {
  readonly dims: readonly string[];
  readonly dtype: unknown;
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly attributes?: object;
  readonly fill?: unknown;
  /** The single chunk that is stored. */
  readonly data?: Uint8Array;
}

const LONGEST = 2 ** 53 - 1;
const size = { t: 24, lat: 6, lon: 8 } as const;

function bytesOf(array: ArrayBufferView<ArrayBuffer>): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function numbers(count: number, valueOf: (i: number) => number): Uint8Array {
  return bytesOf(Float64Array.from({ length: count }, (_, i) => valueOf(i)));
}

function coordinate(name: string, data: Uint8Array, attributes: object): Variable {
  const length = data.length / 8;
  return { dims: [name], dtype: 'float64', shape: [length], chunk: [length], data, attributes };
}

const dates = (calendar: string) => ({ units: 'days since 2000-01-01', calendar, standard_name: 'time' });
const monthly = numbers(size.t, (i) => i * 30.4);

const variables: Readonly<Record<string, Variable>> = {
  lat: coordinate('lat', numbers(size.lat, (i) => 50 - i * 20), { units: 'degrees_north' }),
  lon: coordinate('lon', numbers(size.lon, (i) => i * 45), { units: 'degrees_east' }),
  t: coordinate('t', monthly, dates('standard')),
  u: coordinate('u', monthly, dates('360_day')),
  n: { dims: ['n'], dtype: 'int64', shape: [4], chunk: [4], data: bytesOf(BigInt64Array.of(1n, 2n, 2n ** 53n + 1n, 2n ** 62n)) },
  s: { dims: ['s'], dtype: 'string', shape: [5], chunk: [5], fill: 'a' },
  sst: { dims: ['t', 'lat', 'lon'], dtype: 'float32', shape: [size.t, size.lat, size.lon], chunk: [5, 4, 8], fill: 'NaN', attributes: { units: 'K', scale_factor: 0.5 } },
  v: { dims: ['u', 'lat'], dtype: 'float64', shape: [size.t, size.lat], chunk: [size.t, size.lat], data: numbers(size.t * size.lat, (i) => Math.sin(i)) },
  flags: { dims: ['lat', 'lon'], dtype: 'uint8', shape: [size.lat, size.lon], chunk: [6, 8], attributes: { flag_values: [0, 1, 2], flag_meanings: 'a b c' } },
  longs: { dims: ['n', 'lat'], dtype: 'int64', shape: [4, 6], chunk: [4, 6], fill: '9007199254740993' },
  stations: { dims: ['s', 't'], dtype: 'int16', shape: [5, 24], chunk: [5, 24], fill: 7 },
  truth: { dims: ['lat', 'lon'], dtype: 'bool', shape: [6, 8], chunk: [6, 8], fill: true },
  complex: { dims: ['lat'], dtype: 'complex64', shape: [6], chunk: [6], fill: [1, 'NaN'] },
  when: { dims: ['lat'], dtype: { name: 'numpy.datetime64', configuration: { unit: 's', scale_factor: 1 } }, shape: [6], chunk: [6], fill: 'NaT' },
  scalar: { dims: [], dtype: 'float64', shape: [], chunk: [], fill: 3 },
  empty: { dims: ['e', 'lat'], dtype: 'float32', shape: [0, 6], chunk: [1, 6] },
  none: { dims: ['i', 'z'], dtype: 'uint8', shape: [0, LONGEST], chunk: [1, 10] },
  lists: { dims: ['z', 'i'], dtype: 'uint8', shape: [LONGEST, 0], chunk: [10, 1] },
  long: { dims: ['z'], dtype: 'uint8', shape: [LONGEST], chunk: [2 ** 30] },
  many: { dims: ['w'], dtype: 'int16', shape: [3_000_000], chunk: [1_000_000], fill: 5 },
  w: { dims: ['w'], dtype: 'int32', shape: [3_000_000], chunk: [3_000_000], fill: 2 },
}; // prettier-ignore

export const variableNames: readonly string[] = Object.keys(variables);
export const dimensionNames: readonly string[] = [
  ...new Set(Object.values(variables).flatMap(({ dims }) => dims)),
];

function documentOf({ dims, dtype, shape, chunk, attributes = {}, fill }: Variable): string {
  const textCodecs =
    dtype === 'string' ? ['vlen-utf8'] : [{ name: 'bytes', configuration: { endian: 'little' } }];
  return JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: dtype,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: 'default' },
    fill_value: fill ?? (dtype === 'bool' ? false : 0),
    codecs: textCodecs,
    dimension_names: dims,
    attributes,
  });
}

/** Attributes with a meaning, and values of them that a hostile store may have. */
const hostileAttributes = [
  ['flag_values', [null]], ['flag_masks', [null]], ['flag_values', [1.5, 'x']], ['flag_meanings', 'a'], ['units', 'days since x'],
  ['units', 'seconds since 9999999-01-01'], ['units', 7], ['calendar', 'none'], ['calendar', '360_day'], ['scale_factor', 'x'],
  ['scale_factor', 0], ['add_offset', 1e308], ['_FillValue', null], ['missing_value', [1, 2]], ['valid_range', [5]],
  ['valid_min', 'NaN'], ['coordinates', 'lat lat x'], ['cell_measures', 'area: lat'], ['bounds', 'lat'], ['_Unsigned', 'true'],
  ['grid_mapping', 'scalar'], ['standard_name', 'latitude'], ['multiscales', [{ datasets: [{ path: 'v' }], axes: null }]],
] as const; // prettier-ignore

/** Writes the store. @param random damages some of its documents */
export function writeDocumentStore(folder: string, random?: Random): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (key: string, data: string | Uint8Array): void => {
    const path = join(folder, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, data);
  };
  write('zarr.json', '{"zarr_format":3,"node_type":"group","attributes":{}}');
  for (const [name, variable] of Object.entries(variables)) {
    const { data, shape } = variable;
    write(`${name}/zarr.json`, random === undefined ? documentOf(variable) : damaged(variable, random));
    if (data !== undefined) write(`${name}/c${'/0'.repeat(shape.length)}`, data);
  }
}

function damaged(variable: Variable, random: Random): string {
  if (random.chance(0.5)) return documentOf(variable);
  const more = Object.fromEntries(
    Array.from({ length: random.int(0, 2) }, () => random.choose(hostileAttributes)),
  );
  const document = documentOf({ ...variable, attributes: { ...variable.attributes, ...more } });
  const mutated = random.chance(0.4) ? mutateJson(Buffer.from(document), random) : undefined;
  return mutated === undefined ? document : Buffer.from(mutated).toString();
}
