/**
 * The metadata of N5 as a document of Zarr format 3 (N5 4.0.0; zarr-extensions, codecs/n5_default, "Compatibility notes").
 * Dimensions keep their order: that of `dimensions`, whose first one varies fastest. Pure functions.
 */
import { MetadataError } from '../../core/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/bytes/json.js';
import { parseJsonSteps } from '../../core/bytes/parse-json.js';
import { describeJson, printJson } from '../../core/bytes/print-json.js';
import { metadataBounds } from '../../core/limits.js';

const arrayMembers = ['dimensions', 'blockSize', 'dataType', 'compression', 'compressionType'];

/** Types with the elements of one byte, which have no byte order. */
const oneByte = /^u?int8$/;

export const implicitGroup: Uint8Array = printed({ zarr_format: 3, node_type: 'group', attributes: {} });

/** Maximum size of attributes.json, in bytes: its document is printed in one step. */
export const MAX_ATTRIBUTES_BYTES = 2 ** 20;

interface N5Node {
  readonly isArray: boolean;
  /** @throws MetadataError if the attributes are not those of an array of N5 */
  document(): Uint8Array;
}

/** @throws MetadataError for a document that is not of N5 */
export function* readN5Node(attributesJson: Uint8Array): Generator<void, N5Node, void> {
  const json = yield* parseJsonSteps(attributesJson);
  if (!isJsonObject(json))
    throw new MetadataError(`attributes.json is ${describeJson(json)}; expected an object`);
  const isArray = json['dimensions'] !== undefined || json['dataType'] !== undefined;
  return { isArray, document: () => printed(isArray ? arrayDocument(json) : groupDocument(json)) };
}

function arrayDocument(json: JsonObject): JsonObject {
  const attributes = Object.fromEntries(
    Object.entries(json).filter(([name]) => !arrayMembers.includes(name)),
  );
  const { dimensions, blockSize, dataType } = json;
  const rank = Array.isArray(dimensions) ? dimensions.length : 0;
  if (rank === 0 || rank > metadataBounds.maxRank)
    throw new MetadataError(
      `"dimensions" of attributes.json is ${describeJson(dimensions)}; expected a list of sizes`,
    );
  if (typeof dataType !== 'string')
    throw new MetadataError(`"dataType" of attributes.json is ${describeJson(dataType)}; expected a name`);
  const order = Array.from({ length: rank }, (_, d) => rank - 1 - d);
  const bytes = oneByte.test(dataType)
    ? { name: 'bytes' }
    : { name: 'bytes', configuration: { endian: 'big' } };
  const compression = json['compression'] ?? json['compressionType'] ?? 'raw';
  const codecs = [{ name: 'transpose', configuration: { order } }, bytes, ...compressors(compression)];
  const names = dimensionNames(json['axes'], rank);
  return {
    zarr_format: 3,
    node_type: 'array',
    shape: dimensions ?? null,
    data_type: dataType,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: blockSize ?? null } },
    chunk_key_encoding: { name: 'v2', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [{ name: 'n5_default', configuration: { codecs } }],
    ...(names === undefined ? {} : { dimension_names: names }),
    attributes,
  };
}

function groupDocument(attributes: JsonObject): JsonObject {
  return { zarr_format: 3, node_type: 'group', attributes };
}

/** The codec of a compressor; an unknown name, which Zarr does not decode, for others. */
function compressors(json: JsonValue): JsonValue[] {
  const { type = '', ...options }: JsonObject = isJsonObject(json) ? json : { type: json };
  switch (type) {
    case 'raw':
      return [];
    case 'gzip':
      return [{ name: options['useZlib'] === true ? 'zlib' : 'gzip', configuration: { level: 1 } }];
    case 'bzip2':
      return [{ name: 'bz2', configuration: { level: 1 } }];
    case 'xz':
      return [{ name: 'lzma', configuration: { format: 1 } }];
    case 'zstd':
      return [{ name: 'zstd', configuration: { level: 0, checksum: false } }];
    case 'blosc':
      // Blosc describes itself; the options are those of a writer.
      return [
        {
          name: 'blosc',
          configuration: { cname: 'lz4', clevel: 5, shuffle: 'noshuffle', typesize: 1, blocksize: 0 },
        },
      ];
    default:
      return [`n5.${typeof type === 'string' ? type : 'unknown'}`];
  }
}

/** Names of axes, a convention of tensorstore and OpenOrganelle. */
function dimensionNames(axes: JsonValue | undefined, rank: number): readonly string[] | undefined {
  if (!Array.isArray(axes) || axes.length !== rank) return undefined;
  const names = axes.filter((name): name is string => typeof name === 'string' && name !== '');
  return names.length === rank && new Set(names).size === rank ? names : undefined;
}

function printed(document: JsonObject): Uint8Array {
  return new TextEncoder().encode(printJson(document));
}
