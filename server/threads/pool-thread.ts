/** One thread of the pool and its jobs. Started and replaced by `codec-pool.ts` only. */
import { Worker } from 'node:worker_threads';
import type { Items } from '../core/bytes/items.js';
import type { CodecChain } from '../format/codec/codec.js';
import { compiledWasm } from '../core/wasm/load.js';
import { CodecError } from '../core/errors.js';
import { runLater, runNow } from '../core/turns.js';
import { createChainIds } from './chain-ids.js';
import { createDirectPort, type DirectPort } from './direct-port.js';
import { Jobs, withOutcomes, type NewJob, type ThreadEvents } from './jobs.js';
import { copyInTurns } from '../core/bytes/large-buffers.js';
import { decodedOf, errorOf, type Decoded, type EncodedChunk } from './outcomes.js';
import type { FromWorker, Outcome, ToWorker, WorkerStart } from './protocol.js';
import { createSlots, packBatch } from './slots.js';
import { createWorkspace, type EncodeRequest, type Reservation, type Workspace } from './workspace.js';

/** Number of slots per thread: one in use by the thread, one waiting, one being copied. */
const SLOTS_PER_THREAD = 3;
/** Size, in bytes, above which a thread that has processed a chunk exits to free its memory. */
const RETIRING_BYTES = 64 * 2 ** 20;

export class PoolThread {
  /** Port for reads whose files the thread opens. */
  readonly direct: DirectPort;
  readonly #wake: (read: number) => void;
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #jobs = new Jobs(() =>
    this.#lost(new CodecError('the decoding thread was terminated while it ran a cancelled request')),
  );
  readonly #chainId: (chain: CodecChain) => number;
  readonly #slots = createSlots(SLOTS_PER_THREAD);
  #ids = 0;
  /** Number of workspaces that occupy capacity while their values are collected. */
  #reserved = 0;
  #hasStarted = false;
  #isEnding = false;
  /** Whether the thread will exit when its jobs are done. */
  #isRetiring = false;

  constructor(entry: URL, events: ThreadEvents) {
    this.#events = events;
    const start: WorkerStart = { wasm: compiledWasm('codecs') };
    // The flags of the program, such as a loader, do not apply to the thread.
    this.#worker = new Worker(entry, { workerData: start, execArgv: [] });
    this.#worker.on('message', (message: FromWorker) => this.#received(message));
    this.#worker.on('error', (error) => this.#lost(error));
    const exited = new Promise<void>((resolve) => {
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
    const { port, wake } = createDirectPort({
      exited,
      isOpen: () => !this.#isEnding && !this.#isRetiring,
      chainId: this.#chainId,
      send: (message) => this.#worker.postMessage(message),
      begin: (job) => this.#begin(job),
      post: (id, message) => this.#work(id, message),
    });
    this.direct = port;
    this.#wake = wake;
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

  decode(
    chain: CodecChain,
    chunkBytes: number,
    chunks: readonly EncodedChunk[],
    each: (i: number, decoded: Decoded) => void,
    signal: AbortSignal | undefined,
  ): void {
    const batch = packBatch(this.#slots, chunkBytes, chunks);
    const { slot, lengths } = batch;
    const needed = chunks.map((chunk) => chunk.needed);
    const reduce = chunks.map((chunk) => chunk.reduce);
    const chainId = this.#chainId(chain);
    const id = this.#begin({
      isLarge: false,
      signal,
      finish: withOutcomes((outcomes) => {
        outcomes.forEach((outcome, i) => each(i, decodedOf(outcome, batch.decodedAt(i))));
        this.#slots.release(slot);
      }),
      fail: () => batch.copyEncoded().forEach((encoded, i) => each(i, { encoded })),
    });
    this.#work(id, { kind: 'decode', id, chain: chainId, slot, chunkBytes, lengths, needed, reduce });
  }

  /** @returns a promise that resolves when the encoded bytes are no longer needed */
  decodeLarge(
    chain: CodecChain,
    chunkBytes: number,
    { encoded, needed, reduce }: EncodedChunk,
    done: (decoded: Decoded) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const id = this.#begin({
      isLarge: true,
      signal,
      finish: withOutcomes(([outcome]) => done(decodedOf(outcome, undefined))),
      fail: (error) => done({ error }),
    });
    this.retireAfter(chunkBytes + encoded.length);
    return this.#give(id, encoded, signal, (own) => ({
      kind: 'decode-large',
      id,
      chain: this.#chainId(chain),
      encoded: own,
      chunkBytes,
      needed,
      reduce,
    }));
  }

  /** Decodes a copy of one chunk of variable length. */
  decodeItems(
    chain: CodecChain,
    encoded: Uint8Array,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<Outcome | undefined> {
    return this.#ask(signal, (id) =>
      this.#give(id, encoded, signal, (own) => ({
        kind: 'decode-items',
        id,
        chain: this.#chainId(chain),
        encoded: own,
        limit,
      })),
    );
  }

  /** @param transfer memory of the items */
  encodeItems(
    chain: CodecChain,
    items: Items,
    transfer: ArrayBuffer[],
    signal: AbortSignal | undefined,
  ): Promise<Outcome | undefined> {
    return this.#ask(signal, (id) => {
      this.#work(id, { kind: 'encode-items', id, chain: this.#chainId(chain), items }, transfer);
      return undefined;
    });
  }

  /** Runs one large job. */
  #ask(
    signal: AbortSignal | undefined,
    start: (id: number) => Promise<void> | undefined,
  ): Promise<Outcome | undefined> {
    return new Promise((resolve, reject) => {
      const finish = withOutcomes(([outcome]) => resolve(outcome));
      start(this.#begin({ isLarge: true, signal, finish, fail: reject }))?.catch(reject);
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
    return new Promise((resolve, reject) => {
      const id = this.#begin({ isLarge: false, signal, finish: withOutcomes(resolve), fail: reject });
      this.#work(id, { kind: 'encode', id, chain: chainId, slot, chunkBytes, count, path });
    });
  }

  /** @param bytes transferred if they fill their buffer */
  encodeLarge(chain: CodecChain, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const finish = withOutcomes(([outcome]) => {
        if (outcome !== undefined && 'encoded' in outcome) resolve(outcome.encoded);
        else reject(errorOf(outcome));
      });
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
    if ('wake' in message) return this.#wake(message.wake);
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
