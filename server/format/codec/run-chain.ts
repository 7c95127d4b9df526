/**
 * Encodes a chunk by running its codec chain, and decodes it by running the chain in reverse. Codecs that only
 * change the layout (transpose) are not run when decoding: the result has strides instead, which are used when
 * placing the values. Loads the dependencies of codecs before their first use, because browsers cannot load
 * WebAssembly modules synchronously.
 */
import { defined } from '../../../wire/guards.js';
import { reorderItems } from '../../core/bytes/items.js';
import { stridesOf } from '../../core/bytes/shape.js';
import { copyStrided } from '../../core/bytes/strided-copy.js';
import { UnsupportedError, CodecError, ownError } from '../../core/errors.js';
import { decodedStrides, stridesOfRep } from './chain.js';
import type { ByteSpan } from '../../core/bytes/values.js';
import type { ChunkRep, ChunkValues, CodecChain, BoundArrayToArray, Codec } from './codec.js';

export interface DecodedChunk {
  /** The decoded values; they may be a view that is valid until the next decode. */
  readonly values: ChunkValues;
  /** Strides for each dimension of `chain.rep`, in bytes (in elements for `items`). */
  readonly strides: readonly number[];
}

/**
 * @param limit maximum size of variable-length values
 * @param into destination for the chunk, of exactly its size. It holds the values only if the result's bytes
 * are `into` itself.
 * @param needed the part of the chunk that is needed, in the layout of `chain.strides`; only for chains that
 * decode a part. The result always has its full length; bytes outside the part are unspecified.
 * @throws errors from the codecs
 */
export function decodeChunk(
  chain: CodecChain,
  encoded: Uint8Array,
  limit: number,
  into?: Uint8Array,
  needed?: ByteSpan,
): DecodedChunk {
  let bytes = encoded;
  for (let i = chain.bytesToBytes.length - 1; i >= 0; i--) {
    const size = chain.sizes[i] ?? { kind: 'atMost', bytes: limit };
    const bounded = Number.isFinite(size.bytes) ? size : { kind: size.kind, bytes: limit };
    // Only the last step may write to `into`. Otherwise the next step would overwrite its input.
    const fits = i === 0 && size.kind === 'exact' && into?.length === size.bytes;
    const part = i === 0 && chain.partialDecode ? needed : undefined;
    bytes = chain.bytesToBytes[i]?.decode(bytes, bounded, fits ? into : undefined, part) ?? bytes;
  }
  const values = chain.arrayToBytes.decode(bytes, limit);
  return {
    values: chain.arrayToArray.length === 0 ? values : throughArrays(chain, values),
    strides: chain.strides,
  };
}

/** Runs the array-to-array codecs in reverse. */
function throughArrays(
  { arrayToArray, arrayToBytes: { rep } }: CodecChain,
  encoded: ChunkValues,
): ChunkValues {
  let values = encoded;
  let strides = stridesOfRep(rep);
  for (const codec of arrayToArray.toReversed()) {
    if (codec.permutation === undefined) {
      if ('items' in values)
        throw new UnsupportedError(`codec "${codec.spec.name}": values of variable length are not supported`);
      values = { bytes: codec.decode(inOrder(values.bytes, codec.encodedRep, strides)) };
    }
    strides = decodedStrides(codec, strides);
  }
  return values;
}

/** Returns the values in C order. Copies them only if necessary. */
function inOrder(bytes: Uint8Array, rep: ChunkRep, strides: readonly number[]): Uint8Array {
  const itemSize = rep.dtype.itemSize ?? 1;
  const wanted = stridesOfRep(rep);
  if (wanted.every((stride, d) => stride === strides[d])) return bytes;
  const ordered = new Uint8Array(bytes.length);
  const dims = rep.shape.map((count, d) => ({ count, from: defined(strides[d]), to: defined(wanted[d]) }));
  copyStrided(bytes, 0, ordered, 0, dims, itemSize);
  return ordered;
}

