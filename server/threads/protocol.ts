/** Messages between decoding threads and the thread that owns them. Everything is structured-cloneable. */
import type { Items } from '../core/bytes/items.js';
import type { WasmModule } from '../core/wasm/load.js';
import type { ByteSpan } from '../core/bytes/values.js';
import type { ChunkRep, CodecSpec } from '../format/codec/codec.js';
import type { ReduceWork } from '../compute/reduce/partial.js';
import type { Excess, ZarrErrorCode } from '../core/errors.js';
import type {
  BoxMessage,
  BoxReply,
  CloseMessage,
  WakeMessage,
  WindowMessage,
  WindowReply,
} from './direct/protocol.js';

/** Passed to a thread when it starts. */
export interface WorkerStart {
  /** The WebAssembly module, compiled once and shared by all threads. */
  readonly wasm: WasmModule;
}

/** The module of an added codec, and its name in metadata. */
export interface NamedModule {
  readonly name: string;
  readonly url: string;
  readonly export: string;
}

/** A codec chain as plain data. The thread binds the codecs by name and caches the chain under `id`. */
export interface ChainMessage {
  readonly kind: 'chain';
  readonly id: number;
  readonly specs: readonly CodecSpec[];
  readonly rep: ChunkRep;
  readonly modules: readonly NamedModule[];
}

/**
 * Chunks of one chain. The slot contains space for the decoded chunks, followed by the encoded chunks,
 * because bytes in a message would be copied twice.
 */
export interface DecodeMessage {
  readonly kind: 'decode';
  readonly id: number;
  readonly chain: number;
  readonly slot: SharedArrayBuffer;
  readonly chunkBytes: number;
  /** Size of each encoded chunk in bytes. */
  readonly lengths: readonly number[];
  /** The needed part of each decoded chunk. */
  readonly needed: readonly ByteSpan[];
  /** Processing of each chunk on the thread. */
  readonly reduce: readonly (ReduceWork | undefined)[];
}

/** One large chunk. Its encoded bytes and the decoded ones are transferred. */
export interface DecodeLargeMessage {
  readonly kind: 'decode-large';
  readonly id: number;
  readonly chain: number;
  readonly encoded: Uint8Array;
  readonly chunkBytes: number;
  readonly needed: ByteSpan;
  readonly reduce: ReduceWork | undefined;
}

/** One chunk of variable length. Its encoded bytes and its items are transferred. */
export interface DecodeItemsMessage {
  readonly kind: 'decode-items';
  readonly id: number;
  readonly chain: number;
  readonly encoded: Uint8Array;
  /** Maximum total size of the items in bytes. */
  readonly limit: number;
}

/**
 * Chunks to encode: their values, in C order, at the start of the slot. Their encoded bytes replace them there.
 */
export interface EncodeMessage {
  readonly kind: 'encode';
  readonly id: number;
  readonly chain: number;
  readonly slot: SharedArrayBuffer;
  readonly chunkBytes: number;
  readonly count: number;
  /** Path of a new file for the encoded bytes of a single chunk; undefined to leave the bytes in the slot. */
  readonly path: string | undefined;
}

/** One large chunk to encode, whose values are transferred. */
export interface EncodeLargeMessage {
  readonly kind: 'encode-large';
  readonly id: number;
  readonly chain: number;
  readonly bytes: Uint8Array;
}

/** One chunk of variable length to encode, whose items are transferred. */
export interface EncodeItemsMessage {
  readonly kind: 'encode-items';
  readonly id: number;
  readonly chain: number;
  readonly items: Items;
}

/** The chains that were sent before will not be used again. */
export interface ForgetMessage {
  readonly kind: 'forget';
}

export type ToWorker =
  | ChainMessage
  | DecodeMessage
  | DecodeLargeMessage
  | DecodeItemsMessage
  | EncodeMessage
  | EncodeLargeMessage
  | EncodeItemsMessage
  | ForgetMessage
  | WindowMessage
  | BoxMessage
  | CloseMessage;

/**
 * The result of one chunk: its encoded bytes, its decoded values, its partial result, or the error. The decoded
 * bytes of a chunk that is not large are in the slot.
 */
export type Outcome =
  | { readonly encoded: Uint8Array }
  /** Number of encoded bytes in the slot, after those of the preceding chunks. */
  | { readonly inSlot: number }
  /** Number of encoded bytes in the file. */
  | { readonly inFile: number }
  | {
      readonly strides: readonly number[];
      readonly bytes?: Uint8Array;
      readonly items?: Items;
      readonly partial?: unknown;
    }
  | { readonly code: ZarrErrorCode | undefined; readonly detail: string; readonly excess: readonly Excess[] };

export interface OutcomesReply {
  readonly id: number;
  readonly outcomes: readonly Outcome[];
}

/** A job has ended. */
export type JobReply = OutcomesReply | WindowReply | BoxReply;

export type FromWorker = JobReply | WakeMessage;
