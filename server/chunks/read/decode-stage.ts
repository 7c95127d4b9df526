/**
 * The common part of all ways to decode a chunk: runs the codecs on this thread, and passes decoded chunks and
 * partial results to the sink.
 */
import { releaseBuffer } from '../../core/bytes/buffer-pool.js';
import type { ByteSpan } from '../../core/bytes/values.js';
import { decodeChunk, type DecodedChunk } from '../../format/codec/run-chain.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import type { ReadPlan, ReadTask } from '../../format/plan/plan.js';
import type { Sink } from '../../compute/reduce/sink.js';
import { inTurns, runToEnd } from '../../core/turns.js';
import type { KeepChunk } from './fetch.js';
import type { ReduceWork } from '../../compute/reduce/partial.js';

export interface DecodeOptions {
  readonly pool: CodecPool | undefined;
  readonly signal: AbortSignal;
  /** Budget for all variable-length values, in addition to the charge of their elements. */
  readonly itemBytes: ItemBudget;
  /** Calls the function at the end of the read. */
  readonly onEnd: (close: () => void) => void;
}

/** Charges variable-length values, whose size is unknown before decoding. */
export interface ItemBudget {
  readonly left: number;
  /** @throws LimitError if the budget is exceeded */
  charge(bytes: number): void;
}

/** A chunk that has arrived. */
export interface DecodeJob {
  readonly task: ReadTask;
  readonly encoded: Uint8Array;
  /** The part of the decoded chunk that is needed; other bytes are unspecified. */
  readonly needed: ByteSpan;
  /** Receives the decoded chunk, to cache it. */
  readonly keep: KeepChunk | undefined;
}

export class DecodeStage {
  constructor(
    readonly plan: ReadPlan,
    private readonly sink: Sink<unknown>,
    readonly options: DecodeOptions,
  ) {}

  /**
   * Maximum size of the next chunk's variable-length values in bytes. The plan has charged their elements.
   */
  get itemLimit(): number {
    return this.options.itemBytes.left + this.plan.cost.chunkBytes;
  }

  /** @throws errors from `decodeChunk` */
  decode({ encoded, needed }: DecodeJob, into?: Uint8Array): DecodedChunk {
    return decodeChunk(this.plan.layout.chain, encoded, this.itemLimit, into, needed);
  }

  /**
   * Decodes a chunk on this thread.
   * @returns the result of `receive`
   * @throws errors from `decodeChunk` and `receive`
   */
  run(job: DecodeJob): Promise<void> | undefined {
    return this.receive(job, this.decode(job, this.sink.into?.(job.task)));
  }

  /**
   * @param chunk decoded chunk, whose bytes need to be valid only within the call
   * @returns undefined if the sink is done
   * @throws LimitError beyond the budget for variable-length values; errors from the sink
   */
  receive({ task, keep }: DecodeJob, chunk: DecodedChunk): Promise<void> | undefined {
    const { values } = chunk;
    if ('items' in values) this.options.itemBytes.charge(values.items.bytes.length);
    if ('bytes' in values && this.sink.isSlow?.(task) === true) {
      if (keep !== undefined) runToEnd(keep(chunk));
      // Copies the bytes explicitly, because `slice` of a Buffer returns a view.
      const copy = { ...chunk, values: { bytes: new Uint8Array(values.bytes) } };
      return this.sink.largeChunk(task, copy, this.options.signal);
    }
    this.sink.chunk(task, chunk);
    if (keep !== undefined) runToEnd(keep(chunk));
    return undefined;
  }

  /**
   * The reduction of a chunk by a pool thread. Undefined if the sink does not reduce, or if the chunk will be
   * cached: the thread then returns the values.
   */
  reduceWork({ task, keep }: DecodeJob): ReduceWork | undefined {
    return keep === undefined ? this.sink.reduceWork?.(task) : undefined;
  }

  /** Receives the partial result of a chunk that a thread has reduced; see `reduceWork`. */
  receivePartial({ task }: DecodeJob, partial: unknown): undefined {
    this.sink.partial?.(task, partial);
  }

  /**
   * Receives a chunk in separate memory.
   * @param isOurs whether the memory is to be freed afterwards
   * @throws AbortedError if the signal fires
   */
  async receiveLarge({ task, keep }: DecodeJob, chunk: DecodedChunk, isOurs: boolean): Promise<void> {
    await this.sink.largeChunk(task, chunk, this.options.signal);
    if (keep !== undefined) await inTurns(keep(chunk), this.options.signal);
    if (isOurs && 'bytes' in chunk.values) releaseBuffer(chunk.values.bytes.buffer);
  }
}
