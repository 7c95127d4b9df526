/**
 * Codec interfaces (v3 core specification, "Codecs"). A codec is a factory: `create` validates the
 * configuration once and returns an object bound to it and to one representation of a chunk. Bound codecs
 * keep no state between calls.
 *
 * Decoding is synchronous: a chunk is decoded in one call on one thread, and scratch buffers are valid until
 * the next call.
 */
import type { ByteSpan } from '../../core/bytes/values.js';
import type { Items } from '../../core/bytes/items.js';
import type { JsonObject } from '../../core/bytes/json.js';
import type { DataType, Element } from '../../core/dtype/data-type.js';

/** A number of bytes: exact, or an upper bound if only a bound is known in advance. */
export type Size =
  { readonly kind: 'exact'; readonly bytes: number } | { readonly kind: 'atMost'; readonly bytes: number };

/** A codec in metadata, in the form of v3. Codecs of v1 and v2 are converted to this form. */
export interface CodecSpec {
  readonly name: string;
  readonly configuration: JsonObject;
}

/** Representation of a chunk on one side of a codec: shape in elements, C order. */
export interface ChunkRep {
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly fill: Element;
  /**
   * Whether implementations disagree on `fill`, because filters precede the codec. Inner chunks equal to the
   * fill value are then stored.
   */
  readonly isFillDisputed?: boolean;
  /** Data type of the array, if an earlier filter changed the type. */
  readonly arrayType?: DataType;
  /** Number of bits of a number, if the others of its bytes are padding. */
  readonly bits?: number;
}

/**
 * A bound array-to-array codec: permutes dimensions (`permutation`) or changes values of a fixed-size type.
 */
export interface ArrayToArray {
  /** Representation of the chunk after encoding. */
  readonly encodedRep: ChunkRep;
  /**
   * Only for codecs that permute dimensions: dimension i of the encoded side is dimension permutation[i] of
   * the decoded side. The chain expresses the permutation as strides and calls neither `decode` nor `encode`.
   */
  readonly permutation?: readonly number[];
  /** Decodes a chunk. Input and output are in C order. May return `bytes`, but must not modify them. */
  decode(bytes: Uint8Array): Uint8Array;
  encode(bytes: Uint8Array): Uint8Array;
}

/**
 * Decoded values of a chunk in C order: bytes of a fixed-size type, or `items` of a variable-length type. `bytes` may be
 * a view that is valid until the next decode; `items` belong to the caller.
 */
export type ChunkValues = { readonly bytes: Uint8Array } | { readonly items: Items };

/** A bound codec that may contain others. */
interface Containing {
  /** The codecs that it runs itself: they are loaded with it, and threads bind them by name. */
  readonly contains?: readonly CodecSpec[];
}

/** A bound array-to-bytes codec. */
export interface ArrayToBytes extends Containing {
  /** Size of an encoded chunk in bytes: `atMost` Infinity if unknown. */
  readonly encodedSize: Size;
  /**
   * Only for the sharding codec: allows readers to fetch inner chunks instead of decoding the whole shard.
   */
  readonly shard?: ShardSpec;
  /**
   * @param limit maximum total size of decoded values of a variable-length type
   * @throws CodecError if `bytes` is not exactly one chunk of the bound shape; LimitError for values beyond
   * `limit`
   */
  decode(bytes: Uint8Array, limit: number): ChunkValues;
  encode(values: ChunkValues): Uint8Array;
}

/** A bound bytes-to-bytes codec. */
export interface BytesToBytes extends Containing {
  encodedSize(decoded: Size): Size;
  /** Whether `decode` uses the argument `needed`. */
  readonly partialDecode?: true;
  /**
   * @param size size of the result. If it is exact, any other size is a CodecError. If it is a bound,
   * exceeding it is a LimitError, thrown before more memory than the bound is allocated.
   * @param into destination for the result, if `size` is exact and `into` is `size.bytes` long. The result is
   * always returned: `into` itself, a view valid until the next decode, or (a part of) `bytes`. `bytes` must
   * not be modified.
   * @param needed the part of the result that the caller needs. The result always has its full length; bytes
   * outside the part are unspecified. Data with a checksum is decoded and verified as a whole.
   * @throws CodecError for data that is not in the codec's format; ChecksumError; LimitError for a result
   * larger than a bound
   */
  decode(bytes: Uint8Array, size: Size, into?: Uint8Array, needed?: ByteSpan): Uint8Array;
  encode(bytes: Uint8Array): Uint8Array;
}

/** A module from which decoding threads import a codec. Comes from the program, never from metadata. */
export interface CodecModule {
  /** A URL, such as `import.meta.url` of the codec's module, or the name of a package. */
  readonly url: string | URL;
  /** Name of the export that is the codec. */
  readonly export: string;
}

