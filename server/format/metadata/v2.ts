/**
 * Resolves v2 metadata (`.zarray`, `.zgroup`, `.zattrs`; Zarr storage specification version 2, "Metadata").
 */
import { widenedType } from './stored-type.js';
import { dataTypeName } from '../../core/dtype/data-type.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from '../../core/bytes/json.js';
import type { CodecRegistry } from '../codec/codec.js';
import { largestShapeOf, regularGrid } from '../grid.js';
import { parseFillV2 } from '../../core/dtype/fill-value.js';
import { parseNumpyType, type NumpyType } from '../../core/dtype/notation.js';
import { MetadataError, UnsupportedError } from '../../core/errors.js';
import {
  readAttributes,
  choiceOf,
  readLengths,
  readShape,
  requireObject,
  attributeDimensionNames,
  resolveStoredChain,
} from './fields.js';
import type { ArrayMeta, GroupMeta, MetadataOptions } from './model.js';
import { assertStorageBounds } from './storage-bounds.js';
import {
  chainSpecs,
  hasUnstatedSize,
  isShuffleOfZero,
  objectTypeOf,
  readCodec,
  readFilters,
  shownSpecs,
  withNetcdfSizes,
  type ClassicStorage,
} from './v2-codecs.js';

/**
 * @param zattrs document with the attributes, if there is one
 * @throws MetadataError for an invalid document; UnsupportedError for a zarr_format above 3; LimitError for
 * metadata beyond the bounds
 */
export function resolveV2Array(
  zarray: JsonValue,
  zattrs: JsonValue | undefined,
  registry: CodecRegistry,
  { netcdfShuffle = hasNczarrNote([zarray, zattrs]) || undefined }: MetadataOptions = {},
): ArrayMeta {
  const document = requireObject(zarray, '.zarray');
  checkFormat(document, 2, '.zarray');
  assertStorageBounds(document, '.zarray');
  const attributes = readAttributes(zattrs, '.zattrs');
  const filters = readFilters(document['filters']);
  const compressor = document['compressor'];
  const type = readType(document['dtype'] ?? null, filters);
  const isAmbiguous = hasUnstatedSize(filters, type.dtype);
  const storage = {
    ...type,
    order: choiceOf(document['order'], ['C', 'F'], 'order'),
    filters: netcdfShuffle === true ? withNetcdfSizes(filters, type.dtype) : filters,
    compressor: compressor === null || compressor === undefined ? null : readCodec(compressor, 'compressor'),
  };
  const separator = document['dimension_separator'];
  const classic = resolveClassic(document, storage, registry, 2);
  return {
    ...classic,
    zarrFormat: 2,
    attributes,
    documents: zattrs === undefined ? { '.zarray': zarray } : { '.zarray': zarray, '.zattrs': zattrs },
    keys: {
      encoding: 'v2',
      separator:
        separator === undefined || separator === null
          ? '.'
          : choiceOf(separator, ['.', '/'], 'dimension_separator'),
    },
    dimensionNames: attributeDimensionNames(attributes, document, classic.shape.length),
    netcdfShuffle: isAmbiguous && netcdfShuffle === true,
    warnings: isAmbiguous && netcdfShuffle === undefined ? [UNSTATED_SIZE_WARNING] : [],
  };
}

const UNSTATED_SIZE_WARNING =
  'the filter "shuffle" has "elementsize": 0, which libnetcdf and numcodecs interpret differently, ' +
  'and nothing shows that libnetcdf wrote the array; values are read as numcodecs reads them; ' +
  'if they look like noise, set netcdfShuffle to true for the store';

/**
 * Whether the parent groups of a node determine its metadata: a filter has an ambiguous size, and the node
 * itself does not show its writer.
 */
export function dependsOnWriter(zarray: JsonValue | undefined, zattrs: JsonValue | undefined): boolean {
  if (!isJsonObject(zarray) || hasNczarrNote([zarray, zattrs])) return false;
  const { filters } = zarray;
  return isJsonList(filters) && filters.some(isShuffleOfZero);
}

/**
 * @throws MetadataError for an invalid document; UnsupportedError for a zarr_format above 3. Keys other than
 * zarr_format are allowed, because NCZarr adds some.
 */
