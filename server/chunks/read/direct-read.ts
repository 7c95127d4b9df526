/**
 * A direct read: the files that contain the chunks are read without the store's queues, by this thread or by the threads
 * of the pool and this one. Chunks that cannot be read directly (a link, a modified file, corrupt data) are read again by
 * the pipeline, which reports the error.
 */
import { type BufferPool, encodedBuffers } from '../../core/bytes/buffer-pool.js';
import { asError } from '../../core/deferred.js';
import { CodecError, throwIfAborted } from '../../core/errors.js';
import { createPause, turnMs } from '../../core/turns.js';
import { type ReadTask, maxStoredBytes } from '../../format/plan/plan.js';
import { partOf, taskOfPart } from '../../format/plan/region.js';
import type { LocalFiles, StoreValue } from '../../store/store.js';
import {
  decodeTask,
  reduceTask,
  readSpan,
  spansOf,
  type Span,
  type SpanChunk,
  type Stored,
  type Tally,
} from '../../threads/spans.js';
import { Distributor } from '../../threads/distributor.js';
import type { JobRead } from '../../threads/job.js';
import type { Decoded } from '../../threads/outcomes.js';
import { regionBytes } from '../../threads/place-sink.js';
import { sharePlan } from '../../threads/shared-plan.js';
import { directJobs, type DirectWay } from './choose.js';
import { type ArrayChunks, type ChunkLoan, keepIn } from './chunk-cache.js';
import type { ChunkRead } from './chunk-read.js';
import { DecodeStage } from './decode-stage.js';
import { isConfirmed, locateTasks, reportAbsent, type LocatedTask, versionOfPart } from './locate-tasks.js';

export { BoxThreads, isSameRead } from './box-read.js';

/** Whether this platform reads files directly. */
export const canReadDirectly: boolean = true;

/** The results for the chunks of one batch. */
interface Results extends Tally {
  readonly absent: ReadTask[];
  /** Keys of objects with chunks that could not be read. */
  readonly failed: Set<string>;
  /** See `LocalFiles.checksAbsent`. */
  readonly checksAbsent: boolean;
  decoded: number;
}

/** A chunk that a thread reads. */
interface DirectJob extends LocatedTask {
  readonly cost: number;
  readonly files: LocalFiles;
  readonly results: Results;
  /** Memory of the cache in which a thread decodes. */
  loan: ChunkLoan | undefined;
  /** Called once, when no thread accesses the result for this chunk any longer. */
  readonly ended: (error?: unknown) => void;
}

export class DirectRead {
  readonly #read: ChunkRead;
  readonly #way: DirectWay;
  readonly #memory: { readonly maxBytes: number; readonly pool: BufferPool };
  readonly #pause = createPause(undefined, turnMs.reading);
  /** The cache that keeps the chunks; undefined if none does. */
  readonly #cache: ArrayChunks | undefined;
  readonly #stage: DecodeStage;
  #team: Team | undefined;
  /** Whether a thread was lost. The pipeline then reads the chunks that are not in the threads, and limits further losses. */
  #hasLost = false;

  constructor(read: ChunkRead, way: DirectWay) {
    this.#read = read;
    this.#way = way;
    const { source, settings } = read;
    this.#cache = way.by === 'threads' && way.keeps ? settings.cache?.chunksOf(source.cacheKey) : undefined;
    this.#stage = new DecodeStage(read);
    this.#memory = { maxBytes: maxStoredBytes(read.plan, read.settings.limits), pool: encodedBuffers };
  }

  /** Whether the chunks are cached, and so must be claimed before `run`. */
  get keeps(): boolean {
    return this.#cache !== undefined;
  }

