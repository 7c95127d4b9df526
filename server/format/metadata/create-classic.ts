/** v2 and v1 documents of a new array. */
import { isJsonObject, type JsonObject, type JsonValue, keepFloats } from '../../core/bytes/json.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { dataTypeName, type DataType } from '../../core/dtype/data-type.js';
import { printFillV2 } from '../../core/dtype/fill-value.js';
import { numpyDescr, numpyTypestr } from '../../core/dtype/notation.js';
import { InputError } from '../../core/errors.js';
import type { CreateArrayRequest } from './create-request.js';
import { defaultChunkShape } from './default-chunks.js';
import { parseRequestedFill, type RequestedType } from './requested-type.js';
import type { Documents } from './model.js';
import { objectTypeOf, readCodec, readFilters } from './v2-codecs.js';

/** @throws InputError for an invalid request; MetadataError for invalid codecs */
export function createV2Documents(request: CreateArrayRequest, type: RequestedType): Documents {
  const { compressor, filters } = requestedCodecs(request, { id: 'zstd', level: 0 });
  const zarray: JsonObject = {
    ...commonFields(request, type, filters),
    zarr_format: 2,
    compressor,
    filters: allFilters(type, filters),
    dimension_separator: request.separator ?? '.',
  };
  const attributes = attributesOf(request);
  return Object.keys(attributes).length === 0
    ? { '.zarray': zarray }
    : { '.zarray': zarray, '.zattrs': attributes };
}

/** @throws InputError if v1 does not support the request; MetadataError for invalid codecs */
export function createV1Documents(request: CreateArrayRequest, type: RequestedType): Documents {
  const { compressor, filters } = requestedCodecs(request, {
    id: 'blosc',
    cname: 'lz4',
    clevel: 5,
    shuffle: 1,
  });
  if (filters.length > 0 || allFilters(type, filters) !== null)
    throw new InputError(
      `Zarr v1 has no filters, but data type ${dataTypeName(type.dtype)} or the request requires one; use format 2 or 3`,
    );
  if ((request.separator ?? '.') !== '.')
    throw new InputError(`separator is "${request.separator}"; Zarr v1 supports only "."`);
  const fields = commonFields(request, type, filters);
  const fill = type.dtype.name.startsWith('float') ? bareFloat(fields['fill_value']) : fields['fill_value'];
  const meta = { ...fields, fill_value: fill ?? null, zarr_format: 1, ...compressionOf(compressor) };
  return { meta, attrs: attributesOf(request) };
}

/**
 * Converts a non-finite fill value to a number. v1 has no strings for NaN and the infinities; its readers
 * expect the bare words of Python's JSON.
 */
function bareFloat(fill: JsonValue | undefined): JsonValue | undefined {
  return fill === 'NaN' || fill === 'Infinity' || fill === '-Infinity' ? Number(fill) : fill;
}

function commonFields(
  request: CreateArrayRequest,
  type: RequestedType,
  filters: readonly JsonObject[],
): JsonObject {
  if (request.shardShape !== undefined) throw new InputError('shards require Zarr v3');
  const dtype = type.dtype.name === 'unknown' ? objectTypeOf(filters) : type.dtype;
  if (dtype === undefined)
    throw new InputError(
      'the data type "|O" requires a filter that encodes objects, such as {"id": "vlen-utf8"}',
    );
  const fill =
    request.fillValue === null
      ? null
      : printFillV2(parseRequestedFill(request.fillValue, dtype, type.swaps), dtype, type.swaps);
  return {
    shape: [...request.shape],
    chunks: [...(request.chunkShape ?? defaultChunkShape(request.shape, dtype.itemSize))],
    dtype: type.numpy ?? numpyJson(dtype),
    fill_value: fill,
    order: request.order ?? 'C',
  };
}

function numpyJson(dtype: DataType): JsonValue {
  if (dtype.name === 'struct') return numpyDescr(dtype);
  return numpyTypestr(dtype) ?? '|O';
}

interface ClassicCodecs {
  readonly compressor: JsonObject | null;
  readonly filters: readonly JsonObject[];
}

function requestedCodecs({ codecs }: CreateArrayRequest, fallback: JsonObject): ClassicCodecs {
  if (codecs === undefined || codecs === null) return { compressor: fallback, filters: [] };
  const known = ['compressor', 'filters'];
  if (!isJsonObject(codecs) || Object.keys(codecs).some((key) => !known.includes(key)))
    throw new InputError(
      `codecs is ${describeJson(codecs)}; Zarr v1 and v2 require {"compressor": ..., "filters": ...}`,
    );
  const { compressor = fallback, filters } = codecs;
  return {
    compressor: compressor === null ? null : readCodec(compressor, 'compressor'),
    filters: readFilters(filters),
  };
}

/** Adds the filter that types of variable length require. Null for no filters, as written by zarr-python. */
function allFilters({ dtype }: RequestedType, filters: readonly JsonObject[]): JsonValue {
  const id =
    dtype.name === 'string' ? 'vlen-utf8' : dtype.name === 'variable_length_bytes' ? 'vlen-bytes' : undefined;
  const all = id === undefined || objectTypeOf(filters) !== undefined ? filters : [{ id }, ...filters];
  return all.length === 0 ? null : all;
}

function attributesOf({ attributes = {}, dimensionNames }: CreateArrayRequest): JsonObject {
  if (dimensionNames === undefined) return attributes;
  const isText = (name: string | null): name is string => name !== null;
  if (!dimensionNames.every(isText))
    throw new InputError(
      'each dimension name must be text in Zarr v1 and v2, which store the names in the attribute _ARRAY_DIMENSIONS',
    );
  return keepFloats({ ...attributes, _ARRAY_DIMENSIONS: dimensionNames }, attributes);
}

function compressionOf(compressor: JsonObject | null): JsonObject {
  if (compressor === null) return { compression: 'none', compression_opts: null };
  const { id, ...options } = compressor;
  switch (id) {
    case 'zlib':
    case 'bz2':
      return { compression: id, compression_opts: options['level'] ?? 1 };
    case 'blosc':
    case 'lzma':
      return { compression: id, compression_opts: options };
    default:
      throw new InputError(
        `unsupported compressor ${JSON.stringify(id)} for Zarr v1; use zlib, bz2, lzma or blosc`,
      );
  }
}
