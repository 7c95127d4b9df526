/**
 * A pool of decoding threads. It takes the chunks that are worth the way (slow codecs, more than one chunk) and hands
 * the decoded bytes back in shared slots, to be copied to their place by the caller; what it does not take, the
 * caller decodes itself. Threads that are not needed do not keep a program alive.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CodecChain } from '../codec/codec.js';
import type { DecodedChunk } from '../codec/decode-chunk.js';
import { decodingNsPerByte } from '../codec/speed.js';
import { compiledWasm } from '../codec/wasm/load.js';
import { CodecError, errorOfCode } from '../errors.js';
import { isFixedSize } from '../dtype/data-type.js';
import type { FromWorker, Outcome, ToWorker, WorkerStart } from './worker-protocol.js';

/** A decoded chunk in a slot of the pool, or why it could not be decoded; where its thread is gone, its bytes again. */
export type Decoded =
  { readonly chunk: DecodedChunk } | { readonly error: Error } | { readonly encoded: Uint8Array };

export interface EncodedChunk {
  readonly encoded: Uint8Array;
  /** How many bytes of the decoded chunk's beginning are needed; see `decodeChunk`. */
  readonly until: number;
}

export interface Decoder {
  /** Threads beside the caller's. */
  readonly threads: number;
  /** Some thread has started and none of its kind is lost. */
  readonly usable: boolean;
  /** Whether chunks of this chain are worth the way; a property of the chain and its chunks. */
  takes(chain: CodecChain, chunkBytes: number): boolean;
  /** How many chunks of so many bytes can be handed over right now; 0 when all threads have enough to do. */
  room(chunkBytes: number): number;
  /** Resolves when a thread that had none has room again. */
  whenRoom(): Promise<void>;
  /**
   * Hands up to `room` chunks over; their bytes are not needed afterwards. `each` gets every result, later; a chunk's
   * bytes are valid only within that call.
   */
  decode(
    chain: CodecChain,
    chunkBytes: number,
    chunks: readonly EncodedChunk[],
    each: (i: number, decoded: Decoded) => void,
  ): void;
  /**
   * Encodes one chunk (C order), if a thread has room and the chain is worth the way.
   * @returns undefined where the caller had better do it. @throws what encoding throws
   */
  encode(chain: CodecChain, bytes: Uint8Array): Promise<Uint8Array> | undefined;
  close(): Promise<void>;
}

export interface DecoderOptions {
  /** @default one less than the processors, at least 1 */
  readonly threads?: number;
  /** The thread's program; the default is the file beside this one. */
  readonly entry?: URL;
}

/** Bytes that go to a thread at once: enough that the message costs little beside the decoding. */
const SLOT_BYTES = 2 ** 20;
/** A larger chunk has a slot of its own size; beyond this it is decoded by the caller. */
const MAX_SLOT_BYTES = 64 * 2 ** 20;
/** Slots a thread: one at work, one waiting, one being emptied. */
const SLOTS_PER_THREAD = 3;
/** What is decoded faster than this is not worth a message and a copy out of the slot. */
const MIN_NS_PER_MESSAGE = 800_000;

/** Chains that a thread remembers; then it begins anew. */
const MAX_CHAINS = 1000;

interface Job {
  finish(outcomes: readonly Outcome[]): void;
  fail(error: Error): void;
}

class DecodingThread {
  readonly #worker: Worker;
  readonly #jobs = new Map<number, Job>();
  #known = new WeakMap<CodecChain, number>();
  #knownCount = 0;
  #free: SharedArrayBuffer[] = [];
  #ids = 0;
  #ready = false;
  #failure: Error | undefined;

  constructor(
    entry: URL,
    private readonly onRoom: () => void,
  ) {
    const start: WorkerStart = { wasm: compiledWasm('codecs') };
    // Flags that the program was started with (a loader, say) are for its own files.
    this.#worker = new Worker(entry, { workerData: start, execArgv: [] });
    this.#worker.on('message', (message: FromWorker) => this.#finished(message));
    this.#worker.on('error', (error) => this.#broken(error));
    this.#worker.on('exit', () => this.#broken(new CodecError('a decoding thread has ended')));
    // Last, because listening for messages would keep the program alive again.
    this.#worker.unref();
  }

  get usable(): boolean {
    return this.#ready && this.#failure === undefined;
  }

  /** Jobs that it could still take. */
  get freeSlots(): number {
    return this.usable ? SLOTS_PER_THREAD - this.#jobs.size : 0;
  }

  decode(
    chain: CodecChain,
    chunkBytes: number,
    chunks: readonly EncodedChunk[],
    each: (i: number, decoded: Decoded) => void,
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
    this.#run((id) => ({ kind: 'decode', id, chain: chainId, slot, chunkBytes, lengths, untils }), {
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
  }

