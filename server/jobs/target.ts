/** The array that a job creates for a source: shape, data type, chunks, codecs, fill value and attributes. */
import { defined } from '../../wire/guards.js';
import {
  type ArrayMeta,
  ConflictError,
  type CreateArrayRequest,
  createArrayDocuments,
  dataTypeJson,
  encodeBase64,
  type Hierarchy,
  InputError,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LazySlice,
  numberAccess,
  parseNodePath,
  printFillV3,
  type ZarrArray,
} from '../zarr/index.js';
import type { Lengths, TargetOptions } from './job.js';
import { RECORD_ATTRIBUTE } from './record.js';
import type { SliceSource } from './source.js';

type Format = 2 | 3;

export interface ArrayTarget {
  readonly path: string;
  readonly format: Format;
  readonly request: CreateArrayRequest;
  readonly meta: ArrayMeta;
  /** Shape of a stored object. */
  readonly objectShape: readonly number[];
}

/** The format of new nodes at a path. */
export async function formatAt(
  hierarchy: Hierarchy,
  path: string,
  options: TargetOptions,
  ofSource: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Format> {
  const requested = options.format;
  if (requested !== undefined) return requested;
  if (hierarchy.store.versions !== undefined || hierarchy.store.isIsolated === true) return 3;
  for (let above = parseNodePath(path); above !== '/';) {
    above = above.slice(0, above.lastIndexOf('/')) || '/';
    const node = await hierarchy.node(above, { signal });
    if (node !== undefined) return node.meta.zarrFormat === 3 ? 3 : 2;
  }
  return ofSource === undefined || ofSource === 3 ? 3 : 2;
}

/**
 * @throws InputError if the options do not fit the array; UnsupportedError for a data type that the format does not have;
 * ConflictError if the source is the unfinished destination of another job
 */
export function targetOf(
  source: Pick<SliceSource, 'slice' | 'array' | 'stored' | 'attributes'>,
  path: string,
  format: Format,
  options: TargetOptions,
  registry: Hierarchy['registry'],
): ArrayTarget {
  const { slice, array, stored } = source;
  const names = slice.dims.map(({ name }) => name);
  const keepsRank = stored !== undefined && stored.shape.length === slice.shape.length;
  const isSameFormat = stored !== undefined && stored.meta.zarrFormat === format;
  const own = array === undefined ? undefined : chunksOfParts(slice, array);
  const chunks = lengthsOf(options.chunks, names, own?.chunks ?? [], 'chunks');
  const shards = shardsOf(options, names, own?.shards, chunks ?? own?.chunks);
  const kept = isSameFormat && keepsRank ? keptForm(stored.meta) : {};
  const fill = fillOf(source, format, options, names);
  const named =
    names.every((name) => name === null) || (format === 2 && names.includes(null)) ? undefined : names;
  const request: CreateArrayRequest = {
    shape: slice.shape,
    dtype: kept.dtype ?? dataTypeJson(slice.dtype),
    chunkShape: chunks ?? own?.chunks,
    // The shards of a source of format 3 cannot be kept in format 2; requested ones are an error.
    shardShape: format === 3 || (options.shards ?? null) !== null ? shards : undefined,
    codecs: options.codecs ?? kept.codecs,
    fillValue: fill.value,
    attributes: { ...attributesOf(source), ...fill.attributes },
    ...(kept.separator === undefined ? {} : { separator: kept.separator }),
    ...(kept.order === undefined ? {} : { order: kept.order }),
    ...(named === undefined ? {} : { dimensionNames: named }),
  };
  const { meta } = createArrayDocuments(request, format, registry);
  const objectShape = meta.grid.dims.map(({ longest }) => longest);
  return { path, format, request, meta, objectShape };
}

/** Chunk and shard lengths of the dimensions that a slice of an array keeps. */
function chunksOfParts(
  { origin, shape }: LazySlice,
  { chunkShape, shardShape }: ZarrArray,
): { readonly chunks: readonly number[]; readonly shards: readonly number[] | undefined } | undefined {
  const { selection } = origin;
  if (selection.kind === 'points') return undefined;
  const kept = selection.dims.flatMap((dim, d) => (dim.dropped ? [] : [d]));
  // A field of a struct may add dimensions.
  if (kept.length !== shape.length) return undefined;
  const chunks = kept.map((d) => defined(chunkShape[d]));
  return { chunks, shards: shardShape === undefined ? undefined : kept.map((d) => defined(shardShape[d])) };
}

/** @returns undefined for the default. @throws InputError for another number of dimensions, or an unknown one */
function lengthsOf(
  requested: Lengths | undefined,
  names: readonly (string | null)[],
  fallback: readonly number[],
  what: string,
): readonly number[] | undefined {
  if (requested === undefined) return undefined;
  if (Array.isArray(requested)) {
    if (requested.length === names.length) return requested;
    throw new InputError(
      `"${what}" has ${requested.length} lengths; the array has ${names.length} dimensions`,
    );
  }
  const named = new Map(Object.entries(requested));
  const keys = names.map((name, d) => (name !== null && named.has(name) ? name : String(d)));
  if (!keys.some((key) => named.has(key))) return undefined;
  if (fallback.length !== names.length && !keys.every((key) => named.has(key)))
    throw new InputError(`"${what}" must have a length for each dimension of computed values`);
  return keys.map((key, d) => named.get(key) ?? defined(fallback[d]));
}

function shardsOf(
  { shards, chunks: requested }: TargetOptions,
  names: readonly (string | null)[],
  own: readonly number[] | undefined,
  chunks: readonly number[] | undefined,
): readonly number[] | undefined {
  if (shards === null) return undefined;
  const wanted = lengthsOf(shards, names, own ?? chunks ?? [], 'shards');
  if (wanted !== undefined) return wanted;
  // The shards of the source are kept if the new chunks fit into them.
  if (own === undefined || requested === undefined) return own;
  return own.every((length, d) => length % (chunks?.[d] ?? 1) === 0) ? own : undefined;
}

/** What an array of the same format keeps as it is. */
function keptForm(meta: ArrayMeta): {
  readonly dtype?: JsonValue;
  readonly codecs?: JsonValue;
  readonly separator?: string;
  readonly order?: 'C' | 'F';
} {
  if (meta.zarrFormat !== 3) {
    const document = meta.documents['.zarray'];
    if (!isJsonObject(document)) return {};
    const { dtype, compressor = null, filters = null, dimension_separator: separator } = document;
    return {
      ...(dtype === undefined ? {} : { dtype }),
      codecs: { compressor, filters: filters ?? [] },
      order: meta.order,
      ...(typeof separator === 'string' ? { separator } : {}),
    };
  }
  const document = meta.documents['zarr.json'];
  if (!isJsonObject(document)) return {};
  const codecs = innerCodecs(document['codecs']);
  const dtype = document['data_type'];
  return { ...(dtype === undefined ? {} : { dtype }), ...(codecs === undefined ? {} : { codecs }) };
}

/** The codecs of chunks, or of the inner chunks of one level of shards; undefined for more levels. */
function innerCodecs(codecs: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonList(codecs)) return undefined;
  const isSharding = (codec: JsonValue): boolean =>
    isJsonObject(codec) && codec['name'] === 'sharding_indexed';
  const [only, ...others] = codecs;
  if (!codecs.some(isSharding)) return codecs;
  if (only === undefined || others.length > 0 || !isJsonObject(only)) return undefined;
  const { configuration } = only;
  const inner = isJsonObject(configuration) ? configuration['codecs'] : undefined;
  return isJsonList(inner) && !inner.some(isSharding) ? inner : undefined;
}

