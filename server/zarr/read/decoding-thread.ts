/** One decoding thread, and what it is at. Started and replaced by `decoder.ts` alone. */
import { setMaxListeners } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Items } from '../bytes/items.js';
import type { CodecChain } from '../codec/codec.js';
import { compiledWasm } from '../codec/wasm/load.js';
import { CodecError } from '../errors.js';
import { copyInTurns } from './large-buffers.js';
import { decodedOf, errorOf, type Decoded, type EncodedChunk } from './outcomes.js';
import type { FromWorker, Outcome, ToWorker, WorkerStart } from './worker-protocol.js';

/** Bytes that go to a thread at once: enough that the message costs little beside the decoding. */
export const slotBytes = 2 ** 20;
/** Slots a thread: one at work, one waiting, one being emptied. */
const slotsPerThread = 3;
/** Chains that a thread remembers; then it begins anew. */
const maxChains = 1000;
/** A thread that has worked on chunks of more bytes ends: what it grew to is given back. */
const retiringBytes = 64 * 2 ** 20;
/** How long a thread may go on with a chunk whose request is gone. */
const abandonedMs = 1000;

export interface ThreadEvents {
  /** It has started, or has room again. */
  onRoom(): void;
  /** It takes no more jobs; another one should take its place. @param hasStarted whether it ever worked */
  onEnd(hasStarted: boolean): void;
}

interface Job {
  readonly isLarge: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called when the signal fires. */
  readonly watch: () => void;
  finish(outcomes: readonly Outcome[]): void;
  fail(error: Error): void;
}

