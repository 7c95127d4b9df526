/**
 * Resolves v3 metadata (`zarr.json`; Zarr core specification version 3, "Metadata"). v3's `codecs`: names or
 * {name, configuration, must_understand} (core specification, "Codecs" and "Extensions").
 */
import { widenedType } from './stored-type.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { isJsonObject, type JsonObject, type JsonValue, isJsonList } from '../../core/bytes/json.js';
import { checkKeys, parseNamed } from '../../core/bytes/named-json.js';
import { type ChunkGrid, type ChunkKeys, largestShapeOf, regularGrid } from '../grid.js';
import { assertMultiples, readRectilinearGrid } from './rectilinear.js';
import { assertCodecCount } from '../codec/chain.js';
import type { CodecRegistry, CodecChain, CodecSpec } from '../codec/codec.js';
import { dataTypeName } from '../../core/dtype/data-type.js';
import { parseFillV3, zeroElement } from '../../core/dtype/fill-value.js';
import { parseDataType } from '../../core/dtype/notation.js';
import { MetadataError, UnsupportedError } from '../../core/errors.js';
import {
  readAttributes,
  choiceOf,
  readLengths,
  readShape,
  requireObject,
  resolveStoredChain,
} from './fields.js';
import type { AnyMeta, ArrayMeta, GroupMeta } from './model.js';
import { assertStorageBounds } from './storage-bounds.js';
import { checkFormat } from './v2.js';

const groupKeys = ['zarr_format', 'node_type', 'attributes', 'consolidated_metadata'];
const arrayKeys = [
  ...groupKeys, 'shape', 'data_type', 'chunk_grid', 'chunk_key_encoding', 'codecs', 'fill_value', 'dimension_names',
  'storage_transformers',
]; // prettier-ignore

/**
 * @throws MetadataError for an invalid document; UnsupportedError for a zarr_format above 3, an unknown key,
 * chunk grid or chunk key encoding, or a storage transformer, because the specification requires that opening
 * fails; LimitError for metadata beyond the bounds
 */
export function resolveV3(zarrJson: JsonValue, registry: CodecRegistry): AnyMeta {
  const document = requireObject(zarrJson, 'zarr.json');
  checkFormat(document, 3, 'zarr.json');
  const kind = choiceOf(document['node_type'], ['array', 'group'], 'node_type');
  return kind === 'group' ? resolveGroup(document) : resolveArray(document, registry);
}

function resolveGroup(document: JsonObject): GroupMeta {
  refuseUnknownKeys(document, groupKeys);
  return {
    kind: 'group',
    zarrFormat: 3,
    attributes: readAttributes(document['attributes'], 'attributes'),
    documents: { 'zarr.json': document },
  };
}

function resolveArray(document: JsonObject, registry: CodecRegistry): ArrayMeta {
  assertStorageBounds(document, 'zarr.json');
  refuseUnknownKeys(document, arrayKeys);
  refuseTransformers(document['storage_transformers']);
  const shape = readShape(document['shape']);
  const given = parseDataType(document['data_type'] ?? null);
  const grid = readGrid(document['chunk_grid'], shape);
  const keys = readKeys(document['chunk_key_encoding']);
  const fillJson = document['fill_value'];
  // GDAL and zarrita.js write null if no fill value is given. It is tolerated, because the values of stored
  // chunks do not depend on it.
  const hasNullFill = fillJson === null;
  const violations = hasNullFill ? [NULL_FILL_WARNING] : [];
  const widened = widenedType(given, hasNullFill ? 0 : fillJson, 3);
  const { dtype, fill } = widened ?? {
    dtype: given,
    fill: hasNullFill ? zeroElement(given) : parseFillV3(fillJson, given),
  };
  const codecs = parseV3Codecs(document['codecs']);
  const specs = widened === undefined ? codecs : [widened.spec, ...codecs];
  const chain = resolveStoredChain(registry, specs, { dtype, shape: largestShapeOf(grid), fill });
  if (!('unsupported' in chain)) assertMultiples(grid, chain);
  return {
    kind: 'array',
    zarrFormat: 3,
    attributes: readAttributes(document['attributes'], 'attributes'),
    documents: { 'zarr.json': document },
    shape,
    dtype,
    dtypeName: dataTypeName(dtype),
    storedType: widened === undefined ? undefined : dataTypeName(given),
    fill,
    fillJson: fillJson ?? null,
    order: storedOrder(chain, shape.length),
    grid,
    keys,
    codecs,
    chain,
    netcdfShuffle: false,
    violations,
    warnings: violations,
    dimensionNames: readDimensionNames(document['dimension_names'], shape.length),
  };
}