/**
 * The fill value. In formats 1 and 2, xarray reads it as the value of missing elements; in format 3, only the attribute
 * `_FillValue` has this meaning. Copies to another format keep the meaning.
 */
function fillOf(
  { slice, stored, attributes }: Pick<SliceSource, 'slice' | 'stored' | 'attributes'>,
  format: Format,
  options: TargetOptions,
  names: readonly (string | null)[],
): { readonly value: JsonValue | undefined; readonly attributes: JsonObject } {
  if (options.fillValue !== undefined) return { value: options.fillValue, attributes: {} };
  if (stored === undefined)
    return { value: slice.dtype.name.startsWith('float') ? 'NaN' : undefined, attributes: {} };
  const { meta } = stored;
  if (slice.dtype !== meta.dtype) return { value: undefined, attributes: {} };
  const value = printFillV3(meta.fill, meta.dtype);
  const isVariable = names.length > 0 && !names.includes(null);
  const isMissing = meta.zarrFormat === 3 ? false : meta.fillJson !== null;
  if (meta.zarrFormat !== 3 && format === 2)
    return { value: meta.fillJson === null ? null : value, attributes: {} };
  if (
    format === 3 &&
    meta.zarrFormat !== 3 &&
    isVariable &&
    isMissing &&
    attributes['_FillValue'] === undefined
  )
    return { value, attributes: missingAttribute(meta) };
  if (format === 2 && meta.zarrFormat === 3 && isVariable && attributes['_FillValue'] === undefined)
    return { value: null, attributes: {} };
  return { value, attributes: {} };
}

/** The fill value as xarray writes it in format 3. */
function missingAttribute({ fill, dtype }: ArrayMeta): JsonObject {
  if (!('bytes' in fill)) return {};
  const printed = printFillV3(fill, dtype);
  if (dtype.name === 'float16' || dtype.name === 'float32' || dtype.name === 'float64') {
    const { buffer, byteOffset, byteLength } = fill.bytes;
    const bytes = new Uint8Array(8);
    const number = defined(numberAccess(dtype.name)).get(new DataView(buffer, byteOffset, byteLength), 0);
    new DataView(bytes.buffer).setFloat64(0, Number(number), true);
    return { _FillValue: encodeBase64(bytes) };
  }
  return typeof printed === 'number' || typeof printed === 'bigint' ? { _FillValue: printed } : {};
}

function attributesOf({ attributes, slice }: Pick<SliceSource, 'slice' | 'attributes'>): JsonObject {
  assertFinished(attributes, slice.where);
  // The names of the dimensions are written in the form of the format.
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== '_ARRAY_DIMENSIONS'));
}

/** @throws ConflictError if the attributes belong to the unfinished destination of a job */
export function assertFinished(attributes: JsonObject, where: LazySlice['where']): void {
  if (attributes[RECORD_ATTRIBUTE] === undefined) return;
  throw new ConflictError('the source is the destination of an unfinished job; finish that job first', {
    where,
  });
}
