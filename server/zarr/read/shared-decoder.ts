/** The decoding threads of programs that bring none of their own: started when a first read is worth them, then kept. */
import type { CodecChain } from '../codec/codec.js';
import { decodingNsPerByte } from '../codec/speed.js';
import { createDecoder, type Decoder } from './decoder.js';

/** Starting a thread costs this processor time; less decoding than that is not worth one. */
const WORTH_NS = 20_000_000;

let shared: Decoder | undefined;
let decodedNs = 0;

/**
 * Many small reads are worth a thread as much as a large one.
 * @param decodedBytes that a read will decode
 * @returns undefined as long as all reads together were not worth a thread's start
 */
export function sharedDecoder(chain: CodecChain, decodedBytes: number): Decoder | undefined {
  // Sources, as tests run them, have no program that a thread could start from.
  if (import.meta.url.endsWith('.ts')) return undefined;
  if (shared !== undefined) return shared;
  decodedNs += decodingNsPerByte(chain) * decodedBytes;
  if (decodedNs >= WORTH_NS) shared = createDecoder();
  return shared;
}
