/** One thread of the pool and its jobs. Started and replaced by `codec-pool.ts` only. */
import { defined } from '../../wire/guards.js';
import { Worker } from 'node:worker_threads';
import type { Items } from '../core/bytes/items.js';
import type { CodecChain } from '../format/codec/codec.js';
import { compiledWasm } from '../core/wasm/load.js';
import { heldBytes, itemBytes } from '../core/dtype/item-values.js';
import { CodecError } from '../core/errors.js';
import { asError } from '../core/deferred.js';
import { runLater, runNow } from '../core/turns.js';
import { createChainIds } from './chain-ids.js';
import { Jobs, type NewJob, type ThreadEvents } from './job-queue.js';
import { copyInTurns } from '../core/bytes/large-buffers.js';
import { decodedOf, errorOf, type EncodedChunk } from './outcomes.js';
import {
  type BoxJob,
  isLargeJob,
  type JobChunks,
  type JobRead,
  type TakeBack,
  type UseResults,
} from './job.js';
import { claimed } from './protocol.js';
import type { BoxInputMessage, BytesChunk, FromWorker, JobInput, JobMessage, JobReply, Outcome, ToWorker, WorkerStart } from './protocol.js'; // prettier-ignore
import { createSlots, resultBytes, slotStarts } from './slots.js';
import { createWorkspace, type EncodeRequest, type Reservation, type Workspace } from './workspace.js';

/** Number of slots per thread: one in use by the thread, one waiting, one being copied. */
const SLOTS_PER_THREAD = 3;
/** Number of states of jobs; see `claimed`. */
const CLAIMS = 64;
/** Size, in bytes, above which a thread that has processed a chunk exits to free its memory. */
const RETIRING_BYTES = 64 * 2 ** 20;

