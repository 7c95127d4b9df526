/**
 * The program of a decoding thread: binds chains, decodes and encodes chunks, runs direct reads, and replies. Started
 * by `pool-thread.ts` only.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { ByteSpan } from '../core/bytes/values.js';
import type { ChunkValues } from '../format/codec/codec.js';
import { decodeChunk, encodeChunk } from '../format/codec/run-chain.js';
import { provideWasm } from '../core/wasm/load.js';
import { CodecError } from '../core/errors.js';
import type { OpenMessage, WindowMessage } from './direct/protocol.js';
import { reduceBox } from './direct/thread-box.js';
import { keepRing, ThreadRead } from './direct/thread-read.js';
import { partialNow } from '../compute/reduce/partial.js';
import { attempt } from './outcomes.js';
import { encodeInSlot } from './encode-in-slot.js';
import type {
  DecodeLargeMessage,
  DecodeItemsMessage,
  DecodeMessage,
  FromWorker,
  Outcome,
  ToWorker,
  WorkerStart,
} from './protocol.js';
import { ThreadChains } from './thread-chains.js';

/** Minimum size, in bytes, of arrays in partial results that are transferred instead of copied. */
const TRANSFERRED_BYTES = 16 * 1024;

const chains = new ThreadChains();
const reads = new Map<number, ThreadRead>();

function start({ wasm }: WorkerStart): void {
  provideWasm('codecs', wasm);
  const handle = (message: ToWorker): void => {
    switch (message.kind) {
      case 'chain':
        chains.add(message);
        return;
      case 'forget':
        chains.clear();
        return;
      case 'direct-window':
        closeReads(message.closed);
        if (message.open !== undefined) openRead(message.read, message.open);
        runWindow(message);
        return;
      case 'direct-box': {
        const reply = reduceBox(message, (chain) => chains.get(chain));
        post(reply, reply.box?.partial);
        return;
      }
      case 'direct-close':
        closeReads(message.reads);
        return;
      case 'decode':
        respond(message.id, decodeAll(message));
        return;
      case 'decode-large':
        respond(message.id, [attempt(() => decodeLarge(message))]);
        return;
      case 'decode-items':
        respond(message.id, [attempt(() => decodeItems(message))]);
        return;
      case 'encode-items':
        respond(message.id, [attempt(() => encodeOne(message.chain, { items: message.items }))]);
        return;
      case 'encode':
        respond(
          message.id,
          encodeInSlot(() => chains.get(message.chain), message, ownCopy),
        );
        return;
      case 'encode-large':
        respond(message.id, [attempt(() => encodeOne(message.chain, { bytes: message.bytes }))]);
    }
  };
  parentPort?.on('message', (message: ToWorker) => chains.run(() => handle(message)));
  post({ id: 0, outcomes: [] });
}

/** A chain that cannot be bound is ignored here; the pipeline reports the error. */
function openRead(read: number, message: OpenMessage): void {
  keepRing(message.destination);
  try {
    reads.set(read, new ThreadRead(read, message, chains.get(message.chain), post));
  } catch {
    reads.delete(read);
  }
}

function closeReads(closed: readonly number[]): void {
  for (const read of closed) reads.delete(read);
}

/** A read that is not open is skipped here; other threads take its tasks. */
function runWindow(message: WindowMessage): void {
  const reply = reads.get(message.read)?.run(message) ?? { id: message.id, versions: [], partials: [] };
  post(reply, reply.partials);
}

/** @param partials partial results whose large arrays are transferred */
function post(message: FromWorker, partials?: unknown): void {
  parentPort?.postMessage(message, [...buffersOf(arraysWithin(partials))]);
}

/** Transfers the bytes, items and large arrays of the outcomes. */
function respond(id: number, outcomes: Outcome[]): void {
  const message: FromWorker = { id, outcomes };
  parentPort?.postMessage(message, [...buffersOf(outcomes.flatMap(arraysOf))]);
}