const NULL_FILL_WARNING =
  'fill_value is null, which Zarr v3 does not allow; elements that are not stored are read as zero';

/** Rejects unknown keys unless they are marked as optional (core specification, "Extensions"). */
function refuseUnknownKeys(document: JsonObject, known: readonly string[]): void {
  for (const [key, value] of Object.entries(document)) {
    if (known.includes(key) || (isJsonObject(value) && value['must_understand'] === false)) continue;
    throw new UnsupportedError(
      `zarr.json has the unknown key ${JSON.stringify(key)} without "must_understand": false`,
    );
  }
}

function refuseTransformers(json: JsonValue | undefined): void {
  if (json === undefined || json === null) return;
  if (!Array.isArray(json))
    throw new MetadataError(`storage_transformers is ${describeJson(json)}; expected a list`);
  if (json.length > 0)
    throw new UnsupportedError(
      `storage_transformers is ${describeJson(json)}; storage transformers are not supported`,
    );
}

function readGrid(json: JsonValue | undefined, shape: readonly number[]): ChunkGrid {
  const { name, configuration } = parseNamed(json, 'chunk_grid');
  if (name === 'rectilinear') return readRectilinearGrid(configuration, shape);
  if (name !== 'regular')
    throw new UnsupportedError(
      `unsupported chunk grid ${JSON.stringify(name)}; expected "regular" or "rectilinear"`,
    );
  checkKeys(configuration, ['chunk_shape'], 'chunk_grid.configuration');
  return regularGrid(shape, readLengths(configuration['chunk_shape'], 'chunk_shape', 1));
}

/**
 * The default separator is "/" for `default`, and "." for `v2` (v3 specifications of the chunk key
 * encodings).
 */
function readKeys(json: JsonValue | undefined): ChunkKeys {
  const { name, configuration } = parseNamed(json, 'chunk_key_encoding');
  if (name !== 'default' && name !== 'v2')
    throw new UnsupportedError(
      `unsupported chunk key encoding ${JSON.stringify(name)}; expected "default" or "v2"`,
    );
  // An unknown option could change chunk keys, so that all chunks would appear to be absent.
  checkKeys(configuration, ['separator'], 'chunk_key_encoding.configuration');
  const separator = configuration['separator'];
  if (separator === undefined) return { encoding: name, separator: name === 'default' ? '/' : '.' };
  return { encoding: name, separator: choiceOf(separator, ['/', '.'], 'separator') };
}

function readDimensionNames(
  json: JsonValue | undefined,
  rank: number,
): readonly (string | null)[] | undefined {
  if (json === undefined || json === null) return undefined;
  const list: readonly JsonValue[] = Array.isArray(json) ? json : [];
  const isName = (name: JsonValue): name is string | null => name === null || typeof name === 'string';
  if (Array.isArray(json) && list.length === rank && list.every(isName)) return list;
  throw new MetadataError(
    `dimension_names is ${describeJson(json)}; expected a list of ${rank} names, text or null`,
  );
}

/**
 * The specs of the codec chain. An unknown codec makes the chain unsupported even if it is marked
 * `must_understand: false`: otherwise, encoded bytes would be returned as values.
 * @throws MetadataError for a malformed list; UnsupportedError for an unknown key; LimitError for too many
 * codecs
 */
function parseV3Codecs(json: JsonValue | undefined): readonly CodecSpec[] {
  if (!isJsonList(json) || json.length === 0)
    throw new MetadataError(`codecs is ${describeJson(json)}; expected a list with an array-to-bytes codec`);
  assertCodecCount(json.length, 'codecs');
  return json.map((codec, i) => parseNamed(codec, `codecs[${i}]`));
}

/**
 * The order of stored elements: F if the transposes of the chain, through all levels of sharding, reverse the
 * dimensions, which is equivalent to order F in v2.
 */
function storedOrder(chain: ArrayMeta['chain'], rank: number): 'C' | 'F' {
  if ('unsupported' in chain || rank < 2) return 'C';
  let order = Array.from({ length: rank }, (_, d) => d);
  for (
    let level: CodecChain | undefined = chain;
    level !== undefined;
    level = level.arrayToBytes.shard?.chain
  )
    for (const { permutation } of level.arrayToArray)
      if (permutation !== undefined) order = permutation.map((d) => order[d] ?? d);
  return order.every((d, i) => d === rank - 1 - i) ? 'F' : 'C';
}
