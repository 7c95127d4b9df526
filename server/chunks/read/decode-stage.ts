/**
 * The common part of all ways to decode a chunk: runs the codecs on this thread, and passes decoded chunks and
 * partial results to the sink.
 */
import { releaseBuffer } from '../../core/bytes/buffer-pool.js';
import type { ByteSpan } from '../../core/bytes/values.js';
import { decodeChunk, type DecodedChunk } from '../../format/codec/run-chain.js';
import { LimitError } from '../../core/errors.js';
import type { ReadTask } from '../../format/plan/plan.js';
import type { ChunkRead } from './chunk-read.js';
import { inTurns, runToEnd } from '../../core/turns.js';
import type { KeepChunk } from './chunk-cache.js';
import type { ReduceWork } from '../../compute/reduce/partial.js';

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
  /** Remaining bytes for all variable-length values. The plan has charged their elements without their contents. */
  #itemBytes: number;

  constructor(readonly read: ChunkRead) {
    const { plan, settings } = read;
    this.#itemBytes = settings.limits.maxDecodedBytes - plan.cost.decodedBytes;
  }

  /** Maximum size of the next chunk's variable-length values in bytes. */
  get itemLimit(): number {
    return this.#itemBytes + this.read.plan.cost.chunkBytes;
  }

  /** @throws errors from `decodeChunk` */
  decode({ task, encoded, needed }: DecodeJob, into?: Uint8Array): DecodedChunk {
    return decodeChunk(task.form.chain, encoded, this.itemLimit, into, needed);
  }

  /**
   * Decodes a chunk on this thread.
   * @returns the result of `receive`
   * @throws errors from `decodeChunk` and `receive`
   */
  run(job: DecodeJob): Promise<void> | undefined {
    return this.receive(job, this.decode(job, this.read.sink.into?.(job.task)));
  }

  /**
   * @param chunk decoded chunk, whose bytes need to be valid only within the call
   * @param isOurs whether the memory of the chunk is not used by others afterwards
   * @returns undefined if the sink is done
   * @throws LimitError beyond the budget for variable-length values; errors from the sink
   */
  receive(
    { task, keep }: Pick<DecodeJob, 'task' | 'keep'>,
    chunk: DecodedChunk,
    isOurs = false,
  ): Promise<void> | undefined {
    const { values } = chunk;
    if ('items' in values) this.#chargeItems(values.items.bytes.length);
    if ('bytes' in values && this.read.sink.isSlow?.(task) === true) {
      if (keep !== undefined) runToEnd(keep.keep(chunk, false));
      // Copies the bytes explicitly, because `slice` of a Buffer returns a view.
      const copy = { ...chunk, values: { bytes: new Uint8Array(values.bytes) } };
      return this.read.sink.largeChunk(task, copy, this.read.signal);
    }
    this.read.sink.chunk(task, chunk);
    if (keep !== undefined) runToEnd(keep.keep(chunk, isOurs));
    return undefined;
  }

  /**
   * The reduction of a chunk by a pool thread. Undefined if the sink does not reduce, or if the chunk will be
   * cached: the thread then returns the values.
   */
  reduceWork({ task, keep }: DecodeJob): readonly ReduceWork[] | undefined {
    return keep === undefined ? this.read.sink.reduceWork?.(task) : undefined;
  }

  /** Receives the partial results of a chunk that a thread has reduced; see `reduceWork`. */
  receivePartials({ task }: DecodeJob, partials: readonly unknown[]): undefined {
    this.read.sink.partials?.(task, partials);
  }

  /**
   * Receives a chunk in separate memory.
   * @param isOurs whether the memory is to be freed afterwards
   * @throws AbortedError if the signal fires
   */
  async receiveLarge({ task, keep }: DecodeJob, chunk: DecodedChunk, isOurs: boolean): Promise<void> {
    await this.read.sink.largeChunk(task, chunk, this.read.signal);
    const isTaken = keep !== undefined && (await inTurns(keep.keep(chunk, isOurs), this.read.signal));
    if (isOurs && !isTaken && 'bytes' in chunk.values) releaseBuffer(chunk.values.bytes.buffer);
  }

  /** The size of variable-length values is unknown before they are decoded, so they are charged afterwards. */
  #chargeItems(bytes: number): void {
    this.#itemBytes -= bytes;
    if (this.#itemBytes >= 0) return;
    const allowed = this.read.settings.limits.maxDecodedBytes;
    throw new LimitError(
      `the decoded values exceed maxDecodedBytes (${allowed} bytes); select fewer elements`,
      { excess: [{ limit: 'maxDecodedBytes', allowed, needed: allowed - this.#itemBytes }] },
    );
  }
}
