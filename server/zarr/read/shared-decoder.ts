/** The decoding threads of programs that bring none of their own: started when a first read is worth them, then kept. */
import type { CodecChain } from '../codec/codec.js';
import { decodingNsPerByte } from '../codec/speed.js';
import { createDecoder, type Decoder } from './decoder.js';

/** Where chunks are decoded and encoded. */
export interface Decoding {
  /** Threads of one's own; undefined for those that all share, null for none. */
  readonly decoder?: Decoder | null | undefined;
  /** Whether the calling thread decodes as well. @default true */
  readonly here?: boolean | undefined;
}

/** Starting a thread costs this processor time; less decoding than that is not worth one. */
const WORTH_NS = 20_000_000;

let shared: Decoder | undefined;
let decodedNs = 0;

/**
 * Many small reads are worth a thread as much as a large one.
 * @param decodedBytes that a read will decode
 * @returns undefined as long as all reads together were not worth a thread's start
 */
function sharedDecoder(chain: CodecChain, decodedBytes: number): Decoder | undefined {
  // Sources, as tests run them, have no program that a thread could start from.
  if (import.meta.url.endsWith('.ts')) return undefined;
  if (shared !== undefined) return shared;
  decodedNs += decodingNsPerByte(chain) * decodedBytes;
  if (decodedNs >= WORTH_NS) shared = createDecoder();
  return shared;
}

/** The threads for a read or a write of so many bytes, if any are to be used. */
export function decoderFor(decoding: Decoding, chain: CodecChain, bytes: number): Decoder | undefined {
  return decoding.decoder === undefined ? sharedDecoder(chain, bytes) : (decoding.decoder ?? undefined);
}
