/** Messages between decoding threads and the thread that owns them. Everything is structured-cloneable. */
import type { Items } from '../core/bytes/items.js';
import type { WasmModule } from '../core/wasm/load.js';
import type { ByteSpan } from '../core/bytes/values.js';
import type { Element, FixedSizeType } from '../core/dtype/data-type.js';
import type { ChunkRep, CodecSpec } from '../format/codec/codec.js';
import type { TaskAxis } from '../compute/axis-map.js';
import type { Gather } from '../compute/gather-rows.js';
import type { PieceForm } from '../compute/piece.js';
import type { Program } from '../compute/program/program.js';
import type { ReduceSpec, ReduceWork } from '../compute/reduce/partial.js';
import type { Destination } from '../compute/reduce/sink.js';
import type { Excess, ZarrErrorCode } from '../core/errors.js';
import type { FolderAccess } from '../store/store.js';
import type { SharedPlan } from './shared-plan.js';
import type { Span, SpanChunk } from './spans.js';

/** Passed to a thread when it starts. */
export interface WorkerStart {
  /** States of jobs and boxes; see `claimed`. */
  readonly claims: SharedArrayBuffer;
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

/** The chains that were sent before will not be used again. */
interface ForgetMessage {
  readonly kind: 'forget';
}

/**
 * State of a job or a box, so that it is either run by the thread or taken back by the owner: each replaces `open` by its
 * own state. A thread replies at once to a job that was taken back, and ends a box that is `back` while it runs.
 */
export const claimed = { open: 0, byThread: 1, back: 2 } as const;

/** What the jobs of a read have in common. A thread receives it with the first of them. */
export interface ReadMessage {
  readonly chain: number;
  /** Size of a decoded chunk in bytes; for values of variable length, its minimum charge. */
  readonly chunkBytes: number;
  readonly destination: Destination;
  /** The plan, for destinations that depend on the position of a chunk. */
  readonly plan: SharedPlan | undefined;
  /** The folder of the chunks, for reads of files. */
  readonly files: FileAccess | undefined;
}

export interface FileAccess {
  readonly folder: FolderAccess;
  /** Maximum stored size of a chunk in bytes. */
  readonly maxBytes: number;
}

/** Chunks of one read: to decode, and to pass to the destination of the read. */
export interface JobMessage {
  readonly kind: 'job';
  readonly id: number;
  readonly read: number;
  /** Sent with the first job of the read. */
  readonly open: ReadMessage | undefined;
  /** Numbers of other reads that have ended. */
  readonly closed: readonly number[];
  readonly input: JobInput;
  /** Index of its state in `WorkerStart.claims`. */
  readonly claim: number;
  /**
   * Memory for the results, one after the other (see `slotStarts`), followed by encoded chunks, because bytes in a
   * message would be copied twice. Undefined if nothing is in the slot.
   */
  readonly slot: SharedArrayBuffer | undefined;
}

export type JobInput =
  /** Encoded chunks: in the slot, or a single one that is transferred. */
  | { readonly chunks: readonly BytesChunk[]; readonly transferred: Uint8Array | undefined }
  /** Parts of files. */
  | { readonly spans: readonly Span<FileChunk>[] };

export interface BytesChunk {
  /** Size of the encoded chunk in bytes. */
  readonly length: number;
  /** The needed part of the decoded chunk. */
  readonly needed: ByteSpan;
  /** Maximum size of a chunk of variable length in bytes. */
  readonly limit: number;
  /** Processing of the chunk on the thread. */
  readonly reduce: readonly ReduceWork[] | undefined;
  /** Memory for the result, which is transferred; undefined if it is in the slot. */
  readonly into: Uint8Array | undefined;
}

export interface FileChunk extends SpanChunk {
  /** Position in the grid of chunks. */
  readonly position: readonly number[];
  /** Size of its result in the slot; 0 if the result is elsewhere. */
  readonly slotBytes: number;
  /** See `BytesChunk.into`. */
  readonly into: Uint8Array | undefined;
}

/** Reads have ended whose memory the thread must release at once. */
interface CloseMessage {
  readonly kind: 'close';
  readonly reads: readonly number[];
}

/** Chunks of which a box needs values. */
export interface BoxReadMessage {
  /** A read into memory of the thread; see `readBox`. */
  readonly read: Omit<ReadMessage, 'destination'>;
  readonly spans: readonly Span<FileChunk>[];
  /** The axis of the box for each dimension of the plan's shape. */
  readonly axes: readonly number[];
  /** Positions of chunks that are known to be absent. */
  readonly absent: readonly (readonly number[])[];
  /** The stored value of absent elements. */
  readonly fill: Element;
}

/** Values of a box that are in memory. */
export interface BoxValues {
  /** In C order of the box along the axes, before they are gathered. Transferred if they fill their buffer. */
  readonly values: Uint8Array;
  /** How many positions along one of the axes become those of the box. */
  readonly gathered?: { readonly count: number; readonly by: Gather } | undefined;
  readonly dtype: FixedSizeType;
  /** The axis of the box for each dimension of the values. */
  readonly axes: readonly number[];
}

export type BoxInputMessage = BoxReadMessage | BoxValues;

/** Computes one value from those of its inputs at the same position, and reduces these values. */
export interface BoxRule {
  /** The inputs of the program, by their index among those of the box. */
  readonly inputs: readonly number[];
  readonly program: Program;
  readonly form: PieceForm & Pick<ReduceSpec, 'reducer'>;
  readonly axes: readonly TaskAxis[];
  /** Memory for arrays of the partial result. */
  readonly slot: SharedArrayBuffer;
}

export interface BoxMessage {
  readonly kind: 'box';
  readonly id: number;
  /** See `JobMessage`. */
  readonly claim: number;
  readonly shape: readonly number[];
  readonly inputs: readonly BoxInputMessage[];
  /** One for each result of these inputs. */
  readonly rules: readonly BoxRule[];
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
interface EncodeLargeMessage {
  readonly kind: 'encode-large';
  readonly id: number;
  readonly chain: number;
  readonly bytes: Uint8Array;
}

/** One chunk of variable length to encode, whose items are transferred. */
interface EncodeItemsMessage {
  readonly kind: 'encode-items';
  readonly id: number;
  readonly chain: number;
  readonly items: Items;
}

export type ToWorker =
  | ChainMessage
  | ForgetMessage
  | JobMessage
  | CloseMessage
  | BoxMessage
  | EncodeMessage
  | EncodeLargeMessage
  | EncodeItemsMessage;

/** The result of one chunk. */
export type Outcome =
  | { readonly encoded: Uint8Array }
  /** Number of encoded bytes in the slot, after those of the preceding chunks. */
  | { readonly inSlot: number }
  /** Number of encoded bytes in the file. */
  | { readonly inFile: number }
  /** What a decoded chunk has that is not in its destination. */
  | DecodedOutcome
  /** The file of the chunk does not exist. Returns the unused memory for the chunk; see `FileChunk.into`. */
  | { readonly absent: true; readonly bytes: Uint8Array | undefined }
  | { readonly code: ZarrErrorCode | undefined; readonly detail: string; readonly excess: readonly Excess[] };

export interface DecodedOutcome {
  readonly decoded: true;
  /** A chunk that is not in the slot. */
  readonly bytes?: Uint8Array;
  readonly items?: Items;
  readonly partials?: readonly unknown[];
  /** Version of the chunk's file. */
  readonly version?: string | undefined;
}

/** Numbers of requests and bytes that a thread has read from files. */
export interface FileReads {
  readonly requests: number;
  readonly bytes: number;
}

/** A job has ended. */
export interface JobReply {
  readonly id: number;
  readonly outcomes: readonly Outcome[];
  /** For jobs that read files: one entry. For a box: one for each input. */
  readonly reads?: readonly FileReads[];
  /** The result of a box; undefined if it failed. */
  readonly box?: BoxOutcome | undefined;
}

export interface BoxOutcome {
  /** One for each rule. */
  readonly partials: readonly unknown[];
  /** The outcomes of each input's chunks. */
  readonly inputs: readonly (readonly Outcome[])[];
}

export type FromWorker = JobReply;
