/**
 * Validates fields of metadata documents. Errors name the field. Binds the codecs of chunks. Dimension names in
 * formats without a field for them: xarray's `_ARRAY_DIMENSIONS` (its "Zarr Encoding Specification") and NCZarr's
 * references to named dimensions, in `.zattrs` or, in older versions, in `.zarray`.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/bytes/json.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { resolveChain } from '../codec/chain.js';
import type { ChunkRep, CodecRegistry, CodecSpec } from '../codec/codec.js';
import { MetadataError, UnsupportedError } from '../../core/errors.js';
import { metadataBounds } from '../../core/limits.js';
import type { ArrayMeta } from './model.js';

/** @param subject name of the document or field, for errors */
export function requireObject(json: JsonValue | undefined, subject: string): JsonObject {
  if (isJsonObject(json)) return json;
  throw new MetadataError(`${subject} is ${describeJson(json)}; expected a JSON object`);
}

/** Reads attributes; empty if absent. */
export function readAttributes(json: JsonValue | undefined, subject: string): JsonObject {
  return json === undefined ? {} : requireObject(json, subject);
}

/** Reads a list of lengths, each a safe integer of at least `min`. The rank is bounded. */
export function readLengths(json: JsonValue | undefined, field: string, min: number): number[] {
  if (!Array.isArray(json))
    throw new MetadataError(`${field} is ${describeJson(json)}; expected a list of integers`);
  const list: readonly JsonValue[] = json;
  if (list.length > metadataBounds.maxRank)
    throw new MetadataError(
      `${field} has ${list.length} dimensions; at most ${metadataBounds.maxRank} are supported`,
    );
  return list.map((length, d) => {
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < min)
      throw new MetadataError(
        `${field}[${d}] is ${describeJson(length)}; expected an integer from ${min} to 2^53 - 1`,
      );
    // JSON can contain -0.
    return length + 0;
  });
}

/**
 * Reads the shape of an array. The number of elements must fit in a 64-bit integer.
 * @throws MetadataError for an invalid shape
 */
export function readShape(json: JsonValue | undefined): number[] {
  const shape = readLengths(json, 'shape', 0);
  if (product(shape) >= 2 ** 63)
    throw new MetadataError(`shape [${shape.join(', ')}] has 2^63 elements or more`);
  return shape;
}

/**
 * The product of lengths. Counts a length of 0 as 1, so that an empty dimension does not hide an overflow of
 * the others.
 */
function product(lengths: readonly number[]): number {
  return lengths.reduce((result, length) => result * Math.max(length, 1), 1);
}

/** Reads one of a set of strings. */
export function choiceOf<T extends string>(
  json: JsonValue | undefined,
  choices: readonly T[],
  field: string,
): T {
  const chosen = choices.find((choice) => choice === json);
  if (chosen !== undefined) return chosen;
  const wanted = choices.map((choice) => `"${choice}"`).join(' or ');
  throw new MetadataError(`${field} is ${describeJson(json)}; expected ${wanted}`);
}

/** Reads a list of names, one per dimension; undefined for anything else. */
function namesOf(json: JsonValue | undefined, rank: number): string[] | undefined {
  if (!Array.isArray(json) || json.length !== rank) return undefined;
  const list: readonly JsonValue[] = json;
  const isText = (name: JsonValue): name is string => typeof name === 'string';
  return list.every(isText) ? [...list] : undefined;
}

/** The names of dimensions, one per dimension; null for an unnamed dimension. */
export function dimensionNamesOf(meta: ArrayMeta): readonly (string | null)[] {
  return meta.dimensionNames ?? meta.shape.map(() => null);
}

/** @returns undefined if there are none, or their number differs from the rank */
export function attributeDimensionNames(
  attributes: JsonObject,
  zarray: JsonObject,
  rank: number,
): readonly string[] | undefined {
  return (
    namesOf(attributes['_ARRAY_DIMENSIONS'], rank) ??
    ncZarrNames(attributes['_nczarr_array'] ?? attributes['_NCZARR_ARRAY'], rank) ??
    ncZarrNames(zarray['_nczarr_array'] ?? zarray['_NCZARR_ARRAY'], rank)
  );
}

/** References are paths ("/group/x"); the last part is the name. */
function ncZarrNames(json: JsonValue | undefined, rank: number): readonly string[] | undefined {
  if (!isJsonObject(json)) return undefined;
  const references = namesOf(json['dimension_references'] ?? json['dimrefs'], rank);
  return references?.map((reference) => reference.slice(reference.lastIndexOf('/') + 1));
}

/**
 * An array whose data type or codecs are unsupported can be opened; only reading its values fails.
 * @throws MetadataError for a chain that is invalid for every reader; LimitError for too many codecs or
 * levels of shards
 */
export function resolveStoredChain(
  registry: CodecRegistry,
  specs: readonly CodecSpec[],
  rep: ChunkRep,
): ArrayMeta['chain'] {
  if (rep.dtype.name === 'unknown')
    return { unsupported: `unsupported data type ${quoted(rep.dtype.given)}` };
  try {
    return resolveChain(registry, specs, rep);
  } catch (error) {
    if (error instanceof UnsupportedError) return { unsupported: error.detail };
    throw error;
  }
}

function quoted(name: string): string {
  return name.length > 80 ? `"${name.slice(0, 80)}..."` : `"${name}"`;
}