export function resolveV2Group(zgroup: JsonValue, zattrs: JsonValue | undefined): GroupMeta {
  checkFormat(requireObject(zgroup, '.zgroup'), 2, '.zgroup');
  return {
    kind: 'group',
    zarrFormat: 2,
    attributes: readAttributes(zattrs, '.zattrs'),
    documents: zattrs === undefined ? { '.zgroup': zgroup } : { '.zgroup': zgroup, '.zattrs': zattrs },
  };
}

type ClassicMeta = Omit<ArrayMeta, 'zarrFormat' | 'attributes' | 'documents' | 'keys' | 'dimensionNames'>;

/** Resolves the metadata that v1 and v2 have in common. */
export function resolveClassic(
  document: JsonObject,
  storage: Omit<ClassicStorage, 'rank'>,
  registry: CodecRegistry,
  format: 1 | 2,
): ClassicMeta {
  const shape = readShape(document['shape']);
  const chunks = readLengths(document['chunks'], 'chunks', 0);
  // Older writers store a chunk length of 0 for dimensions of length 0.
  const grid = regularGrid(
    shape,
    chunks.map((length, d) => (length === 0 && shape[d] === 0 ? 1 : length)),
  );
  const fillJson = document['fill_value'] ?? null;
  const widened = widenedType(storage.dtype, fillJson, format);
  const { dtype, fill } = widened ?? {
    dtype: storage.dtype,
    fill: parseFillV2(fillJson, storage.dtype, storage.swaps, format),
  };
  const shown = chainSpecs({ ...storage, dtype: widened?.stored ?? dtype, rank: shape.length });
  const specs = widened === undefined ? shown : [widened.spec, ...shown];
  return {
    kind: 'array',
    shape,
    dtype,
    dtypeName: dataTypeName(dtype),
    storedType: widened === undefined ? undefined : dataTypeName(storage.dtype),
    fill,
    fillJson,
    order: storage.order,
    grid,
    codecs: shownSpecs(shown),
    violations: [],
    warnings: [],
    netcdfShuffle: false,
    chain:
      unknownObjects(storage) ??
      resolveStoredChain(registry, specs, { dtype, shape: largestShapeOf(grid), fill }),
  };
}

/**
 * The chain of an array of objects whose filter is unknown, or rejected like pickle; the reason names the
 * filter.
 * @returns undefined for any other array
 */
function unknownObjects({ dtype, filters }: Omit<ClassicStorage, 'rank'>): ArrayMeta['chain'] | undefined {
  if (dtype.name !== 'unknown' || !isObjectTypestr(dtype.given)) return undefined;
  return {
    unsupported: `unsupported filter ${describeJson(filters[0]?.['id'])} for objects`,
  };
}

function isObjectTypestr(text: string): boolean {
  return /^[<>|]O/.test(text);
}

/** @throws UnsupportedError for a zarr_format above 3; MetadataError for any other value except `wanted` */
export function checkFormat(document: JsonObject, wanted: number, name: string): void {
  const format = document['zarr_format'];
  if (format === wanted) return;
  const message = `${name}: zarr_format is ${describeJson(format)}; expected ${wanted}`;
  throw typeof format === 'number' && format > 3 ? new UnsupportedError(message) : new MetadataError(message);
}

/** The filter determines the data type of an object array. If the filter is unknown, so is the data type. */
function readType(json: JsonValue, filters: ClassicStorage['filters']): NumpyType {
  const type = parseNumpyType(json);
  if (typeof json !== 'string' || !isObjectTypestr(json)) return type;
  if (filters.length === 0)
    throw new MetadataError(
      'dtype "|O" requires a filter that encodes objects (such as vlen-utf8); add one to "filters"',
    );
  return { dtype: objectTypeOf(filters) ?? type.dtype, swaps: [] };
}

/**
 * Whether a node has NCZarr metadata: a key `_nczarr_*` (`_NCZARR_*` in older versions), either in the
 * attributes or in the metadata document itself. libnetcdf adds one to every array, except in plain Zarr
 * mode.
 */
function hasNczarrNote(documents: readonly (JsonValue | undefined)[]): boolean {
  return documents.some(
    (document) => isJsonObject(document) && Object.keys(document).some((key) => /^_nczarr_/i.test(key)),
  );
}
