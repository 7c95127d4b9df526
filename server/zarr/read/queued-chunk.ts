/** What chunks that wait to be decoded have in common. */
import type { Items } from '../bytes/items.js';
import type { DecodedChunk } from '../codec/decode-chunk.js';
import type { CodecPool } from './pool/codec-pool.js';

export interface QueueOptions {
  readonly decoder: CodecPool | undefined;
  /** Whether this thread decodes as well, while the others have enough to do. */
  readonly decodesHere: boolean;
  readonly signal: AbortSignal;
  /** Bytes that a chunk's values of variable length may take. */
  itemLimit(): number;
  /** What a chunk's values of variable length took. */
  charge(items: Items): void;
}

/** Who wants to see a chunk when it is decoded; its bytes are valid only within the call. */
export type OnDecoded = (chunk: DecodedChunk) => void;

/** A chunk that is not decoded within `add`. */
export interface Queued {
  /** Resolves when the encoded bytes are not needed any more; undefined: they are not. */
  readonly taken: Promise<void> | undefined;
  /** Rejects as decodeChunk throws. */
  readonly decoded: Promise<void>;
}
