/**
 * Decodes the chunks of a read and passes each to the sink. `chooseWay` decides where: on this thread or in the
 * pool.
 */
import { isResponsive } from '#platform';
import { type DecodedChunk, isTrivial } from '../../format/codec/run-chain.js';
import { isFixedSize } from '../../core/dtype/data-type.js';
import { AbortedError } from '../../core/errors.js';
import { runLater, runNow } from '../../core/turns.js';
import { DecodeStage, type DecodeJob, type DecodeOptions } from './decode-stage.js';
import { decodeVariable } from '../../threads/decode-in-pool.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import { type Handling, deferred, settleWith } from '../../core/deferred.js';
import { LARGE_CHUNK_BYTES } from '../../core/bytes/large-buffers.js';
import { transformNs, type ReadPlan, type ReadTask } from '../../format/plan/plan.js';
import { PoolShare } from './pool-share.js';
import { neededSpan } from '../../format/plan/region.js';
import type { Sink } from '../../compute/reduce/sink.js';

/** @returns undefined if the chunk is done. @throws errors from `DecodeStage.run` */
export type Decode = (
  task: ReadTask,
  encoded: Uint8Array,
  keep: ((chunk: DecodedChunk) => void) | undefined,
) => Handling | undefined;

/**
 * - `inline`: immediately, on this thread.
 * - `sliced`: on this thread, in turns of the event loop of at most 4 ms or one chunk: chosen if the thread serves
 *   requests or a page, or transforms elements, and for codecs that threads cannot import, however slow.
 * - `pool`: in the pool. With `decodesHere`, this thread also decodes a share of chunks up to 16 MiB.
 * - `variable`: small chunks immediately; large chunks in the pool, one after the other. Chunks that arrive meanwhile
 *   wait for them.
 * - `copied`: there is nothing to decode, but the chunk is too large to be copied in one step.
 */
export type Way = 'inline' | 'sliced' | 'pool' | 'variable' | 'copied';

/**
 * Chooses the way to decode. Measured with Node 20 on 2 processors: a message to a thread and back takes 0.07
 * ms, copying a decoded chunk from its slot 0.05 ms per MiB. A chunk of 512 KiB decodes in 0.1 ms (blosc) to
 * 1.3 ms (gzip), so a single chunk is faster on this thread; two chunks of zstd or gzip are faster in the
 * pool. `CodecPool.accepts` defines the threshold: 0.8 ms for 1 MiB of chunks, or for one larger chunk.
 * Compressed chunks of more than 16 MiB would block this thread for 15 ms or more, so the pool accepts them all.
 */
function chooseWay(plan: ReadPlan, { pool, decodesHere }: DecodeOptions): Way {
  const { cost, dtype, layout } = plan;
  const isLarge = cost.chunkBytes > LARGE_CHUNK_BYTES;
  if (isLarge && !decodesHere && isTrivial(layout.chain)) return 'copied';
  if (pool !== undefined) {
    const isWorth = cost.chunks > 1 || !decodesHere;
    if (isWorth && !isFixedSize(dtype) && layout.chain.modules !== undefined) return 'variable';
    if ((isWorth || isLarge) && pool.accepts(layout.chain, cost.chunkBytes)) return 'pool';
  }
  return decodesHere && !isResponsive && transformNs(plan) === 0 ? 'inline' : 'sliced';
}

export function createDecode(plan: ReadPlan, sink: Sink<unknown>, options: DecodeOptions): Decode {
  const stage = new DecodeStage(plan, sink, options);
  const handle = handlerOf(stage, options, chooseWay(plan, options));
  const whole = { start: 0, end: plan.cost.chunkBytes };
  return (task, encoded, keep) => {
    // A chunk that will be cached must be decoded as a whole.
    const needed = keep === undefined ? neededSpan(plan, task) : whole;
    return handle({ task, encoded, needed, keep });
  };
}

function handlerOf(
  stage: DecodeStage,
  { pool, signal }: DecodeOptions,
  way: Way,
): (job: DecodeJob) => Handling | undefined {
  if (way === 'pool' && pool !== undefined) {
    const share = new PoolShare(stage, pool);
    return (job) => share.add(job);
  }
  if (way === 'variable' && pool !== undefined) return variableHandler(stage, pool);
  if (way === 'copied')
    return (job) => {
      const done = stage.receiveLarge(job, stage.decode(job));
      return { released: done.catch(() => undefined), done };
    };
  if (way === 'sliced')
    return (job) => {
      let rest: Promise<void> | undefined;
      const hasRun = runNow(() => {
        rest = stage.run(job);
      });
      return hasRun ? restOf(rest) : runSliced(stage, job, signal);
    };
  return (job) => restOf(stage.run(job));
}

function restOf(done: Promise<void> | undefined): Handling | undefined {
  return done === undefined ? undefined : { released: undefined, done };
}

/** Decodes in a separate turn of the event loop, because this thread may also serve requests. */
function runSliced(stage: DecodeStage, job: DecodeJob, signal: AbortSignal): Handling {
  const done = deferred();
  runLater(() =>
    settleWith(done, () => {
      if (signal.aborted) throw new AbortedError('the request was cancelled');
      return stage.run(job);
    }),
  );
  return { released: done.promise.catch(() => undefined), done: done.promise };
}

/**
 * Creates a handler that is sequential if the pool is needed, so that each chunk may use all remaining memory
 * of the read.
 */
function variableHandler(stage: DecodeStage, pool: CodecPool): (job: DecodeJob) => Handling | undefined {
  const { plan, options } = stage;
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const decode = ({ encoded }: DecodeJob): DecodedChunk | Promise<DecodedChunk> =>
    decodeVariable(plan.layout.chain, encoded, plan.cost.chunkBytes, stage.itemLimit, pool, options.signal);
  return (job) => {
    const decoded = waiting === 0 ? decode(job) : last.then(() => decode(job));
    if (!(decoded instanceof Promise)) {
      return restOf(stage.receive(job, decoded));
    }
    waiting++;
    const done = decoded.then((chunk) => stage.receive(job, chunk));
    const ended = (): void => {
      waiting--;
    };
    last = done.then(ended, ended);
    return { released: last, done };
  };
}