  /**
   * @returns the tasks left to the pipeline: all tasks of an object, so that they use the same version
   * @throws store errors from locating chunks; errors from the sink for absent chunks; AbortedError, after the last write
   * of a thread to the result
   */
  async run(tasks: readonly ReadTask[]): Promise<readonly ReadTask[]> {
    const { source, settings, sink, signal } = this.#read;
    const found = await locateTasks(tasks, source, this.#memory.maxBytes, signal, this.#pause);
    throwIfAborted(signal);
    // The pipeline has more requests to a slow disk at a time than there are threads.
    if (found === undefined || (this.keeps && found.files.isSlow())) return this.#leave(tasks);
    const { files, located, absent, failed } = found;
    const { checksAbsent = false } = files;
    const results: Results = { absent, failed, checksAbsent, decoded: 0, requests: 0, bytes: 0 };
    const start = performance.now();
    if (this.#way.by === 'threads') await this.#readInThreads(located, files, results);
    else await this.#readHere(located, files, results, this.#way.maxPartBytes);
    files.ended?.({ ...results, milliseconds: performance.now() - start });
    throwIfAborted(signal);
    const { chunkBytes } = this.#read.plan.cost;
    if (results.decoded > 0) settings.metrics?.chunksDecoded(results.decoded, results.decoded * chunkBytes);
    // Threads do not check the folder; `readNow` on this thread does.
    if (this.#way.by === 'threads' && !isConfirmed(files)) return this.#leave(tasks);
    if (settings.onVersion !== undefined) reportAbsent(found, source, settings.onVersion);
    const isLeft = ({ location }: ReadTask): boolean => failed.has(source.objectKey(location.object));
    const left = failed.size === 0 ? [] : this.#leave(tasks.filter(isLeft));
    for (const task of absent) {
      if (failed.size === 0 || !isLeft(task)) await sink.absent(task, signal);
      await this.#pause();
    }
    return left;
  }

  #leave(tasks: readonly ReadTask[]): readonly ReadTask[] {
    if (tasks.length > 0) this.#read.sink.retried?.();
    return tasks;
  }

  /** Reads the chunks on this thread, without awaiting anything per chunk. */
  async #readHere(
    located: readonly LocatedTask[],
    files: LocalFiles,
    results: Results,
    maxPartBytes: number | undefined,
  ): Promise<void> {
    let isPart = false;
    const receive = (chunk: Placed, stored: Stored, value: StoreValue | undefined): void =>
      this.#receive(chunk.located, stored, value, isPart, results);
    for (const span of spansOf(located, placed)) {
      const pausing = this.#pause();
      if (pausing !== undefined) await pausing;
      if (this.#read.signal.aborted) return;
      const part = maxPartBytes === undefined ? undefined : this.#partOf(span, maxPartBytes);
      isPart = part !== undefined;
      const readNow = files.isSlow() ? elsewhere : files.readNow;
      readSpan(part ?? span, readNow, this.#memory, results, receive);
    }
  }

  /** The part of a whole file that is needed; undefined for all of it. */
  #partOf({ request, chunks }: Span<Placed>, maxPartBytes: number): Span<Placed> | undefined {
    const [first] = chunks;
    if (first === undefined || first.length !== undefined) return undefined;
    const range = partOf(this.#read.plan, first.located.task, maxPartBytes);
    return range === undefined ? undefined : { request: { ...request, range }, chunks };
  }

  #readInThreads(located: readonly LocatedTask[], files: LocalFiles, results: Results): Promise<void> {
    const [first] = located;
    if (first === undefined) return Promise.resolve();
    this.#team ??= this.#createTeam(files, first);
    const { distributor, costOf } = this.#team;
    return new Promise((resolve, reject) => {
      let left = located.length;
      let failure: { readonly error: unknown } | undefined;
      const ended = (error?: unknown): void => {
        if (error !== undefined) failure ??= { error };
        if (--left > 0) return;
        if (failure === undefined) resolve();
        else reject(asError(failure.error));
      };
      distributor.addAll(
        located.map((chunk) => ({
          ...chunk,
          cost: costOf(chunk.task),
          files,
          results,
          loan: undefined,
          ended,
        })),
      );
    });
  }

  #createTeam(files: LocalFiles, first: LocatedTask): Team {
    const { plan, settings, sink, signal } = this.#read;
    const way = this.#way;
    const { pool } = settings;
    const cache = this.#cache;
    const destination = cache === undefined ? sink.destination : ({ kind: 'chunks' } as const);
    if (pool === undefined || destination === undefined || way.by !== 'threads')
      throw new TypeError('a direct read by threads requires a pool and a destination');
    const read: JobRead = {
      chain: plan.layout.largest.chain,
      chunkBytes: plan.cost.chunkBytes,
      destination,
      plan: cache === undefined ? sharePlan(plan) : undefined,
      files: { folder: files.access, maxBytes: this.#memory.maxBytes },
    };
    const { costOf, ...sizes } = directJobs(plan, destination.kind);
    const hasSlot = destination.kind === 'regions';
    const chunkOf = (chunk: DirectJob, place: SpanChunk) => {
      chunk.loan = cache?.lend(plan.cost.chunkBytes);
      return {
        ...place,
        position: chunk.task.chunk,
        slotBytes: hasSlot ? regionBytes(plan, chunk.task) : 0,
        into: chunk.loan?.memory,
      };
    };
    const distributor = new Distributor<DirectJob>({
      pool,
      signal,
      isLarge: false,
      ...sizes,
      turnMs: turnMs.feeding,
      expected: plan.cost.chunks,
      jobCost: costOf(first.task),
      alsoHere: way.alsoHere,
      isBlocked: () => files.isSlow(),
      abandons: false,
      takesBack: true,
      send: (jobs, ended) => {
        const [first] = jobs;
        if (this.#hasLost) {
          for (const job of jobs) if (ended(job)) this.#settle(job, () => this.#fail(job));
          return () => false;
        }
        const each = (i: number, decoded: Decoded): void => {
          const job = jobs[i];
          if (job === undefined) return;
          ended(job);
          if ('absent' in decoded) job.loan?.end(decoded.bytes);
          this.#settle(job, () => this.#arrived(job, decoded));
        };
        const reads = ({ requests, bytes }: Tally): void => {
          if (first === undefined) return;
          first.results.requests += requests;
          first.results.bytes += bytes;
        };
        return pool.run(read, { spans: spansOf(jobs, chunkOf) }, { each, reads }, signal);
      },
      runHere: (jobs) => this.#runHere(jobs, way.alsoHere),
      // The pipeline reports the error.
      reject: (job) => this.#settle(job, () => this.#fail(job)),
    });
    this.#read.atEnd.push(() => pool.closeRead(read));
    return { distributor, costOf };
  }

  /** Reads jobs on this thread. @param mayRead false if all threads are lost: the pipeline then reads the chunks */
  #runHere(jobs: readonly DirectJob[], mayRead: boolean): void {
    for (const span of spansOf(jobs, placed)) {
      const [first] = span.chunks;
      if (first === undefined) continue;
      const { files, results } = first.located;
      const readNow = mayRead ? files.readNow : elsewhere;
      readSpan(span, readNow, this.#memory, results, ({ located: job }, stored, value) =>
        this.#settle(job, () => this.#receive(job, stored, value, false, job.results)),
      );
    }
  }

  #fail({ results, object }: DirectJob): void {
    results.failed.add(object);
  }