interface CodecOf<Kind extends string, Bound> {
  readonly kind: Kind;
  /** Name of the codec in error messages. The registry decides which metadata names refer to the codec. */
  readonly name: string;
  /** Lets decoding threads run an added codec; without it, its chunks are decoded on the calling thread. */
  readonly module?: CodecModule;
  /**
   * Rough decoding time of an added codec in nanoseconds per byte, which determines whether chunks
   * are sent to a thread.
   * @default 5
   */
  readonly nsPerByte?: number;
  /**
   * Loads the codec's dependencies, such as a WebAssembly module. Awaited in every thread before chunks are
   * decoded or encoded; returns undefined if nothing is left to load.
   */
  load?(): Promise<void> | undefined;
  /**
   * Checks the configuration and binds it.
   * @param rep the decoded side; for bytes-to-bytes codecs, the input of the array-to-bytes codec
   * @param registry registry for codecs that contain codec chains
   * @throws MetadataError that names the invalid option; UnsupportedError for an unsupported one
   */
  create(configuration: JsonObject, rep: ChunkRep, registry: CodecRegistry): Bound;
}
export type ArrayToArrayCodec = CodecOf<'array-to-array', ArrayToArray>;
export type ArrayToBytesCodec = CodecOf<'array-to-bytes', ArrayToBytes>;
export type BytesToBytesCodec = CodecOf<'bytes-to-bytes', BytesToBytes>;
export type Codec = ArrayToArrayCodec | ArrayToBytesCodec | BytesToBytesCodec;

const kinds: readonly unknown[] = [
  'array-to-array',
  'array-to-bytes',
  'bytes-to-bytes',
] satisfies Codec['kind'][];

export function isCodec(value: unknown): value is Codec {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, name, create }: Partial<Record<keyof Codec, unknown>> = value;
  return kinds.includes(kind) && typeof name === 'string' && typeof create === 'function';
}

/** Codecs by the names that metadata use: v3 names, `numcodecs.*`, v2 ids. See `createDefaultRegistry`. */
export interface CodecRegistry {
  readonly codecs: ReadonlyMap<string, Codec>;
  /** Names of the built-in codecs. Decoding threads bind these by name. */
  readonly builtIn: ReadonlySet<string>;
}

/** A bound codec and its position in a chain. */
interface InChain {
  readonly spec: CodecSpec;
  /** Representation of the chunk on the decoded side. */
  readonly rep: ChunkRep;
  /** Nanoseconds to decode one byte with an added codec; `speed.ts` has the times of built-in codecs. */
  readonly nsPerByte?: number;
}
export interface BoundArrayToArray extends ArrayToArray, InChain {
  readonly kind: 'array-to-array';
}
export interface BoundArrayToBytes extends ArrayToBytes, InChain {
  readonly kind: 'array-to-bytes';
}
export interface BoundBytesToBytes extends BytesToBytes, InChain {
  readonly kind: 'bytes-to-bytes';
}
export type BoundCodec = BoundArrayToArray | BoundArrayToBytes | BoundBytesToBytes;

/** The bound codecs of a chunk in encoding order, created by `resolveChain`. */
export interface CodecChain {
  readonly specs: readonly CodecSpec[];
  /** Representation of the decoded chunk. */
  readonly rep: ChunkRep;
  readonly arrayToArray: readonly BoundArrayToArray[];
  readonly arrayToBytes: BoundArrayToBytes;
  readonly bytesToBytes: readonly BoundBytesToBytes[];
  /** sizes[i] is the input of bytesToBytes[i] when encoding; the last entry is the stored size. */
  readonly sizes: readonly Size[];
  /** Strides of a decoded chunk, by the dimensions of `rep`: in bytes, or in elements for `items`. */
  readonly strides: readonly number[];
  /** Whether a part of a chunk can be decoded without the rest: see `decodeChunk`. */
  readonly partialDecode: boolean;
  /**
   * Whether all codecs, including those of inner chains, are built in. Decoding threads can then bind them by
   * name.
   */
  readonly isStandard: boolean;
  /**
   * Modules of the added codecs by metadata name, including inner chains. Threads import them to bind the
   * chain. Undefined if an added codec has no module, so that only this thread can run the chain.
   */
  readonly modules: ReadonlyMap<string, CodecModule> | undefined;
  /**
   * Binds the same codecs to chunks of another shape.
   * @throws errors from `resolveChain`
   */
  ofShape(shape: readonly number[]): CodecChain;
  /** Codecs that must be loaded before the chain runs, including inner chains; see `loadCodecs`. */
  readonly loaded?: ReadonlySet<Codec>;
}

/** Structure of a shard (sharding codec specification 1.0, "Binary shard format"). */
export interface ShardSpec {
  /** The codecs of an inner chunk; its `rep` is the inner chunk. */
  readonly chain: CodecChain;
  /** Number of inner chunks along each dimension, on the decoded side of the sharding codec. */
  readonly counts: readonly number[];
  readonly indexChain: CodecChain;
  readonly indexLocation: 'start' | 'end';
  /** Stored size of the index, which is always exact. */
  readonly indexBytes: number;
}