function buffersOf(arrays: readonly ArrayBufferView[]): Set<ArrayBuffer> {
  const buffers = new Set<ArrayBuffer>();
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer) buffers.add(buffer);
  return buffers;
}

function arraysOf(outcome: Outcome): readonly ArrayBufferView[] {
  if ('encoded' in outcome) return [outcome.encoded];
  if (!('strides' in outcome)) return [];
  const { bytes, items, partial } = outcome;
  if (partial !== undefined) return arraysWithin(partial);
  if (items !== undefined) return [items.starts, items.lengths, items.bytes];
  return bytes === undefined ? [] : [bytes];
}

function decodeAll({ chain, slot, chunkBytes, lengths, needed, reduce }: DecodeMessage): Outcome[] {
  let at = chunkBytes * lengths.length;
  return lengths.map((length, i) => {
    const bytes = ownCopy(new Uint8Array(slot, at, length));
    at += length;
    return attempt(() => {
      const decoded = new Uint8Array(slot, i * chunkBytes, chunkBytes);
      const strides = decodeInto(chain, bytes, decoded, needed[i]);
      const work = reduce[i];
      if (work === undefined) return { strides };
      return { strides, partial: partialNow(work, { values: { bytes: decoded }, strides }) };
    });
  });
}

function decodeLarge({ chain, encoded, chunkBytes, needed, reduce }: DecodeLargeMessage): Outcome {
  const bytes = new Uint8Array(chunkBytes);
  const strides = decodeInto(chain, encoded, bytes, needed);
  // Only the partial result of the chunk is sent.
  if (reduce !== undefined) return { strides, partial: partialNow(reduce, { values: { bytes }, strides }) };
  return { strides, bytes };
}

function decodeItems({ chain, encoded, limit }: DecodeItemsMessage): Outcome {
  const { values, strides } = decodeChunk(chains.get(chain), encoded, limit);
  if (!('items' in values)) throw new CodecError('expected values of variable length in the decoded chunk');
  const { starts, lengths, bytes } = values.items;
  return { strides, items: { starts, lengths, bytes } };
}

function encodeOne(chain: number, values: ChunkValues): Outcome {
  const encoded = encodeChunk(chains.get(chain), values);
  // Copies the bytes, because codecs may return a view of a buffer that they reuse.
  return { encoded: encoded.byteLength === encoded.buffer.byteLength ? encoded : encoded.slice() };
}

/** The large arrays of a partial result. Small arrays are faster to copy. */
function arraysWithin(partial: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(partial))
    return partial.byteLength >= TRANSFERRED_BYTES && partial.byteLength === partial.buffer.byteLength
      ? [partial]
      : [];
  if (typeof partial !== 'object' || partial === null) return [];
  return Object.values(partial).flatMap(arraysWithin);
}

let scratch = new Uint8Array(0);

/** Copies bytes, because not every codec accepts shared memory. The copy is valid until the next call. */
function ownCopy(shared: Uint8Array): Uint8Array {
  if (scratch.length < shared.length) scratch = new Uint8Array(shared.length * 2);
  scratch.set(shared);
  return scratch.subarray(0, shared.length);
}

function decodeInto(
  id: number,
  encoded: Uint8Array,
  into: Uint8Array,
  needed: ByteSpan = { start: 0, end: into.length },
): readonly number[] {
  const { values, strides } = decodeChunk(chains.get(id), encoded, into.length, into, needed);
  if ('items' in values || values.bytes.length !== into.length)
    throw new CodecError('the size of the decoded chunk differs from the size in the request');
  if (values.bytes !== into) into.set(values.bytes.subarray(needed.start, needed.end), needed.start);
  return strides;
}

const startData: unknown = workerData;
if (isStart(startData)) start(startData);

function isStart(data: unknown): data is WorkerStart {
  return typeof data === 'object' && data !== null && 'wasm' in data;
}