export class DecodingThread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #jobs = new Map<number, Job>();
  /** Jobs in the order in which the thread works on them. */
  #posted: number[] = [];
  #known = new WeakMap<CodecChain, number>();
  #knownCount = 0;
  #free: SharedArrayBuffer[] = [];
  #ids = 0;
  #hasStarted = false;
  #isEnding = false;
  /** Ends when its jobs are done. */
  #isRetiring = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(entry: URL, events: ThreadEvents) {
    this.#events = events;
    const start: WorkerStart = { wasm: compiledWasm('codecs') };
    // Flags that the program was started with (a loader, say) are for its own files.
    this.#worker = new Worker(entry, { workerData: start, execArgv: [] });
    this.#worker.on('message', (message: FromWorker) => this.#finished(message));
    this.#worker.on('error', (error) => this.#lost(error));
    this.#worker.on('exit', () => this.#lost(new CodecError('decoder worker exited')));
    // Must come after the listeners: adding a 'message' listener refs the worker again.
    this.#worker.unref();
  }

  get usable(): boolean {
    return this.#hasStarted && !this.#isEnding;
  }

  /** Jobs that it could still take; of large ones a single one, whatever else it is at. */
  freeSlots(isLarge: boolean): number {
    if (!this.usable || this.#isRetiring) return 0;
    if (isLarge && [...this.#jobs.values()].some((job) => job.isLarge)) return 0;
    return slotsPerThread - this.#jobs.size;
  }

  decode(
    chain: CodecChain,
    chunkBytes: number,
    chunks: readonly EncodedChunk[],
    each: (i: number, decoded: Decoded) => void,
    signal: AbortSignal | undefined,
  ): void {
    const lengths = chunks.map(({ encoded }) => encoded.length);
    const untils = chunks.map(({ until }) => until);
    let at = chunkBytes * chunks.length;
    const slot = this.#takeSlot(lengths.reduce((sum, length) => sum + length, at));
    const bytes = new Uint8Array(slot);
    for (const { encoded } of chunks) {
      bytes.set(encoded, at);
      at += encoded.length;
    }
    const chainId = this.#chainId(chain);
    const id = this.#begin({
      isLarge: false,
      signal,
      finish: (outcomes) => {
        outcomes.forEach((outcome, i) =>
          each(i, decodedOf(outcome, new Uint8Array(slot, i * chunkBytes, chunkBytes))),
        );
        this.#release(slot);
      },
      fail: () => {
        let at = chunkBytes * lengths.length;
        lengths.forEach((length, i) => {
          // A copy: not every codec takes shared memory.
          each(i, { encoded: bytes.slice(at, at + length) });
          at += length;
        });
      },
    });
    this.#work(id, { kind: 'decode', id, chain: chainId, slot, chunkBytes, lengths, untils });
  }

  /** @returns when the encoded bytes are not needed any more */
  decodeLarge(
    chain: CodecChain,
    chunkBytes: number,
    { encoded, until }: EncodedChunk,
    done: (decoded: Decoded) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const id = this.#begin({
      isLarge: true,
      signal,
      finish: ([outcome]) => done(decodedOf(outcome, undefined)),
      fail: (error) => done({ error }),
    });
    this.retireAfter(chunkBytes + encoded.length);
    return this.#give(id, encoded, signal, (own) => ({
      kind: 'decode-large',
      id,
      chain: this.#chainId(chain),
      encoded: own,
      chunkBytes,
      until,
    }));
  }

  /** Decodes one chunk of variable length, of which a copy is made. */
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

  /** @param transfer the memory of the items */
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

  /** Does one large job. */
  #ask(
    signal: AbortSignal | undefined,
    start: (id: number) => Promise<void> | undefined,
  ): Promise<Outcome | undefined> {
    return new Promise((resolve, reject) => {
      const finish = ([outcome]: readonly Outcome[]): void => resolve(outcome);
      start(this.#begin({ isLarge: true, signal, finish, fail: reject }))?.catch(reject);
    });
  }

  encode(chain: CodecChain, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const slot = this.#takeSlot(bytes.length);
    new Uint8Array(slot).set(bytes);
    const chainId = this.#chainId(chain);
    return this.#encoding(false, signal, (id) => {
      this.#work(id, { kind: 'encode', id, chain: chainId, slot, chunkBytes: bytes.length });
      return undefined;
    }).finally(() => this.#release(slot));
  }

  /** @param bytes are transferred, where they fill a buffer of their own */
  encodeLarge(chain: CodecChain, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return this.#encoding(true, signal, (id) => {
      this.retireAfter(2 * bytes.length);
      const message = (own: Uint8Array): ToWorker => ({
        kind: 'encode-large',
        id,
        chain: this.#chainId(chain),
        bytes: own,
      });
      if (!(bytes.buffer instanceof ArrayBuffer) || bytes.buffer.byteLength > bytes.length)
        return this.#give(id, bytes, signal, message);
      this.#work(id, message(bytes), [bytes.buffer]);
      return undefined;
    });
  }

  #encoding(
    isLarge: boolean,
    signal: AbortSignal | undefined,
    start: (id: number) => Promise<void> | undefined,
  ): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const finish = ([outcome]: readonly Outcome[]): void => {
        if (outcome !== undefined && 'encoded' in outcome) resolve(outcome.encoded);
        else reject(errorOf(outcome));
      };
      start(this.#begin({ isLarge, signal, finish, fail: reject }))?.catch(reject);
    });
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    await this.#worker.terminate();
  }

  /** Copies bytes piece by piece, then hands the copy over. */
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
      this.#end(id)?.fail(error instanceof Error ? error : new CodecError(String(error)));
      this.#settle();
    }
  }

  #begin(given: Omit<Job, 'watch'>): number {
    const job: Job = { ...given, watch: () => this.#watchHead() };
    const id = ++this.#ids;
    this.#jobs.set(id, job);
    if (job.signal !== undefined) {
      // A read has as many jobs as it has threads.
      setMaxListeners(0, job.signal);
      job.signal.addEventListener('abort', job.watch, { once: true });
    }
    // A program must not end while it waits for a result.
    this.#worker.ref();
    return id;
  }

  #end(id: number): Job | undefined {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    this.#posted = this.#posted.filter((one) => one !== id);
    job?.signal?.removeEventListener('abort', job.watch);
    return job;
  }

  #work(id: number, message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#posted.push(id);
    this.#worker.postMessage(message, transfer);
    this.#watchHead();
  }

  /** Ends a thread that goes on too long with something that nobody waits for. */
  #watchHead(): void {
    clearTimeout(this.#watch);
    const [head] = this.#posted;
    const job = head === undefined ? undefined : this.#jobs.get(head);
    if (job?.signal?.aborted !== true) return;
    this.#watch = setTimeout(() => {
      if (this.#posted[0] === head)
        this.#lost(new CodecError('decoder worker was ended: its request is gone'));
    }, abandonedMs);
    this.#watch.unref();
  }

  #release(slot: SharedArrayBuffer): void {
    if (this.#free.length < slotsPerThread) this.#free.push(slot);
  }

  #takeSlot(bytes: number): SharedArrayBuffer {
    const at = this.#free.findIndex((slot) => slot.byteLength >= bytes);
    const [slot] = at < 0 ? [] : this.#free.splice(at, 1);
    if (slot !== undefined) return slot;
    // One that is too small makes way for one that fits.
    this.#free.pop();
    return new SharedArrayBuffer(Math.ceil((bytes * 1.25) / slotBytes) * slotBytes);
  }

  #chainId(chain: CodecChain): number {
    const known = this.#known.get(chain);
    if (known !== undefined) return known;
    if (++this.#knownCount > maxChains) {
      this.#known = new WeakMap();
      this.#knownCount = 1;
      this.#worker.postMessage({ kind: 'forget' } satisfies ToWorker);
    }
    const id = ++this.#ids;
    this.#known.set(chain, id);
    this.#worker.postMessage({ kind: 'chain', id, specs: chain.specs, rep: chain.rep } satisfies ToWorker);
    return id;
  }

  #finished({ id, outcomes }: FromWorker): void {
    // The first message of a thread says that it has started.
    this.#hasStarted = true;
    this.#end(id)?.finish(outcomes);
    this.#settle();
  }

  #settle(): void {
    if (this.#jobs.size === 0) {
      this.#worker.unref();
      if (this.#isRetiring && !this.#isEnding) {
        this.#isEnding = true;
        this.#terminate();
        this.#events.onEnd(true);
      }
    }
    this.#watchHead();
    this.#events.onRoom();
  }

  /** Memory of WebAssembly and of scratch buffers never shrinks: the thread ends with what it is at. */
  retireAfter(bytes: number): void {
    if (bytes <= retiringBytes) return;
    this.#isRetiring = true;
    // What a job took may show only when it is done: nothing else would end the thread then.
    if (this.#jobs.size === 0) this.#settle();
  }

  #terminate(): void {
    this.#worker.terminate().catch(() => undefined);
  }

  #lost(error: Error): void {
    clearTimeout(this.#watch);
    const wasEnding = this.#isEnding;
    this.#isEnding = true;
    const jobs = [...this.#jobs.keys()].map((id) => this.#end(id));
    for (const job of jobs) job?.fail(error);
    this.#terminate();
    if (!wasEnding) this.#events.onEnd(this.#hasStarted);
    this.#events.onRoom();
  }
}