/** Encodes a chunk. @param values the whole chunk, of `chain.rep`'s shape, in C order */
export function encodeChunk(chain: CodecChain, values: ChunkValues): Uint8Array {
  let current = values;
  for (const codec of chain.arrayToArray) {
    if (codec.permutation !== undefined) current = permute(current, codec, codec.permutation);
    else if ('bytes' in current) current = { bytes: codec.encode(current.bytes) };
  }
  let bytes = chain.arrayToBytes.encode(current);
  for (const codec of chain.bytesToBytes) bytes = codec.encode(bytes);
  return bytes;
}

function permute(values: ChunkValues, codec: BoundArrayToArray, permutation: readonly number[]): ChunkValues {
  const unit = 'items' in values ? 1 : (codec.rep.dtype.itemSize ?? 1);
  const from = stridesOf(codec.rep.shape, unit);
  const to = stridesOf(codec.encodedRep.shape, unit);
  const dims = codec.encodedRep.shape.map((count, i) => ({
    count,
    from: defined(from[permutation[i] ?? i]),
    to: defined(to[i]),
  }));
  if ('items' in values) return { items: reorderItems(values.items, dims) };
  const bytes = new Uint8Array(values.bytes.length);
  copyStrided(values.bytes, 0, bytes, 0, dims, unit);
  return { bytes };
}

/** Whether stored bytes equal the values apart from the order of dimensions, so that decoding is a no-op. */
export function isTrivial({ arrayToArray, arrayToBytes, bytesToBytes, isStandard }: CodecChain): boolean {
  const { name, configuration } = arrayToBytes.spec;
  const isPlain =
    (name === 'bytes' || name === 'endian') && (configuration['endian'] ?? 'little') === 'little';
  const onlyPermuted = arrayToArray.every((codec) => codec.permutation !== undefined);
  return isStandard && isPlain && onlyPermuted && bytesToBytes.length === 0;
}

/**
 * @param chain codec chain of an array; nothing is loaded for an unsupported chain
 * @returns undefined if everything is loaded
 * @throws CodecError if something cannot be loaded; a later call retries
 */
export function loadCodecs(chain: CodecChain | { readonly unsupported: string }): Promise<void> | undefined {
  if ('unsupported' in chain || chain.loaded === undefined) return undefined;
  const loading = [...chain.loaded].flatMap((codec) => load(codec) ?? []);
  return loading.length === 0 ? undefined : Promise.all(loading).then(() => undefined);
}

function load(codec: Codec): Promise<void> | undefined {
  try {
    return codec.load?.()?.catch((error: unknown) => failed(codec, error));
  } catch (error) {
    return failed(codec, error);
  }
}

function failed({ name }: Codec, cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw ownError(cause) ?? new CodecError(`codec "${name}": loading failed: ${why}`, { cause });
}

/** Maximum length, in bytes, for which a reused buffer is used. The buffer may be up to twice as large. */
const MAX_KEPT_BYTES = 64 * 2 ** 20;

/**
 * Reused memory for decoding steps, because page faults on new memory cost as much as decoding. A result in
 * scratch memory is valid until the next decode; see the codec interface.
 *
 * Two buffers alternate: a step reads its input from one and writes to the other.
 */
const kept: [ArrayBuffer, ArrayBuffer] = [new ArrayBuffer(0), new ArrayBuffer(0)];

/**
 * A buffer of `length` bytes of undefined content, aligned to 8 bytes, that does not overlap `source`. Very
 * large buffers are not kept.
 */
export function scratchFor(source: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  if (length > MAX_KEPT_BYTES) return new Uint8Array(length);
  const i = kept[0] === source.buffer ? 1 : 0;
  if (kept[i].byteLength < length) kept[i] = new ArrayBuffer(Math.max(length, 2 * kept[i].byteLength, 4096));
  return new Uint8Array(kept[i], 0, length);
}
