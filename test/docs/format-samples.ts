/**
 * One sample array per data type and codec for the support tables of docs/formats.md. The sample stores with their names
 * from `npm start`. The code blocks of documentation pages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../../server/index.js';
import type { CreateArrayRequest, JsonObject, JsonValue, ZarrFormat } from '../../server/zarr/index.js';
import { folderStore } from '../client/in-process.js';

type Request = Omit<CreateArrayRequest, 'shape'>;

export interface Sample {
  /** Name in the opened arrays of fixtures. */
  readonly name: string;
  /** Markdown for the names in v3, and in v2 and v1. */
  readonly shown: string;
  readonly classic: string;
  /** Absent for formats without this type. */
  readonly requests: Readonly<Partial<Record<ZarrFormat, Request>>>;
  /** The value that is written to both elements. */
  readonly value: unknown;
}

const code = (text: string) => `\`${text}\``;

function fixed(
  name: string,
  shown: JsonValue,
  typestr: string,
  value: unknown = 1,
  more: readonly string[] = [],
): Sample {
  const spelled = [typeof shown === 'string' ? shown : JSON.stringify(shown), ...more];
  const classic = { dtype: typestr };
  return {
    name,
    shown: spelled.map(code).join(', '),
    classic: code(typestr),
    requests: { 1: classic, 2: classic, 3: { dtype: shown } },
    value,
  };
}

/** Variable-length types: a filter over `|O` in v2, and a separate type in v3 unless `shown` is undefined. */
function objects(
  name: string,
  shown: string | undefined,
  filter: JsonObject & { readonly id: string },
  value: unknown,
  more: string[] = [],
): Sample {
  return {
    name,
    shown: shown === undefined ? '-' : [shown, ...more].map(code).join(', '),
    classic: `${code('|O')} with ${code(filter.id)}`,
    requests: {
      2: { dtype: '|O', codecs: { filters: [filter] } },
      ...(shown === undefined ? {} : { 3: { dtype: shown } }),
    },
    value,
  };
}

const structFields = [{ name: 'a', data_type: 'int32' }, { name: 'b', data_type: 'float64' }]; // prettier-ignore
const time = { unit: 'ns', scale_factor: 1 };

export const typeSamples: readonly Sample[] = [
  fixed('bool', 'bool', '|b1', true),
  fixed('int8', 'int8', '|i1'),
  ...['int16', 'int32', 'int64'].map((name, i) => fixed(name, name, `<i${2 ** (i + 1)}`)),
  fixed('uint8', 'uint8', '|u1'),
  ...['uint16', 'uint32', 'uint64'].map((name, i) => fixed(name, name, `<u${2 ** (i + 1)}`)),
  ...['float16', 'float32', 'float64'].map((name, i) => fixed(name, name, `<f${2 ** (i + 1)}`)),
  fixed('complex64', 'complex64', '<c8', [1, 2], ['complex_float32']),
  fixed('complex128', 'complex128', '<c16', [1, 2], ['complex_float64']),
  fixed('numpy.datetime64', { name: 'numpy.datetime64', configuration: time }, '<M8[ns]', '2020-01-01'),
  fixed('numpy.timedelta64', { name: 'numpy.timedelta64', configuration: time }, '<m8[ns]', 5),
  fixed('null_terminated_bytes', { name: 'null_terminated_bytes', configuration: { length_bytes: 3 } }, '|S3', 'ab'),
  fixed('fixed_length_utf32', { name: 'fixed_length_utf32', configuration: { length_bytes: 12 } }, '<U3', 'añ'),
  fixed('raw_bytes', { name: 'raw_bytes', configuration: { length_bytes: 2 } }, '|V2', 'AAE='),
  {
    name: 'raw_bits',
    shown: `${code('r8')}, ${code('r16')}, ...`,
    classic: '-',
    requests: { 3: { dtype: 'r16' } },
    value: 'AAE=',
  },
  {
    name: 'struct',
    shown: `${code('struct')}, ${code('structured')}`,
    classic: code('[["a", "<i4"], ["b", "<f8"]]'),
    requests: {
      1: { dtype: '[["a", "<i4"], ["b", "<f8"]]' },
      2: { dtype: '[["a", "<i4"], ["b", "<f8"]]' },
      3: { dtype: { name: 'struct', configuration: { fields: structFields } } },
    },
    value: { a: 1, b: 2.5 },
  },
  objects('string', 'string', { id: 'vlen-utf8' }, 'text'),
  objects('variable_length_bytes', 'variable_length_bytes', { id: 'vlen-bytes' }, 'AAE=', ['bytes', 'binary']),
  objects('json', undefined, { id: 'json2' }, 'any JSON'),
  objects('ragged', undefined, { id: 'vlen-array', dtype: '<i4' }, [1, 2]),
]; // prettier-ignore

