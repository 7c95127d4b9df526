/**
 * What a codec is: three kinds, as in the v3 core specification ("Codecs"), each a plain object in a registry.
 * `parse` makes a checked configuration out of JSON, everything after works with that; codecs keep no state.
 *
 * Decoding is synchronous, because every codec is (node:zlib's sync calls, WASM, plain code): a chunk is decoded in
 * one go on the thread it was given to, with buffers that only live until then.
 */
import type { Items } from '../bytes/items.js';
import type { JsonObject } from '../bytes/json.js';
import type { DataType, Element } from '../dtype/data-type.js';

/** How many bytes something has; `atMost` where only a bound is known before. */
export type Size =
  { readonly kind: 'exact'; readonly bytes: number } | { readonly kind: 'atMost'; readonly bytes: number };

/** A codec as metadata names it (v3 form; v1 and v2 are translated). */
export interface CodecSpec {
  readonly name: string;
  readonly configuration: JsonObject;
}

/** What a chunk is on one side of a codec. Shape in elements, C order. */
export interface ChunkRep {
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly fill: Element;
  /** Readers differ on what `fill` is behind these filters: parts of nothing else are stored all the same. */
  readonly isFillDisputed?: boolean;
  /** The array's own type, where filters before this place have made another of it. */
  readonly arrayType?: DataType;
}

/** array -> array: another layout (`permutation`) or other values, fixed-size types only. */
export interface ArrayToArrayCodec<C = unknown> {
  readonly kind: 'array-to-array';
  readonly name: string;
  /** @throws MetadataError with the option's name, or UnsupportedError */
  parse(configuration: JsonObject, rep: ChunkRep): C;
  encodedRep(configuration: C, rep: ChunkRep): ChunkRep;
  /**
   * Set by codecs that only permute dimensions: dimension i of the encoded side is dimension permutation[i] of the
   * decoded side. Such a codec is never run; the chain folds it into strides.
   */
  permutation?(configuration: C, rep: ChunkRep): readonly number[];
  /** `bytes`: the encoded side in C order. Returns the decoded side in C order; may return `bytes` itself, never changes them. */
  decode(configuration: C, bytes: Uint8Array, rep: ChunkRep): Uint8Array;
  encode(configuration: C, bytes: Uint8Array, rep: ChunkRep): Uint8Array;
}

/** Decoded values of a chunk in C order; see Block for the two forms. `bytes` may be a view that lives until the next decode; items are the caller's. */
export type ChunkValues = { readonly bytes: Uint8Array } | { readonly items: Items };

export interface ArrayToBytesCodec<C = unknown> {
  readonly kind: 'array-to-bytes';
  readonly name: string;
  parse(configuration: JsonObject, rep: ChunkRep): C;
  /** Bytes of an encoded chunk. `atMost` Infinity where nothing is known. */
  encodedSize(configuration: C, rep: ChunkRep): Size;
  /**
   * @param limit bytes that the decoded values may take in all (for types of variable length)
   * @throws CodecError where `bytes` is not exactly a chunk of this shape
   */
  decode(configuration: C, bytes: Uint8Array, rep: ChunkRep, limit: number): ChunkValues;
  encode(configuration: C, values: ChunkValues, rep: ChunkRep): Uint8Array;
  /** Set by the sharding codec alone. */
  shard?(configuration: C): ShardSpec;
}

export interface BytesToBytesCodec<C = unknown> {
  readonly kind: 'bytes-to-bytes';
  readonly name: string;
  /** `rep` is the chunk that the bytes come from (blosc takes its typesize from there, v2 filters their data type). */
  parse(configuration: JsonObject, rep: ChunkRep): C;
  encodedSize(configuration: C, decoded: Size): Size;
  /** Set by codecs that can stop where `until` says; others need not look at it. */
  readonly decodesPart?: true;
  /**
   * @param size of the result: exact where known, and another one is a CodecError; else a bound, and going past it is
   *   a LimitError before memory is taken
   * @param into where the result may be written if it is `size.bytes` long and size is exact. The result is returned
   *   in any case: `into` itself, a view that lives until the next decode, or `bytes` (a part of it); `bytes` are
   *   never changed.
   * @param until how many bytes of the result's beginning are needed. The result has its whole length in any case; what
   *   follows them may be anything. Data with a checksum are decoded, and checked, to the end.
   * @throws CodecError, ChecksumError, LimitError
   */
  decode(configuration: C, bytes: Uint8Array, size: Size, into?: Uint8Array, until?: number): Uint8Array;
  encode(configuration: C, bytes: Uint8Array): Uint8Array;
}

export type Codec<C = unknown> = ArrayToArrayCodec<C> | ArrayToBytesCodec<C> | BytesToBytesCodec<C>;

/**
 * A codec with its parsed configuration closed over. Registries hold a function from the spec to this, so that the
 * configuration's type is known to the codec alone.
 */