export class PoolThread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #jobs = new Jobs(() =>
    this.#lost(new CodecError('the decoding thread was terminated while it ran a cancelled request')),
  );
  readonly #chainId: (chain: CodecChain) => number;
  readonly #slots = createSlots(SLOTS_PER_THREAD);
  readonly #exited: Promise<void>;
  /** The reads that the thread has opened, with their numbers. */
  readonly #reads = new Map<JobRead, number>();
  /** Numbers of reads that the thread need not keep. */
  readonly #closed: number[] = [];
  readonly #claims = new Int32Array(new SharedArrayBuffer(4 * CLAIMS));
  #nextClaim = 0;
  #ids = 0;
  /** Number of workspaces that occupy capacity while their values are collected. */
  #reserved = 0;
  #hasStarted = false;
  #isEnding = false;
  /** Whether the thread will exit when its jobs are done. */
  #isRetiring = false;

  constructor(entry: URL, youngBytes: number | undefined, events: ThreadEvents) {
    this.#events = events;
    const { buffer: claims } = this.#claims;
    const start: WorkerStart = { wasm: compiledWasm('codecs'), claims };
    // The flags of the program, such as a loader, do not apply to the thread.
    const resourceLimits = youngBytes === undefined ? {} : { maxYoungGenerationSizeMb: youngBytes / 2 ** 20 };
    this.#worker = new Worker(entry, { workerData: start, execArgv: [], resourceLimits });
    this.#worker.on('message', (message: FromWorker) => this.#received(message));
    this.#worker.on('error', (error) => this.#lost(error));
    this.#exited = new Promise<void>((resolve) => {
      this.#worker.on('exit', () => {
        this.#lost(new CodecError('the decoding thread exited'));
        resolve();
      });
    });
    // Must come after the listeners: adding a 'message' listener refs the worker again.
    this.#worker.unref();
    this.#chainId = createChainIds(
      () => ++this.#ids,
      (message) => this.#worker.postMessage(message),
    );
  }

  get usable(): boolean {
    return this.#hasStarted && !this.#isEnding;
  }

  /** Number of jobs that the thread could accept now. A thread accepts only one large job at a time. */
  freeSlots(isLarge: boolean): number {
    if (!this.usable || this.#isRetiring) return 0;
    if (isLarge && this.#jobs.hasLarge) return 0;
    return SLOTS_PER_THREAD - this.#jobs.size - this.#reserved;
  }

  /** Runs a job; see `CodecPool.run`. */
  run(read: JobRead, chunks: JobChunks, use: UseResults, signal: AbortSignal | undefined): TakeBack {
    if ('spans' in chunks) return this.#runInSlot(read, { spans: chunks.spans }, [], use, signal);
    const [first] = chunks.encoded;
    if (first !== undefined && isLargeJob(read)) return this.#runLarge(read, first, use, signal);
    const sent = chunks.encoded.map(bytesChunk);
    const takeBack = this.#runInSlot(
      read,
      { chunks: sent, transferred: undefined },
      chunks.encoded,
      use,
      signal,
    );
    use.released?.();
    return takeBack;
  }

  /** @param encoded chunks to copy to the slot */
  #runInSlot(
    read: JobRead,
    input: JobInput,
    encoded: readonly EncodedChunk[],
    { each, reads }: UseResults,
    signal: AbortSignal | undefined,
  ): TakeBack {
    const lengths = resultBytes(input, read.chunkBytes);
    const { starts, end } = slotStarts(lengths);
    const bytes = encoded.reduce((sum, chunk) => sum + chunk.encoded.length, end);
    const slot = bytes === 0 ? undefined : this.#slots.take(bytes);
    const copies = slot === undefined ? [] : packed(encoded, slot, end);
    const claim = this.#newClaim();
    const id = this.#begin({
      isLarge: false,
      signal,
      finish: (reply) => {
        for (let i = 0; !claim.isBack() && i < lengths.length; i++) {
          const length = defined(lengths[i]);
          const result =
            slot === undefined || length === 0 ? undefined : new Uint8Array(slot, starts[i], length);
          each(i, decodedOf(reply.outcomes[i], result));
        }
        for (const each of reply.reads ?? []) reads?.(each);
        if (slot !== undefined) this.#slots.release(slot);
      },
      fail: (error) =>
        // Until the thread has exited, it may write to shared memory.
        void this.#exited.then(() => {
          for (let i = 0; !claim.isBack() && i < lengths.length; i++)
            // Copies the bytes, because not every codec accepts shared memory.
            each(i, { lost: error, encoded: copies[i]?.slice() });
        }),
    });
    const memory = memoryOf('spans' in input ? input.spans.flatMap(({ chunks }) => chunks) : input.chunks);
    this.#work(id, this.#jobMessage(id, read, input, slot, claim.at), memory);
    return claim.takeBack;
  }

  /** Transfers a copy of the chunk, and receives separate memory. */
  #runLarge(
    read: JobRead,
    chunk: EncodedChunk,
    { each, released }: UseResults,
    signal: AbortSignal | undefined,
  ): TakeBack {
    const { encoded } = chunk;
    const id = this.#begin({
      isLarge: true,
      signal,
      finish: ({ outcomes: [outcome] }) => {
        // The size of the items is unknown until they are decoded.
        if (outcome !== undefined && 'items' in outcome && outcome.items !== undefined)
          this.retireAfter(encoded.length + heldBytes(outcome.items));
        each(0, decodedOf(outcome, undefined));
      },
      fail: (error) => each(0, { lost: error, encoded: undefined }),
    });
    if (read.destination.kind === 'chunks') this.retireAfter(read.chunkBytes + encoded.length);
    const message = (own: Uint8Array): ToWorker =>
      this.#jobMessage(
        id,
        read,
        { chunks: [bytesChunk(chunk)], transferred: own },
        undefined,
        this.#newClaim().at,
      );
    const end = (): void => released?.();
    this.#give(id, encoded, signal, message).then(end, end);
    return () => false;
  }

  #jobMessage(
    id: number,
    read: JobRead,
    input: JobInput,
    slot: SharedArrayBuffer | undefined,
    claim: number,
  ): JobMessage {
    const known = this.#reads.get(read);
    const number = known ?? ++this.#ids;
    if (known === undefined) this.#reads.set(read, number);
    const open = known === undefined ? { ...read, chain: this.#chainId(read.chain) } : undefined;
    return { kind: 'job', id, read: number, open, closed: this.#closed.splice(0), input, slot, claim };
  }

  /** States are reused: a thread has far fewer jobs at a time. */
  #newClaim(): { at: number; isBack: () => boolean; takeBack: TakeBack; cancel: () => void } {
    const claims = this.#claims;
    const at = this.#nextClaim++ % CLAIMS;
    let isBack = false;
    Atomics.store(claims, at, claimed.open);
    return {
      at,
      isBack: () => isBack,
      takeBack() {
        isBack ||= Atomics.compareExchange(claims, at, claimed.open, claimed.back) === claimed.open;
        return isBack;
      },
      cancel: () => void Atomics.store(claims, at, claimed.back),
    };
  }

  /** The thread forgets the read: at once if it has its result, otherwise with the next message. */
  closeRead(read: JobRead): void {
    const number = this.#reads.get(read);
    if (number === undefined) return;
    this.#reads.delete(read);
    this.#closed.push(number);
    if (read.destination.kind === 'memory' && !this.#isEnding)
      this.#worker.postMessage({ kind: 'close', reads: this.#closed.splice(0) } satisfies ToWorker);
  }

  /** Reduces a box; see `CodecPool.runBox`. */
  runBox(
    { inputs, shape, rules }: BoxJob,
    use: (reply: JobReply | undefined) => void,
    signal: AbortSignal | undefined,
  ): TakeBack {
    const claim = this.#newClaim();
    const id = this.#begin({
      isLarge: false,
      signal,
      finish: use,
      fail: () => void this.#exited.then(() => use(undefined)),
    });
    const transferred: ArrayBuffer[] = [];
    const sent = inputs.map((input): BoxInputMessage => {
      if ('values' in input) {
        const { buffer, byteLength } = input.values;
        if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) transferred.push(buffer);
        return input;
      }
      const { chain, read, ...message } = input;
      return { ...message, read: { ...read, chain: this.#chainId(chain) } };
    });
    this.#work(id, { kind: 'box', id, claim: claim.at, shape, rules, inputs: sent }, transferred);
    // The reply of a cancelled box is awaited, because the thread may write to the slots.
    return () => {
      claim.cancel();
      return false;
    };
  }

  /**
   * Encodes one chunk of variable length.
   * @param items items, which are transferred
   * @throws errors from encoding
   */
  async encodeItems(
    chain: CodecChain,
    { starts, lengths, bytes }: Items,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const items = { starts, lengths, bytes };
    const worked = heldBytes(items) + itemBytes(items);
    const buffers = new Set<ArrayBuffer>();
    for (const { buffer } of [starts, lengths, bytes]) if (buffer instanceof ArrayBuffer) buffers.add(buffer);
    const chainId = this.#chainId(chain);
    const [outcome] = await this.#ask(
      true,
      signal,
      (id) => ({ kind: 'encode-items', id, chain: chainId, items }),
      [...buffers],
    );
    this.retireAfter(worked);
    return encodedOf(outcome);
  }

  /** Sends one message, and receives its outcomes. */
  #ask(
    isLarge: boolean,
    signal: AbortSignal | undefined,
    message: (id: number) => ToWorker,
    transfer: ArrayBuffer[] = [],
  ): Promise<readonly Outcome[]> {
    return new Promise((resolve, reject) => {
      const id = this.#begin({ isLarge, signal, finish: ({ outcomes }) => resolve(outcomes), fail: reject });
      this.#work(id, message(id), transfer);
    });
  }

  reserve(chain: CodecChain, { chunkBytes, count, occupiesCapacity }: Reservation): Workspace {
    if (occupiesCapacity) this.#reserved++;
    const slot = this.#slots.take(chunkBytes * count);
    const collected = (): void => void (occupiesCapacity && this.#reserved--);
    return createWorkspace(this, chain, slot, chunkBytes, collected);
  }

  release(slot: SharedArrayBuffer): void {
    this.#slots.release(slot);
    this.#events.onAvailable();
  }

  encodeSlot(
    chain: CodecChain,
    slot: SharedArrayBuffer,
    chunkBytes: number,
    { count, path, signal }: EncodeRequest,
  ): Promise<readonly Outcome[]> {
    const chainId = this.#chainId(chain);
    return this.#ask(false, signal, (id) => ({
      kind: 'encode',
      id,
      chain: chainId,
      slot,
      chunkBytes,
      count,
      path,
    }));
  }

  /** @param bytes transferred if they fill their buffer */
  encodeLarge(chain: CodecChain, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const finish = ({ outcomes: [outcome] }: JobReply): void => {
        try {
          resolve(encodedOf(outcome));
        } catch (error) {
          reject(asError(error));
        }
      };
      const id = this.#begin({ isLarge: true, signal, finish, fail: reject });
      this.retireAfter(2 * bytes.length);
      const chainId = this.#chainId(chain);
      const message = (own: Uint8Array): ToWorker => ({
        kind: 'encode-large',
        id,
        chain: chainId,
        bytes: own,
      });
      if (bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.length)
        this.#work(id, message(bytes), [bytes.buffer]);
      else this.#give(id, bytes, signal, message).catch(reject);
    });
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    await this.#worker.terminate();
  }

  /** Copies bytes in pieces, then transfers the copy. */
  async #give(
    id: number,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
    message: (own: Uint8Array) => ToWorker,
  ): Promise<void> {
    try {
      const own = await copyInTurns(bytes, signal);
      if (this.#jobs.has(id)) this.#work(id, message(own), [own.buffer]);
    } catch (error) {
      this.#jobs.end(id)?.fail(error instanceof Error ? error : new CodecError(String(error)));
      this.#settle();
    }
  }

  #begin(job: NewJob): number {
    const id = ++this.#ids;
    this.#jobs.add(id, job);
    // Keeps the process alive while it waits for a result.
    this.#worker.ref();
    return id;
  }

  #work(id: number, message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
    this.#jobs.posted(id);
  }

  #received(message: FromWorker): void {
    this.#hasStarted = true;
    const finish = (): void => {
      this.#jobs.end(message.id)?.finish(message);
      this.#settle();
    };
    // Results of several threads can arrive together, and each may take milliseconds to place.
    if (!runNow(finish)) runLater(finish);
  }

  #settle(): void {
    if (this.#jobs.size === 0) {
      this.#worker.unref();
      if (this.#isRetiring && !this.#isEnding) {
        this.#isEnding = true;
        this.#worker.terminate().catch(() => undefined);
        this.#events.onEnd(true);
      }
    }
    this.#jobs.watchFirst();
    this.#events.onAvailable();
  }

  /**
   * Makes the thread exit after its current jobs, because the memory of WebAssembly and scratch buffers
   * never shrinks.
   */
  retireAfter(bytes: number): void {
    if (bytes <= RETIRING_BYTES) return;
    this.#isRetiring = true;
    // The limit is also checked at the end of a job, because the memory of a job may be unknown until then.
    if (this.#jobs.size === 0) this.#settle();
  }

  #lost(error: Error): void {
    const wasEnding = this.#isEnding;
    this.#isEnding = true;
    for (const job of this.#jobs.endAll()) job.fail(error);
    this.#worker.terminate().catch(() => undefined);
    if (!wasEnding) this.#events.onEnd(this.#hasStarted);
    this.#events.onAvailable();
  }
}

function bytesChunk({ encoded, needed, limit = 0, reduce, into }: EncodedChunk): BytesChunk {
  return { length: encoded.length, needed, limit, reduce, into };
}

/** The memory for decoded chunks, to be transferred. */
function memoryOf(chunks: readonly { readonly into: Uint8Array | undefined }[]): ArrayBuffer[] {
  return chunks.flatMap(({ into }) => (into?.buffer instanceof ArrayBuffer ? [into.buffer] : []));
}

/** @throws the error of the outcome */
function encodedOf(outcome: Outcome | undefined): Uint8Array {
  if (outcome !== undefined && 'encoded' in outcome) return outcome.encoded;
  throw errorOf(outcome);
}

/** Copies encoded chunks to a slot. @returns the copies */
function packed(chunks: readonly EncodedChunk[], slot: SharedArrayBuffer, start: number): Uint8Array[] {
  let at = start;
  return chunks.map(({ encoded }) => {
    const copy = new Uint8Array(slot, at, encoded.length);
    copy.set(encoded);
    at += encoded.length;
    return copy;
  });
}
