/** Decodes the chunks of a read, on this thread or in the pool, and passes each to the sink. */
import type { DecodedChunk } from '../../format/codec/run-chain.js';
import { AbortedError } from '../../core/errors.js';
import { runLater, runNow } from '../../core/turns.js';
import type { DecodeWay } from './choose.js';
import { DecodeStage, type DecodeJob, type DecodeOptions } from './decode-stage.js';
import { decodeVariable } from '../../threads/decode-in-pool.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import { type Handling, deferred, settleWith } from '../../core/deferred.js';
import type { ReadPlan, ReadTask } from '../../format/plan/plan.js';
import type { KeepChunk } from './fetch.js';
import { PoolShare } from './pool-share.js';
import { neededSpan } from '../../format/plan/region.js';
import type { Sink } from '../../compute/reduce/sink.js';

/** @returns undefined if the chunk is done. @throws errors from `DecodeStage.run` */
export type Decode = (
  task: ReadTask,
  encoded: Uint8Array,
  keep: KeepChunk | undefined,
) => Handling | undefined;

export function createDecode(
  plan: ReadPlan,
  sink: Sink<unknown>,
  way: DecodeWay,
  options: DecodeOptions,
): Decode {
  const stage = new DecodeStage(plan, sink, options);
  const handle = handlerOf(stage, options, way);
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
  way: DecodeWay,
): (job: DecodeJob) => Handling | undefined {
  if (way.by === 'pool' && pool !== undefined) {
    const share = new PoolShare(stage, pool, way);
    return (job) => share.add(job);
  }
  if (way.by === 'variable' && pool !== undefined) return variableHandler(stage, pool);
  if (way.by === 'copied')
    return (job) => {
      const done = stage.receiveLarge(job, stage.decode(job));
      return { released: done.catch(() => undefined), done };
    };
  if (way.by === 'sliced')
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