export interface BoundArrayToArray {
  readonly kind: 'array-to-array';
  readonly spec: CodecSpec;
  readonly rep: ChunkRep;
  readonly encodedRep: ChunkRep;
  readonly permutation: readonly number[] | undefined;
  decode(bytes: Uint8Array): Uint8Array;
  encode(bytes: Uint8Array): Uint8Array;
}
export interface BoundArrayToBytes {
  readonly kind: 'array-to-bytes';
  readonly spec: CodecSpec;
  readonly rep: ChunkRep;
  readonly encodedSize: Size;
  /** Set by the sharding codec alone: lets a reader take the shard apart instead of decoding it whole. */
  readonly shard?: ShardSpec;
  decode(bytes: Uint8Array, limit: number): ChunkValues;
  encode(values: ChunkValues): Uint8Array;
}
export interface BoundBytesToBytes {
  readonly kind: 'bytes-to-bytes';
  readonly spec: CodecSpec;
  readonly decodesPart: boolean;
  encodedSize(decoded: Size): Size;
  decode(bytes: Uint8Array, size: Size, into?: Uint8Array, until?: number): Uint8Array;
  encode(bytes: Uint8Array): Uint8Array;
}
export type BoundCodec = BoundArrayToArray | BoundArrayToBytes | BoundBytesToBytes;

/** A chunk's codecs, bound, in the order of encoding; made by `resolveChain`. */
export interface CodecChain {
  readonly specs: readonly CodecSpec[];
  /** The decoded chunk. */
  readonly rep: ChunkRep;
  readonly arrayToArray: readonly BoundArrayToArray[];
  readonly arrayToBytes: BoundArrayToBytes;
  readonly bytesToBytes: readonly BoundBytesToBytes[];
  /** sizes[i] is what goes into bytesToBytes[i] when encoding; the last is the stored size. */
  readonly sizes: readonly Size[];
  /** Whether the beginning of a chunk can be decoded without the rest: see `decodeChunk`. */
  readonly decodesPart: boolean;
  /** Whether its specs alone say what it does: a thread, which knows no codecs of the caller's, can bind it again. */
  readonly isStandard: boolean;
}

/** Whether stored bytes are the values as they are, but for the order of dimensions: decoding does nothing. */
export function isTrivial({ arrayToArray, arrayToBytes, bytesToBytes, isStandard }: CodecChain): boolean {
  const { name, configuration } = arrayToBytes.spec;
  const isPlain = name === 'bytes' && (configuration['endian'] ?? 'little') === 'little';
  const onlyPermuted = arrayToArray.every((codec) => codec.permutation !== undefined);
  return isStandard && isPlain && onlyPermuted && bytesToBytes.length === 0;
}

/** How a shard is made up (sharding codec specification 1.0, "Binary shard format"). */
export interface ShardSpec {
  /** The codecs of an inner chunk; its `rep` is the inner chunk. */
  readonly chain: CodecChain;
  /** Inner chunks along each dimension of the shard, as the sharding codec sees the shard. */
  readonly counts: readonly number[];
  readonly indexChain: CodecChain;
  readonly indexLocation: 'start' | 'end';
  /** Stored bytes of the index, which is always exact. */
  readonly indexBytes: number;
}

/** One entry of a registry: binds a spec to the chunk that it will see. */
export type BindCodec = (spec: CodecSpec, rep: ChunkRep) => BoundCodec;

/** Names (v3 names, `numcodecs.*`, v2 ids) to codecs. A value that is passed in, never a global that fills itself. */
export type CodecRegistry = ReadonlyMap<string, BindCodec>;

const standardRegistries = new WeakSet<CodecRegistry>();

/** Says of a registry that every name in it means what it means everywhere. */
export function markStandard(registry: CodecRegistry): void {
  standardRegistries.add(registry);
}

export function isStandard(registry: CodecRegistry): boolean {
  return standardRegistries.has(registry);
}

/** Makes a registry entry of a codec: parses once, closes over the result. */
export function bindable<C>(codec: Codec<C>): BindCodec {
  return (spec, rep) => {
    if (codec.kind === 'array-to-array') {
      const configuration = codec.parse(spec.configuration, rep);
      return {
        kind: codec.kind,
        spec,
        rep,
        encodedRep: codec.encodedRep(configuration, rep),
        permutation: codec.permutation?.(configuration, rep),
        decode: (bytes) => codec.decode(configuration, bytes, rep),
        encode: (bytes) => codec.encode(configuration, bytes, rep),
      };
    }
    if (codec.kind === 'array-to-bytes') {
      const configuration = codec.parse(spec.configuration, rep);
      return {
        kind: codec.kind,
        spec,
        rep,
        encodedSize: codec.encodedSize(configuration, rep),
        ...(codec.shard === undefined ? {} : { shard: codec.shard(configuration) }),
        decode: (bytes, limit) => codec.decode(configuration, bytes, rep, limit),
        encode: (values) => codec.encode(configuration, values, rep),
      };
    }
    const configuration = codec.parse(spec.configuration, rep);
    return {
      kind: codec.kind,
      spec,
      decodesPart: codec.decodesPart ?? false,
      encodedSize: (decoded) => codec.encodedSize(configuration, decoded),
      decode: (bytes, size, into, until) => codec.decode(configuration, bytes, size, into, until),
      encode: (bytes) => codec.encode(configuration, bytes),
    };
  };
}
