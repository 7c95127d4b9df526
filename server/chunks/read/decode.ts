/** Decodes the chunks of a read, on this thread or in the pool, and passes each to the sink. */
import { LARGE_CHUNK_BYTES } from '../../core/bytes/large-buffers.js';
import type { CodecChain } from '../../format/codec/codec.js';
import type { DecodedChunk } from '../../format/codec/run-chain.js';
import { isUniform } from '../../format/grid.js';
import { AbortedError, CodecError } from '../../core/errors.js';
import { runLater, runNow, turnMs } from '../../core/turns.js';
import type { DecodeWay } from './choose.js';
import type { ChunkRead } from './chunk-read.js';
import { DecodeStage, type DecodeJob } from './decode-stage.js';
import { decodeVariable } from '../../threads/decode-in-pool.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import { Distributor, type Job } from '../../threads/distributor.js';
import { isLargeJob, type JobRead } from '../../threads/job.js';
import type { Decoded } from '../../threads/outcomes.js';
import { SLOT_BYTES } from '../../threads/slots.js';
import { type Deferred, type Handling, deferred, settleWith } from '../../core/deferred.js';
import type { ReadTask } from '../../format/plan/plan.js';
import type { ChunkLoan, KeepChunk } from './chunk-cache.js';
import { neededSpan } from '../../format/plan/region.js';

/** @returns undefined if the chunk is done. @throws errors from `DecodeStage.run` */
export type Decode = (
  task: ReadTask,
  encoded: Uint8Array,
  keep: KeepChunk | undefined,
) => Handling | undefined;

export function createDecode(read: ChunkRead, way: DecodeWay): Decode {
  const { plan } = read;
  const handle = handlerOf(new DecodeStage(read), way);
  return (task, encoded, keep) => {
    // A chunk that will be cached must be decoded as a whole.
    const needed = keep === undefined ? neededSpan(plan, task) : { start: 0, end: task.form.bytes };
    return handle({ task, encoded, needed, keep });
  };
}

function handlerOf(stage: DecodeStage, way: DecodeWay): (job: DecodeJob) => Handling | undefined {
  const { pool } = stage.read.settings;
  if (way.by === 'pool' && pool !== undefined) return pooledHandler(stage, pool, way);
  if (way.by === 'variable' && pool !== undefined) return variableHandler(stage, pool);
  if (way.by === 'copied')
    return (job) => {
      const done = stage.receiveLarge(job, stage.decode(job), false);
      return { released: done.catch(() => undefined), done };
    };
  if (way.by === 'sliced')
    return (job) => {
      let rest: Promise<void> | undefined;
      const hasRun = runNow(() => {
        rest = stage.run(job);
      });
      return hasRun ? restOf(rest) : runSliced(stage, job);
    };
  return (job) => restOf(stage.run(job));
}

function restOf(done: Promise<void> | undefined): Handling | undefined {
  return done === undefined ? undefined : { released: undefined, done };
}

/** Decodes in a separate turn of the event loop, because this thread may also serve requests. */
function runSliced(stage: DecodeStage, job: DecodeJob): Handling {
  const done = deferred();
  runLater(() =>
    settleWith(done, () => {
      if (stage.read.signal.aborted) throw new AbortedError('the request was cancelled');
      return stage.run(job);
    }),
  );
  return { released: done.promise.catch(() => undefined), done: done.promise };
}

/** Number of chunk shapes that threads remember for a read, besides those of jobs that have not ended. */
const MAX_JOB_READS = 64;

const destination = { kind: 'chunks' } as const;

/** The reads of the pool for a read: one per shape of chunks. */
function createReads(pool: CodecPool) {
  const reads = new Map<CodecChain, { readonly read: JobRead; inThreads: number }>();
  const closeUnused = (): void => {
    for (const [chain, { read, inThreads }] of reads)
      if (inThreads === 0) {
        pool.closeRead(read);
        reads.delete(chain);
      }
  };
  return {
    /** The read of a job, which counts the job until `inThreads` is decreased. */
    take({ form: { chain, bytes } }: ReadTask) {
      let used = reads.get(chain);
      if (used === undefined) {
        if (reads.size >= MAX_JOB_READS) closeUnused();
        const read = { chain, chunkBytes: bytes, destination, plan: undefined, files: undefined };
        used = { read, inThreads: 0 };
        reads.set(chain, used);
      }
      used.inThreads++;
      return used;
    },
    close(): void {
      for (const { read } of reads.values()) pool.closeRead(read);
    },
  };
}

/** Number of lost threads after which a chunk fails. */
const MAX_LOSSES = 2;

interface Pooled extends DecodeJob, Job {
  /** Number of threads lost while decoding this chunk. */
  readonly losses: number;
  /** Memory of the cache in which a thread decodes. */
  loan: ChunkLoan | undefined;
  readonly released: Deferred;
  readonly done: Deferred;
}