/** Position of a codec in a v3 chain. */
type CodecPosition = 'before bytes' | 'instead of bytes' | 'after bytes' | 'bytes';

interface CodecOptions {
  readonly v3?: JsonObject;
  readonly v2?: JsonObject;
  readonly dtype?: JsonValue;
  readonly v2dtype?: JsonValue;
  readonly position?: CodecPosition;
  /** Compressor in v2, not a filter. */
  readonly compressor?: boolean;
  readonly v1?: boolean;
  readonly value?: unknown;
  /** v3 names; the first one is used in the sample. */
  readonly names?: readonly string[];
  /** The only format with this codec. Absent if both have it. */
  readonly only?: 2 | 3;
}

const bytes = { name: 'bytes', configuration: { endian: 'little' } };

function codec(name: string, options: CodecOptions = {}): Sample {
  const { v3 = {}, v2 = v3, dtype = 'int32', v2dtype = dtype, position = 'after bytes', value = 1 } = options;
  const names = options.names ?? [`numcodecs.${name}`, name];
  const spec = { name: names[0] ?? name, configuration: v3 };
  const chains: Readonly<Record<CodecPosition, JsonValue[]>> = {
    'before bytes': [spec, bytes],
    'instead of bytes': [spec],
    'after bytes': [bytes, spec],
    bytes: [spec],
  };
  const id: JsonObject = { id: name, ...v2 };
  const classic =
    options.compressor === true ? { compressor: id } : { compressor: null, filters: [id] };
  return {
    name,
    shown: options.only === 2 ? '-' : names.map(code).join(', '),
    classic: options.only === 3 ? '-' : code(name),
    requests: {
      ...(options.v1 === true ? { 1: { dtype: v2dtype, codecs: { compressor: id } } } : {}),
      ...(options.only === 3 ? {} : { 2: { dtype: v2dtype, codecs: classic } }),
      ...(options.only === 2 ? {} : { 3: { dtype, codecs: chains[position] } }),
    },
    value,
  };
} // prettier-ignore

const compressor = { compressor: true } as const;
const numbers = { position: 'before bytes' } as const;
const texts = { dtype: 'string', v2dtype: '|O', position: 'instead of bytes', value: 'a' } as const;