  encode(chain: CodecChain, bytes: Uint8Array): Promise<Uint8Array> {
    const slot = this.#takeSlot(bytes.length);
    new Uint8Array(slot).set(bytes);
    const chainId = this.#chainId(chain);
    const chunkBytes = bytes.length;
    return new Promise((resolve, reject) => {
      this.#run((id) => ({ kind: 'encode', id, chain: chainId, slot, chunkBytes }), {
        finish: ([outcome]) => {
          this.#release(slot);
          if (outcome !== undefined && 'encoded' in outcome) resolve(outcome.encoded);
          else reject(errorOf(outcome));
        },
        fail: reject,
      });
    });
  }

  #run(message: (id: number) => ToWorker, job: Job): void {
    const id = ++this.#ids;
    this.#jobs.set(id, job);
    // A program must not end while it waits for a result.
    this.#worker.ref();
    this.#post(message(id));
  }

  #release(slot: SharedArrayBuffer): void {
    if (this.#free.length < SLOTS_PER_THREAD) this.#free.push(slot);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #takeSlot(bytes: number): SharedArrayBuffer {
    const at = this.#free.findIndex((slot) => slot.byteLength >= bytes);
    const [slot] = at < 0 ? [] : this.#free.splice(at, 1);
    if (slot !== undefined) return slot;
    // One that is too small makes way for one that fits.
    this.#free.pop();
    return new SharedArrayBuffer(Math.ceil((bytes * 1.25) / SLOT_BYTES) * SLOT_BYTES);
  }

  #chainId(chain: CodecChain): number {
    const known = this.#known.get(chain);
    if (known !== undefined) return known;
    if (++this.#knownCount > MAX_CHAINS) {
      this.#known = new WeakMap();
      this.#knownCount = 1;
      this.#post({ kind: 'forget' });
    }
    const id = ++this.#ids;
    this.#known.set(chain, id);
    this.#post({ kind: 'chain', id, specs: chain.specs, rep: chain.rep });
    return id;
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #finished({ id, outcomes }: FromWorker): void {
    // The first message of a thread says that it has started.
    this.#ready = true;
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    if (this.#jobs.size === 0) this.#worker.unref();
    job?.finish(outcomes);
    this.onRoom();
  }

  #broken(error: Error): void {
    this.#failure ??= error;
    for (const job of this.#jobs.values()) job.fail(error);
    this.#jobs.clear();
    this.onRoom();
  }
}

/** Threads start at once and cost about 20 ms each before they help. */
export function createDecoder(options: DecoderOptions = {}): Decoder {
  const count = options.threads ?? Math.max(1, availableParallelism() - 1);
  const entry = options.entry ?? new URL('./worker.js', import.meta.url);
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  const threads = Array.from({ length: count }, () => new DecodingThread(entry, wake));
  const freest = (): DecodingThread | undefined =>
    threads.reduce<DecodingThread | undefined>(
      (best, thread) => (thread.freeSlots > (best?.freeSlots ?? 0) ? thread : best),
      undefined,
    );
  const takes = (chain: CodecChain, chunkBytes: number): boolean =>
    chain.isStandard &&
    isFixedSize(chain.rep.dtype) &&
    chunkBytes > 0 &&
    chunkBytes <= MAX_SLOT_BYTES &&
    decodingNsPerByte(chain) * Math.max(chunkBytes, SLOT_BYTES) >= MIN_NS_PER_MESSAGE;
  return {
    threads: count,
    get usable() {
      return threads.some((thread) => thread.usable);
    },
    takes,
    room: (chunkBytes) => (freest() === undefined ? 0 : Math.max(1, Math.floor(SLOT_BYTES / chunkBytes))),
    whenRoom: () =>
      freest() === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(),
    decode: (chain, chunkBytes, chunks, each) => {
      const thread = freest();
      if (thread === undefined) throw new CodecError('no decoding thread has room');
      thread.decode(chain, chunkBytes, chunks, each);
    },
    encode: (chain, bytes) => (takes(chain, bytes.length) ? freest()?.encode(chain, bytes) : undefined),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

function decodedOf(outcome: Outcome, bytes: Uint8Array): Decoded {
  if ('strides' in outcome) return { chunk: { values: { bytes }, strides: outcome.strides } };
  return { error: errorOf(outcome) };
}

function errorOf(outcome: Outcome | undefined): Error {
  if (outcome === undefined || !('detail' in outcome)) return new CodecError('a thread gave no result');
  return errorOfCode(outcome.code, outcome.detail, outcome.excess);
}