/** Creates a handler that divides the chunks between the pool and this thread. */
function pooledHandler(
  stage: DecodeStage,
  pool: CodecPool,
  way: Extract<DecodeWay, { by: 'pool' }>,
): (job: DecodeJob) => Handling {
  const { signal, plan } = stage.read;
  const { grid } = plan.layout;
  const { chunkBytes } = plan.cost;
  const isLarge = chunkBytes > LARGE_CHUNK_BYTES;
  const reads = createReads(pool);

  const runHere = (chunk: Pooled): void => {
    settleWith(chunk.done, () => {
      if (!way.ifLost)
        throw new CodecError(
          'no decoding thread can decode the chunk, and decoding it inline would block the event loop for too long',
        );
      return stage.run(chunk);
    });
    chunk.released.resolve();
  };
  const lost = (chunk: Pooled, encoded: Uint8Array): void => {
    const losses = chunk.losses + 1;
    const again = { ...chunk, losses, loan: undefined, encoded };
    if (pool.isOver) runHere(again);
    else if (losses < MAX_LOSSES) distributor.addAgain(again);
    else
      chunk.done.reject(
        new CodecError(`decoding threads exited while decoding this chunk (${losses} times)`),
      );
  };
  const received = (chunk: Pooled, result: Decoded): void => {
    if ('error' in result) return chunk.done.reject(result.error);
    // The thread was lost, but the chunk itself may be valid.
    if ('lost' in result)
      return result.encoded === undefined ? chunk.done.reject(result.lost) : lost(chunk, result.encoded);
    settleWith(chunk.done, () => {
      if ('values' in result && result.partials !== undefined)
        return stage.receivePartials(chunk, result.partials);
      if (!('values' in result) || result.values === undefined)
        throw new CodecError('decoding thread returned no result');
      const decoded = { values: result.values, strides: chunk.task.form.chain.strides };
      return isLargeJob({ destination, chunkBytes: chunk.task.form.bytes })
        ? stage.receiveLarge(chunk, decoded, true)
        : stage.receive(chunk, decoded, result.isOwn);
    });
  };
  const distributor = new Distributor<Pooled>({
    pool,
    signal,
    isLarge,
    // The chunks of a message have the same shape.
    perMessage: isUniform(grid) ? Math.max(1, Math.floor(SLOT_BYTES / chunkBytes)) : 1,
    stepCost: 0,
    turnMs: turnMs.step,
    expected: plan.cost.chunks,
    jobCost: chunkBytes,
    alsoHere: way.alsoHere,
    abandons: true,
    takesBack: false,
    send(chunks, ended) {
      const encoded = chunks.map((chunk) => {
        if (!isLarge) chunk.loan = chunk.keep?.lend(chunk.task.form.bytes);
        const { encoded, needed, loan } = chunk;
        return { encoded, needed, reduce: stage.reduceWork(chunk), into: loan?.memory };
      });
      const released = (): void => {
        for (const chunk of chunks) chunk.released.resolve();
      };
      const [first] = chunks;
      if (first === undefined) throw new TypeError('a message has chunks');
      const used = reads.take(first.task);
      const each = (i: number, result: Decoded): void => {
        if (i === chunks.length - 1) used.inThreads--;
        const chunk = chunks[i];
        chunk?.loan?.end();
        // Does nothing for a cancelled read, because the memory of its result may have been reused.
        if (chunk !== undefined && ended(chunk)) received(chunk, result);
      };
      return pool.run(used.read, { encoded }, { each, released }, signal);
    },
    runHere: (chunks) => chunks.forEach(runHere),
    reject(chunk, error, isSent) {
      chunk.done.reject(error);
      if (isSent) return;
      chunk.loan?.end();
      chunk.released.resolve();
    },
  });
  stage.read.atEnd.push(() => reads.close());
  return (job) => {
    const chunk = {
      ...job,
      cost: job.needed.end,
      losses: 0,
      loan: undefined,
      released: deferred(),
      done: deferred(),
    };
    distributor.add(chunk);
    return {
      released: chunk.released.isOver() ? undefined : chunk.released.promise,
      done: chunk.done.promise,
    };
  };
}

/**
 * Creates a handler that is sequential if the pool is needed, so that each chunk may use all remaining memory
 * of the read.
 */
function variableHandler(stage: DecodeStage, pool: CodecPool): (job: DecodeJob) => Handling | undefined {
  const { signal } = stage.read;
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const decode = ({ task: { form }, encoded }: DecodeJob): DecodedChunk | Promise<DecodedChunk> =>
    decodeVariable(form.chain, encoded, form.bytes, stage.itemLimit, pool, signal);
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
