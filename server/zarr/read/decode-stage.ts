/** What all ways to decode a chunk have in common: running the codecs on this thread, and handing over to the sink. */
import type { ByteSpan } from '../codec/codec.js';
import { decodeChunk, type DecodedChunk } from '../codec/decode-chunk.js';
import { decodingNsPerByte } from '../codec/speed.js';
import { CodecError } from '../errors.js';
import type { CodecPool } from './pool/codec-pool.js';
import type { ReadPlan, ReadTask } from './plan.js';
import type { Sink } from './sink.js';
import type { ReduceWork } from './reduce/partial.js';

export interface DecodeOptions {
  readonly pool: CodecPool | undefined;
  /** Whether this thread decodes as well, while the others have enough to do. */
  readonly decodesHere: boolean;
  readonly signal: AbortSignal;
  /** Bytes that all values of variable length may take, beside what their elements are charged. */
  readonly itemBytes: ItemBudget;
}

/** What values of variable length may take: their size shows only when they are decoded. */
export interface ItemBudget {
  readonly left: number;
  /** @throws LimitError */
  charge(bytes: number): void;
}

/** A chunk that has arrived. */
export interface DecodeJob {
  readonly task: ReadTask;
  readonly encoded: Uint8Array;
  /** The part of the decoded chunk that is needed; the rest may be anything. */
  readonly needed: ByteSpan;
  /** Is shown the chunk after the sink. */
  readonly keep: ((chunk: DecodedChunk) => void) | undefined;
}

/** A chunk that takes longer is not decoded on a thread that serves requests. */
const MAX_BLOCKING_NS = 20_000_000;

export class DecodeStage {
  constructor(
    readonly plan: ReadPlan,
    private readonly sink: Sink<unknown>,
    readonly options: DecodeOptions,
  ) {}

  /** Bytes that the next chunk's values of variable length may take: the plan has charged their elements. */
  get itemLimit(): number {
    return this.options.itemBytes.left + this.plan.cost.chunkBytes;
  }

  /** @throws as decodeChunk */
  decode({ encoded, needed }: DecodeJob, into?: Uint8Array): DecodedChunk {
    return decodeChunk(this.plan.layout.chain, encoded, this.itemLimit, into, needed);
  }

  /** Decodes a chunk on this thread. @returns as `receive`. @throws as decodeChunk; LimitError */
  run(job: DecodeJob): Promise<void> | undefined {
    return this.receive(job, this.decode(job, this.sink.into?.(job.task)));
  }

  /** As `run`, for work that the pool should have done. @throws CodecError where it would block this thread for long */
  runBriefly(job: DecodeJob): Promise<void> | undefined {
    const { chain } = this.plan.layout;
    const takesNs = decodingNsPerByte(chain) * this.plan.cost.chunkBytes;
    if (!this.options.decodesHere && takesNs > MAX_BLOCKING_NS)
      throw new CodecError('no decoding thread is left, and the chunk would take this one for too long');
    return this.run(job);
  }

  /**
   * @param chunk its bytes need to be valid within the call only
   * @returns undefined where the sink is done. @throws LimitError; what the sink throws
   */
  receive({ task, keep }: DecodeJob, chunk: DecodedChunk): Promise<void> | undefined {
    const { values } = chunk;
    if ('items' in values) this.options.itemBytes.charge(values.items.bytes.length);
    if ('bytes' in values && this.sink.isSlow?.(task) === true) {
      keep?.(chunk);
      // Not by `slice`, which of a Buffer is a view.
      const copy = { ...chunk, values: { bytes: new Uint8Array(values.bytes) } };
      return this.sink.largeChunk(task, copy, this.options.signal);
    }
    this.sink.chunk(task, chunk);
    keep?.(chunk);
    return undefined;
  }

  /** What a thread of the pool does with a chunk beside decoding it; one that is kept has to come back. */
  reduceWork({ task, keep }: DecodeJob): ReduceWork | undefined {
    return keep === undefined ? this.sink.reduceWork?.(task) : undefined;
  }

  /** A thread has reduced the chunk: see `reduceWork`. */
  receivePartial({ task }: DecodeJob, partial: unknown): void {
    this.sink.partial?.(task, partial);
  }

  /** For a chunk in memory of its own. @throws AbortedError */
  async receiveLarge({ task, keep }: DecodeJob, chunk: DecodedChunk): Promise<void> {
    await this.sink.largeChunk(task, chunk, this.options.signal);
    keep?.(chunk);
  }
}