  #settle(job: DirectJob, run: () => Promise<void> | void): void {
    try {
      job.loan?.end();
      const done = run();
      if (done === undefined) job.ended();
      else done.then(() => job.ended(), job.ended);
    } catch (error) {
      job.ended(error);
    }
  }

  /** Receives the result of a thread. */
  #arrived(job: DirectJob, decoded: Decoded): Promise<void> | undefined {
    const { task, object, part, results } = job;
    if ('absent' in decoded) {
      lacks(job, results);
      return undefined;
    }
    this.#hasLost ||= 'lost' in decoded;
    if (!('values' in decoded)) {
      results.failed.add(object);
      return undefined;
    }
    const { values, partials, isOwn } = decoded;
    // A cancelled read may not write to the result.
    const { settings, sink, signal } = this.#read;
    if (signal.aborted) return undefined;
    const cache = this.#cache;
    const version = versionOfPart(part, decoded.version);
    results.decoded++;
    settings.onVersion?.(object, version);
    if (cache === undefined) {
      if (partials !== undefined) sink.partials?.(task, partials);
      if (values !== undefined && 'bytes' in values) sink.region?.(task, values.bytes);
      return undefined;
    }
    if (values === undefined) throw new CodecError('decoding thread returned no result');
    const keep = version === undefined ? undefined : keepIn(cache, task.location, version);
    return this.#stage.receive({ task, keep }, { values, strides: task.form.chain.strides }, isOwn);
  }

  /** Decodes a chunk on this thread. @param isPart whether only a part of an uncompressed chunk is stored in `stored` */
  #receive(
    located: LocatedTask,
    stored: Stored,
    value: StoreValue | undefined,
    isPart: boolean,
    results: Results,
  ): void {
    if (stored === 'absent') return lacks(located, results);
    const { task, object, part } = located;
    const { plan, settings, sink } = this.#read;
    const { form } = task;
    const { destination } = sink;
    try {
      if (stored === undefined || (isPart && value?.total !== form.bytes))
        return void results.failed.add(object);
      if (isPart) sink.chunk(taskOfPart(task), { values: { bytes: stored }, strides: form.chain.strides });
      else if (destination?.kind === 'partials')
        sink.partials?.(task, reduceTask(plan, destination.rules, task, stored));
      else decodeTask(plan, task, stored, sink);
    } catch {
      return void results.failed.add(object);
    }
    results.decoded++;
    settings.onVersion?.(object, versionOfPart(part, value?.version));
  }
}

/** The file of a chunk does not exist. */
function lacks({ task, object }: LocatedTask, { absent, failed, checksAbsent }: Results): void {
  if (checksAbsent) failed.add(object);
  else absent.push(task);
}

interface Team {
  readonly distributor: Distributor<DirectJob>;
  readonly costOf: (task: ReadTask) => number;
}

interface Placed<T extends LocatedTask = LocatedTask> extends SpanChunk {
  readonly located: T;
}

function placed<T extends LocatedTask>(located: T, { start, length, crc }: SpanChunk): Placed<T> {
  return { located, start, length, crc };
}

const elsewhere = (): 'elsewhere' => 'elsewhere';