export const codecSamples: readonly Sample[] = [
  codec('bytes', { names: ['bytes', 'endian'], v3: { endian: 'little' }, position: 'bytes', only: 3 }),
  codec('transpose', { names: ['transpose'], v3: { order: [0] }, position: 'before bytes', only: 3 }),
  codec('sharding_indexed', {
    names: ['sharding_indexed'],
    v3: { chunk_shape: [1], codecs: [bytes], index_codecs: [bytes, { name: 'crc32c' }] },
    position: 'instead of bytes',
    only: 3,
  }),
  codec('blosc', {
    names: ['blosc', 'numcodecs.blosc'],
    v3: { cname: 'lz4', clevel: 5, shuffle: 'shuffle', typesize: 4, blocksize: 0 },
    v2: { cname: 'lz4', clevel: 5, shuffle: 1 },
    v1: true,
    ...compressor,
  }),
  codec('zstd', { names: ['zstd', 'numcodecs.zstd'], v3: { level: 1, checksum: false }, ...compressor }),
  codec('gzip', { names: ['gzip', 'numcodecs.gzip'], v3: { level: 1 }, ...compressor }),
  codec('zlib', { v3: { level: 1 }, v1: true, ...compressor }),
  codec('bz2', { v3: { level: 1 }, v1: true, ...compressor }),
  codec('lzma', { v3: { format: 1, check: -1, preset: null, filters: null }, v1: true, ...compressor }),
  codec('lz4', { v3: { acceleration: 1 }, ...compressor }),
  codec('pcodec', { v3: { level: 8 }, position: 'instead of bytes', ...compressor }),
  codec('crc32c', { names: ['crc32c', 'numcodecs.crc32c'] }),
  codec('crc32'),
  codec('adler32'),
  codec('fletcher32'),
  codec('jenkins_lookup3'),
  codec('shuffle', { v3: { elementsize: 4 } }),
  codec('base64'),
  codec('delta', { names: ['numcodecs.delta'], v3: { dtype: '<i4' }, ...numbers }),
  codec('fixedscaleoffset', {
    names: ['numcodecs.fixedscaleoffset'],
    v3: { offset: 0, scale: 10, dtype: '<f8', astype: '<i4' },
    dtype: 'float64',
    ...numbers,
  }),
  codec('quantize', {
    names: ['numcodecs.quantize'],
    v3: { digits: 2, dtype: '<f8' },
    dtype: 'float64',
    ...numbers,
  }),
  codec('bitround', {
    names: ['bitround', 'numcodecs.bitround'],
    v3: { keepbits: 3 },
    dtype: 'float32',
    ...numbers,
  }),
  codec('astype', {
    names: ['numcodecs.astype'],
    v3: { encode_dtype: '<i2', decode_dtype: '<i4' },
    ...numbers,
  }),
  codec('scale_offset', { names: ['scale_offset'], v3: { offset: 0, scale: 2 }, only: 3, ...numbers }),
  codec('cast_value', { names: ['cast_value'], v3: { data_type: 'int16' }, only: 3, ...numbers }),
  codec('reshape', { names: ['reshape'], v3: { shape: [[0]] }, only: 3, ...numbers }),
  codec('conditional', {
    names: ['conditional'],
    v3: { codecs: [{ name: 'gzip', configuration: { level: 1 } }] },
    only: 3,
  }),
  codec('n5_default', {
    names: ['n5_default'],
    v3: {
      codecs: [
        { name: 'transpose', configuration: { order: [0] } },
        { name: 'bytes', configuration: { endian: 'big' } },
      ],
    },
    position: 'instead of bytes',
    only: 3,
  }),
  codec('packbits', { names: ['numcodecs.packbits', 'packbits'], dtype: 'bool', value: true, ...numbers }),
  codec('vlen-utf8', { names: ['vlen-utf8', 'numcodecs.vlen-utf8'], ...texts }),
  codec('vlen-bytes', {
    names: ['vlen-bytes', 'numcodecs.vlen-bytes'],
    dtype: 'variable_length_bytes',
    v2dtype: '|O',
    position: 'instead of bytes',
    value: 'AAE=',
  }),
  codec('vlen-array', { v3: { dtype: '<i4' }, v2dtype: '|O', value: [1, 2], only: 2 }),
  codec('json2', texts),
  codec('msgpack2', texts),
  codec('categorize', { v3: { labels: ['a', 'b'], dtype: '|O', astype: '|u1' }, ...texts }),
];

export const root = join(import.meta.dirname, '../..');

const folders = {
  ocean: 'ocean',
  winds: 'winds',
  relief: 'relief',
  coads: 'coads',
  navy_winds: 'navy_winds_v2',
  etopo20: 'etopo20_sharded',
};

/** @param names of the stores @default all */
export function sampleStores(names: readonly string[] = Object.keys(folders)): Gateway {
  const served = Object.entries(folders).filter(([name]) => names.includes(name));
  const stores = served.map(([name, folder]) =>
    folderStore(name, join(root, `examples/data/${folder}.zarr`)),
  );
  return createGateway({ stores });
}

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

export interface CodeBlock {
  /** The info string: "json variables". */
  readonly info: string;
  readonly code: string;
  readonly line: number;
}

/** The fenced code blocks of a Markdown text, in order. */
export function codeBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(/^```([^\n]+)\n([^]*?)^```$/gm)].map(({ index, 1: info = '', 2: code = '' }) => ({
    info,
    code,
    line: text.slice(0, index).split('\n').length,
  }));
}
