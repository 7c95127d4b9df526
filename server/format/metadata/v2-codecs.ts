/**
 * Converts v2's filters and compressor (and v1's compression) to the equivalent v3 codec chain: order F is
 * a transpose, the byte order belongs to `bytes`, an object filter is the array-to-bytes codec, everything
 * else works on bytes. Filters receive the chunk in the array's order and in the stored byte order (v2,
 * "Filters").
 *
 * Some numcodecs filters have two forms: as v3 codecs they convert arrays to arrays; in v2 they convert
 * bytes to bytes, with the data type and byte order of their configuration. The second form has the name
 * `v2.<id>` in the registry; both are displayed as `numcodecs.<id>`.
 */
import { swapsOf } from '../../core/dtype/families.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../../core/bytes/json.js';
import { assertCodecCount } from '../codec/chain.js';
import type { CodecSpec } from '../codec/codec.js';
import { readNumpyType } from '../codec/configuration.js';
import { nearestZstdLevel } from '../codec/compression/zstd.js';
import { sameSwaps, type ByteSwap } from '../../core/dtype/byte-order.js';
import { type DataType, isNumberName } from '../../core/dtype/data-type.js';
import { parseNumpyType, numpyTypestr } from '../../core/dtype/notation.js';
import { MetadataError } from '../../core/errors.js';

/** The parts of v1 and v2 metadata that describe the storage of a chunk. */
export interface ClassicStorage {
  readonly dtype: DataType;
  readonly swaps: readonly ByteSwap[];
  readonly rank: number;
  readonly order: 'C' | 'F';
  /** Configurations of numcodecs, in the order of encoding. */
  readonly filters: readonly JsonObject[];
  readonly compressor: JsonObject | null;
}

const arrayFilters = ['delta', 'fixedscaleoffset', 'quantize', 'astype', 'packbits', 'bitround'];
const objectFilters = ['vlen-utf8', 'vlen-bytes', 'vlen-array', 'json2', 'msgpack2', 'categorize'];

/**
 * Reads v2's list of filters; null, absent and [] are equivalent.
 * @throws MetadataError for any other value; LimitError for too many filters
 */
export function readFilters(json: JsonValue | undefined): readonly JsonObject[] {
  if (json === null || json === undefined) return [];
  if (!isJsonList(json))
    throw new MetadataError(
      `filters is ${describeJson(json)}; expected null or a list of codec configurations`,
    );
  assertCodecCount(json.length, 'filters');
  return json.map((filter, i) => readCodec(filter, `filters[${i}]`));
}

/** Whether an array has a filter `shuffle` with an `elementsize` of 0 that changes its bytes in libnetcdf. */
export function hasUnstatedSize(filters: readonly JsonObject[], { itemSize }: DataType): boolean {
  return itemSize !== null && itemSize > 1 && filters.some(isShuffleOfZero);
}

export function isShuffleOfZero(filter: JsonValue): boolean {
  return isJsonObject(filter) && filter['id'] === 'shuffle' && filter['elementsize'] === 0;
}

/** Replaces an `elementsize` of 0 with the size of the data type, which is its meaning in libnetcdf. */
export function withNetcdfSizes(filters: readonly JsonObject[], dtype: DataType): readonly JsonObject[] {
  return filters.map((filter) =>
    isShuffleOfZero(filter) ? { ...filter, elementsize: dtype.itemSize ?? 0 } : filter,
  );
}

/** @throws MetadataError unless it is an object with an id */
export function readCodec(json: JsonValue | undefined, field: string): JsonObject {
  if (isJsonObject(json) && typeof json['id'] === 'string') return json;
  throw new MetadataError(`${field} is ${describeJson(json)}; expected an object with the codec's "id"`);
}

/**
 * The data type of an `|O` array, determined by its first filter; undefined if that does not encode objects.
 */
export function objectTypeOf(filters: readonly JsonObject[]): DataType | undefined {
  const [first] = filters;
  switch (first?.['id']) {
    case 'vlen-utf8':
    case 'categorize':
      return { name: 'string', itemSize: null };
    case 'vlen-bytes':
      return { name: 'variable_length_bytes', itemSize: null };
    case 'json2':
    case 'msgpack2':
      return { name: 'json', itemSize: null };
    case 'vlen-array':
      return { name: 'ragged', itemSize: null, item: parseNumpyType(first?.['dtype'] ?? null).dtype };
    default:
      return undefined;
  }
}

/**
 * Converts the storage to a codec chain with the registry's names.
 * @throws MetadataError for an invalid option
 */
export function chainSpecs(storage: ClassicStorage): CodecSpec[] {
  const specs: CodecSpec[] = [];
  if (storage.order === 'F' && storage.rank > 1) {
    const order = Array.from({ length: storage.rank }, (_, d) => storage.rank - 1 - d);
    specs.push({ name: 'transpose', configuration: { order } });
  }
  const { filters, compressor } = storage;
  const passed = passedOn(storage);
  const [first] = filters;
  const objects = first !== undefined && objectFilters.includes(idOf(first));
  specs.push(
    objects ? { name: objectName(idOf(first)), configuration: optionsOf(first) } : bytesSpec(storage),
  );
  filters.forEach((filter, i) => {
    if (!objects || i > 0) specs.push(bytesToBytesSpec(filter, passed[i]));
  });
  if (compressor !== null) specs.push(bytesToBytesSpec(compressor, passed[filters.length]));
  return specs;
}

