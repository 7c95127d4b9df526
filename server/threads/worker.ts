/**
 * The program of a decoding thread: binds chains, runs jobs, and replies. Started by `pool-thread.ts` only.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ChunkValues } from '../format/codec/codec.js';
import { encodeChunk } from '../format/codec/run-chain.js';
import { provideWasm } from '../core/wasm/load.js';
import { CodecError } from '../core/errors.js';
import { reduceBox } from './box.js';
import { attempt } from './outcomes.js';
import { claimed, type EncodeMessage, type FromWorker, type JobMessage, type Outcome, type ReadMessage, type ToWorker, type WorkerStart } from './protocol.js'; // prettier-ignore
import { ownCopy, ThreadRead } from './run-job.js';
import { ThreadChains } from './thread-chains.js';

/** Minimum size, in bytes, of arrays in partial results that are transferred instead of copied. */
const TRANSFERRED_BYTES = 16 * 1024;

const chains = new ThreadChains();
/** Open reads, or the errors of those that could not be opened. */
const reads = new Map<number, ThreadRead | { readonly error: unknown }>();

function start({ wasm, claims: shared }: WorkerStart): void {
  const claims = new Int32Array(shared);
  const claim = (at: number): boolean =>
    Atomics.compareExchange(claims, at, claimed.open, claimed.byThread) === claimed.open;
  provideWasm('codecs', wasm);
  const handle = (message: ToWorker): void => {
    switch (message.kind) {
      case 'chain':
        chains.add(message);
        return;
      case 'forget':
        chains.clear();
        return;
      case 'job':
        closeReads(message.closed);
        if (message.open !== undefined) reads.set(message.read, openRead(message.open));
        if (claim(message.claim)) runJob(message);
        else respond(message.id, []);
        return;
      case 'close':
        closeReads(message.reads);
        return;
      case 'box': {
        const reads = message.inputs.map(() => ({ requests: 0, bytes: 0 }));
        const isCancelled = (): boolean => Atomics.load(claims, message.claim) === claimed.back;
        const box = claim(message.claim)
          ? reduceBox(message, (chain) => chains.get(chain), reads, isCancelled)
          : undefined;
        post({ id: message.id, outcomes: [], reads, box }, arraysWithin(box?.partials));
        return;
      }
      case 'encode-items':
        respond(message.id, [attempt(() => encodeOne(message.chain, { items: message.items }))]);
        return;
      case 'encode':
        respond(message.id, encodeInSlot(message));
        return;
      case 'encode-large':
        respond(message.id, [attempt(() => encodeOne(message.chain, { bytes: message.bytes }))]);
    }
  };
  parentPort?.on('message', (message: ToWorker) => chains.run(() => handle(message)));
  post({ id: 0, outcomes: [] }, []);
}

/** The error of a chain that cannot be bound is that of every chunk. */
function openRead(message: ReadMessage): ThreadRead | { readonly error: unknown } {
  try {
    return new ThreadRead(message, chains.get(message.chain));
  } catch (error) {
    return { error };
  }
}

function closeReads(closed: readonly number[]): void {
  for (const read of closed) reads.delete(read);
}

function runJob(message: JobMessage): void {
  const { id, input } = message;
  const read = reads.get(message.read);
  const tally = { requests: 0, bytes: 0 };
  let outcomes: Outcome[];
  if (read instanceof ThreadRead) outcomes = read.run(message, tally);
  else {
    const outcome = attempt(() => {
      throw read === undefined ? new CodecError(`unknown read ${message.read}`) : read.error;
    });
    const count = 'spans' in input ? input.spans.flatMap(({ chunks }) => chunks).length : input.chunks.length;
    outcomes = new Array<Outcome>(count).fill(outcome);
  }
  respond(id, outcomes, 'spans' in input ? [tally] : undefined);
}

function post(message: FromWorker, transferred: readonly ArrayBufferView[]): void {
  parentPort?.postMessage(message, [...buffersOf(transferred)]);
}

/** Transfers the bytes, items and large arrays of the outcomes. */
function respond(id: number, outcomes: Outcome[], reads?: FromWorker['reads']): void {
  const message = reads === undefined ? { id, outcomes } : { id, outcomes, reads };
  post(message, outcomes.flatMap(arraysOf));
}

function buffersOf(arrays: readonly ArrayBufferView[]): Set<ArrayBuffer> {
  const buffers = new Set<ArrayBuffer>();
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer) buffers.add(buffer);
  return buffers;
}

function arraysOf(outcome: Outcome): readonly ArrayBufferView[] {
  if ('encoded' in outcome) return [outcome.encoded];
  if ('absent' in outcome) return outcome.bytes === undefined ? [] : [outcome.bytes];
  if (!('decoded' in outcome)) return [];
  const { bytes, items, partials } = outcome;
  if (partials !== undefined) return arraysWithin(partials);
  if (items !== undefined) return [items.starts, items.lengths, items.bytes];
  return bytes === undefined ? [] : [bytes];
}

function encodeOne(chain: number, values: ChunkValues): Outcome {
  const encoded = encodeChunk(chains.get(chain), values);
  // Copies the bytes, because codecs may return a view of a buffer that they reuse.
  return { encoded: encoded.byteLength === encoded.buffer.byteLength ? encoded : encoded.slice() };
}

/** Encodes chunks in a slot, and replaces their values with the encoded bytes. */
function encodeInSlot({ chain, slot, chunkBytes, count, path }: EncodeMessage): Outcome[] {
  const memory = new Uint8Array(slot);
  let end = 0;
  return Array.from({ length: count }, (_, i) =>
    attempt((): Outcome => {
      const start = i * chunkBytes;
      const values = ownCopy(memory.subarray(start, start + chunkBytes));
      const encoded = encodeChunk(chains.get(chain), { bytes: values });
      if (path !== undefined && writeNewFile(path, encoded)) return { inFile: encoded.length };
      // Encoded bytes that would overwrite the values of the next chunk are returned as a copy.
      if (end + encoded.length > start + chunkBytes) return { encoded: encoded.slice() };
      memory.set(encoded, end);
      end += encoded.length;
      return { inSlot: encoded.length };
    }),
  );
}

/**
 * Writes encoded bytes to a new file.
 * @returns false if writing failed; the store then writes the bytes and reports the error
 */
function writeNewFile(path: string, bytes: Uint8Array): boolean {
  try {
    const file = openSync(path, 'wx');
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    return false;
  }
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

const startData: unknown = workerData;
if (isStart(startData)) start(startData);

function isStart(data: unknown): data is WorkerStart {
  return typeof data === 'object' && data !== null && 'wasm' in data && 'claims' in data;
}
