/** A decoding thread: binds chains, decodes chunks into shared slots, answers. Started by `decoder.ts` alone. */
import { parentPort, workerData } from 'node:worker_threads';
import { resolveChain } from '../codec/chain.js';
import type { CodecChain } from '../codec/codec.js';
import { decodeChunk } from '../codec/decode-chunk.js';
import { createDefaultRegistry } from '../codec/registry.js';
import { provideWasm } from '../codec/wasm/load.js';
import { CodecError, LimitError, ZarrError } from '../errors.js';
import type { DecodeMessage, FromWorker, Outcome, ToWorker, WorkerStart } from './worker-protocol.js';

const registry = createDefaultRegistry();
const chains = new Map<number, CodecChain>();

function start({ wasm }: WorkerStart): void {
  provideWasm('codecs', wasm);
  parentPort?.on('message', (message: ToWorker) => {
    if (message.kind === 'chain') chains.set(message.id, resolveChain(registry, message.specs, message.rep));
    else answer({ id: message.id, outcomes: decodeAll(message) });
  });
  answer({ id: 0, outcomes: [] });
}

function answer(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function decodeAll({ chain, slot, chunkBytes, lengths }: DecodeMessage): Outcome[] {
  let at = chunkBytes * lengths.length;
  return lengths.map((length, i) => {
    const bytes = new Uint8Array(slot, at, length);
    at += length;
    try {
      return { strides: decodeInto(chain, bytes, new Uint8Array(slot, i * chunkBytes, chunkBytes)) };
    } catch (error) {
      if (!(error instanceof ZarrError))
        return {
          code: undefined,
          detail: error instanceof Error ? error.message : String(error),
          excess: [],
        };
      return {
        code: error.code,
        detail: error.detail,
        excess: error instanceof LimitError ? error.excess : [],
      };
    }
  });
}

function decodeInto(id: number, encoded: Uint8Array, into: Uint8Array): readonly number[] {
  const chain = chains.get(id);
  if (chain === undefined) throw new CodecError(`the decoding thread does not know the chain ${id}`);
  const { values, strides } = decodeChunk(chain, encoded, into.length, into);
  if ('items' in values || values.bytes.length !== into.length)
    throw new CodecError('the decoded chunk has another size than it must');
  if (values.bytes !== into) into.set(values.bytes);
  return strides;
}

const given: unknown = workerData;
if (isStart(given)) start(given);

function isStart(data: unknown): data is WorkerStart {
  return typeof data === 'object' && data !== null && 'wasm' in data;
}