/** Converts the names of a codec chain to those for display. */
export function shownSpecs(specs: readonly CodecSpec[]): CodecSpec[] {
  return specs.map((spec) => ({ ...spec, name: spec.name.replace(/^v2\./, 'numcodecs.') }));
}

function bytesSpec({ dtype, swaps }: ClassicStorage): CodecSpec {
  const all = swapsOf(dtype);
  if (all.length === 0) return { name: 'bytes', configuration: {} };
  if (swaps.length === 0) return { name: 'bytes', configuration: { endian: 'little' } };
  if (sameSwaps(swaps, all)) return { name: 'bytes', configuration: { endian: 'big' } };
  const list = swaps.map(({ offset, unit, count }) => ({ offset, unit, count }));
  return { name: 'bytes', configuration: { endian: 'mixed', swaps: list } };
}

function objectName(id: string): string {
  return id === 'vlen-utf8' || id === 'vlen-bytes' ? id : `numcodecs.${id}`;
}

/** Texts that GDAL writes in compressor options, as in its creation options, with the values they represent. */
const gdalWords: Readonly<Record<string, JsonValue>> = {
  NONE: 0, BYTE: 1, BIT: 2, '0': 0, '1': 1, '2': 2, YES: true, NO: false,
}; // prettier-ignore

function plain(option: JsonValue): JsonValue {
  return typeof option === 'string' && Object.hasOwn(gdalWords, option)
    ? (gdalWords[option] ?? option)
    : option;
}

const shuffles: Readonly<Record<number, string>> = { 0: 'noshuffle', 1: 'shuffle', 2: 'bitshuffle' };

function bytesToBytesSpec(codec: JsonObject, passed: Passed | undefined): CodecSpec {
  const id = idOf(codec);
  const options = optionsOf(codec);
  switch (id) {
    case 'gzip':
      return { name: 'gzip', configuration: { level: options['level'] ?? 1 } };
    case 'zstd':
      return {
        name: 'zstd',
        configuration: {
          level: nearestZstdLevel(options['level'] ?? 0),
          checksum: plain(options['checksum'] ?? false),
        },
      };
    case 'blosc':
      return { name: 'blosc', configuration: bloscOptions(options, bloscSize(passed?.size ?? 1)) };
    case 'bitround':
    case 'pcodec':
      // Unlike the other codecs of numbers, they have no data type in their configuration.
      return {
        name: `v2.${id}`,
        configuration: passed?.typestr === undefined ? options : { ...options, dtype: passed.typestr },
      };
    case 'shuffle':
      // The value 4 is numcodecs' default for all data types.
      return { name: 'numcodecs.shuffle', configuration: { elementsize: 4, ...options } };
    default:
      return { name: `${arrayFilters.includes(id) ? 'v2' : 'numcodecs'}.${id}`, configuration: options };
  }
}

/**
 * Converts options of blosc. numcodecs' shuffle of -1 means bit shuffle for single bytes and byte shuffle
 * otherwise.
 */
function bloscOptions(options: JsonObject, typeSize: number): JsonObject {
  const shuffle = plain(options['shuffle'] ?? 1);
  const name =
    shuffle === -1
      ? typeSize === 1
        ? 'bitshuffle'
        : 'shuffle'
      : typeof shuffle === 'number'
        ? shuffles[shuffle]
        : undefined;
  if (name === undefined)
    throw new MetadataError(`blosc's shuffle is ${describeJson(shuffle)}; expected -1, 0, 1 or 2`);
  return {
    cname: options['cname'] ?? 'lz4',
    clevel: options['clevel'] ?? 5,
    shuffle: name,
    typesize: typeSize,
    blocksize: options['blocksize'] ?? 0,
  };
}

/** The input of a filter or compressor. */
interface Passed {
  /** Size of an element in bytes; 1 for plain bytes. */
  readonly size: number;
  /** NumPy's type string with the byte order, for numbers. */
  readonly typestr: string | undefined;
}

/** The input of each filter and, as the last entry, of the compressor. */
function passedOn({ dtype, swaps, filters }: ClassicStorage): Passed[] {
  let passed: Passed = {
    size: dtype.itemSize ?? 1,
    typestr: isNumberName(dtype.name) ? numpyTypestr(dtype, swaps.length > 0 ? '>' : '<') : undefined,
  };
  const list = [passed];
  for (const filter of filters) {
    const id = idOf(filter);
    const options = ['astype', 'encode_dtype', ...(id === 'delta' ? ['dtype'] : [])];
    const option = options.find((name) => typeof filter[name] === 'string');
    const typestr = option === undefined ? undefined : filter[option];
    if (option !== undefined && typeof typestr === 'string') {
      const size = readNumpyType(id, filter, option).dtype.itemSize ?? 1;
      passed = { size, typestr };
    } else if (id !== 'bitround' && id !== 'quantize') passed = { size: 1, typestr: undefined };
    list.push(passed);
  }
  return list;
}

/** The element size that c-blosc uses. It treats elements of more than 255 bytes as single bytes. */
function bloscSize(size: number): number {
  return size < 1 || size > 255 ? 1 : size;
}

function idOf(codec: JsonObject): string {
  const { id } = codec;
  return typeof id === 'string' ? id : '';
}

function optionsOf(codec: JsonObject): JsonObject {
  const { id: _, ...options } = codec;
  return options;
}
