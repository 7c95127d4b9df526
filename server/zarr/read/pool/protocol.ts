/** Messages between codec threads and the thread that owns them. Everything is structured-cloneable. */
import type { Items } from '../../bytes/items.js';
import type { WasmModule } from '../../codec/wasm/load.js';
import type { ByteSpan, ChunkRep, CodecSpec } from '../../codec/codec.js';
import type { ReduceWork } from '../reduce/partial.js';
import type { Excess, ZarrErrorCode } from '../../errors.js';
import type {
  CloseMessage,
  OpenMessage,
  WakeMessage,
  WindowMessage,
  WindowReply,
} from '../direct/protocol.js';

/** Given to a thread when it starts. */
export interface WorkerStart {
  /** Compiled once, shared: a thread neither compiles nor optimises it again. */
  readonly wasm: WasmModule;
}

/** The module of an added codec, and the name that metadata have for it. */
export interface NamedModule {
  readonly name: string;
  readonly url: string;
  readonly export: string;
}

/** A chain as plain data; the thread binds its codecs by name again, and remembers it by `id`. */
export interface ChainMessage {
  readonly kind: 'chain';
  readonly id: number;
  readonly specs: readonly CodecSpec[];
  readonly rep: ChunkRep;
  readonly modules: readonly NamedModule[];
}

/**
 * Chunks of one chain. The slot holds room for the decoded chunks, one behind the other, and then the encoded ones:
 * bytes in a message would be copied twice, and a view would take its whole buffer along.
 */
export interface DecodeMessage {
  readonly kind: 'decode';
  readonly id: number;
  readonly chain: number;
  readonly slot: SharedArrayBuffer;
  readonly chunkBytes: number;
  /** Bytes of each encoded chunk. */
  readonly lengths: readonly number[];
  /** The part of each decoded chunk that is needed. */
  readonly needed: readonly ByteSpan[];
  /** For each chunk: what the thread makes of it. */
  readonly reduce: readonly (ReduceWork | undefined)[];
}

/** One large chunk, whose encoded bytes are transferred; so are the decoded ones, back. */
export interface DecodeLargeMessage {
  readonly kind: 'decode-large';
  readonly id: number;
  readonly chain: number;
  readonly encoded: Uint8Array;
  readonly chunkBytes: number;
  readonly needed: ByteSpan;
  readonly reduce: ReduceWork | undefined;
}

/** One chunk of variable length, whose encoded bytes are transferred; so are its items, back. */
export interface DecodeItemsMessage {
  readonly kind: 'decode-items';
  readonly id: number;
  readonly chain: number;
  readonly encoded: Uint8Array;
  /** Bytes that it may take. */
  readonly limit: number;
}

/** One chunk to be encoded: its values, C order, at the beginning of the slot. */
export interface EncodeMessage {
  readonly kind: 'encode';
  readonly id: number;
  readonly chain: number;
  readonly slot: SharedArrayBuffer;
  readonly chunkBytes: number;
}

/** One large chunk to be encoded, whose values are transferred. */
export interface EncodeLargeMessage {
  readonly kind: 'encode-large';
  readonly id: number;
  readonly chain: number;
  readonly bytes: Uint8Array;
}

/** One chunk of variable length to be encoded, whose items are transferred. */
export interface EncodeItemsMessage {
  readonly kind: 'encode-items';
  readonly id: number;
  readonly chain: number;
  readonly items: Items;
}

/** No chain sent so far will be used again. */
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
  | OpenMessage
  | WindowMessage
  | CloseMessage;

/** What became of one chunk: where its elements lie (and its bytes, if large), its encoded bytes, or the error. */
export type Outcome =
  | { readonly encoded: Uint8Array }
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

/** The end of a job. */
export type JobReply = OutcomesReply | WindowReply;

export type FromWorker = JobReply | WakeMessage;
