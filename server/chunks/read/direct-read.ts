/**
 * A direct read: the files that contain the chunks are read without the store's queues, by this thread or by the threads
 * of the pool and this one. Chunks that cannot be read directly (a link, a modified file, corrupt data) are read again by
 * the pipeline, which reports the error.
 */
import { encodedBuffers } from '../../core/bytes/buffer-pool.js';
import { asError } from '../../core/deferred.js';
import { throwIfAborted } from '../../core/errors.js';
import { createPause, turnMs } from '../../core/turns.js';
import type { ReadPlan, ReadTask } from '../../format/plan/plan.js';
import type { FilePart, LocalFiles, StoreValue } from '../../store/store.js';
import type { Sink } from '../../compute/reduce/sink.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import { decodeTask, reduceTask } from '../../threads/decode-task.js';
import { Distributor } from '../../threads/distributor.js';
import type { JobRead } from '../../threads/job.js';
import type { Decoded } from '../../threads/outcomes.js';
import { regionBytes } from '../../threads/region-copy.js';
import { sharePlan } from '../../threads/shared-plan.js';
import {
  readSpan,
  spansOf,
  type Span,
  type SpanChunk,
  type Stored,
  type Tally,
} from '../../threads/spans.js';
import { createPartOf, taskOfPart, type ChunkPart } from './chunk-parts.js';
import { directJobs, type DirectWay } from './choose.js';
import type { ChunkSource } from './fetch.js';
import { isConfirmed, locateTasks, reportAbsent, type LocatedTask } from './locate-tasks.js';

export { BoxThreads } from './box-read.js';

/** Whether this platform reads files directly. */
export const canReadDirectly: boolean = true;

export interface DirectOptions {
  readonly way: DirectWay;
  /** The threads that read, unless this thread reads all chunks. */
  readonly pool: CodecPool | undefined;
  /** Maximum stored size of a chunk in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onVersion: ((key: string, version: string | undefined) => void) | undefined;
  /** Receives the number of decoded chunks. */
  readonly onDecoded: (chunks: number) => void;
}

export interface DirectOutcome {
  /** Tasks of absent chunks. */
  readonly absent: readonly ReadTask[];
  /** Tasks left to the pipeline: all tasks of an object, so that they use the same version. */
  readonly left: readonly ReadTask[];
}

/** The results for the chunks of one batch. */
interface Results extends Tally {
  readonly absent: ReadTask[];
  /** Keys of objects with chunks that could not be read. */
  readonly failed: Set<string>;
  decoded: number;
}

/** A chunk that a thread reads. */
interface DirectJob extends LocatedTask {
  readonly cost: number;
  readonly files: LocalFiles;
  readonly results: Results;
  /** Called once, when no thread accesses the result for this chunk any longer. */
  readonly ended: (error?: unknown) => void;
}

type DirectSink = Pick<Sink<unknown>, 'chunk' | 'into' | 'partial' | 'region' | 'destination'>;

export class DirectRead {
  readonly #plan: ReadPlan;
  readonly #source: ChunkSource;
  readonly #sink: DirectSink;
  readonly #options: DirectOptions;
  readonly #pause = createPause();
  #team: Team | undefined;
  /** Whether a thread was lost. The pipeline then reads the chunks that are not in the threads, and limits further losses. */
  #hasLost = false;

  constructor(plan: ReadPlan, source: ChunkSource, sink: DirectSink, options: DirectOptions) {
    this.#plan = plan;
    this.#source = source;
    this.#sink = sink;
    this.#options = options;
  }

  /**
   * @throws store errors from locating chunks; AbortedError, after the last write of a thread to the result
   */
  async run(tasks: readonly ReadTask[]): Promise<DirectOutcome> {
    const { onVersion, onDecoded, signal, way, maxBytes } = this.#options;
    const found = await locateTasks(tasks, this.#source, maxBytes, signal, this.#pause);
    throwIfAborted(signal);
    if (found === undefined) return { absent: [], left: tasks };
    const { files, located, absent, failed } = found;
    const results: Results = { absent, failed, decoded: 0, requests: 0, bytes: 0 };
    const start = performance.now();
    if (way.by === 'threads') await this.#readInThreads(located, files, results);
    else await this.#readHere(located, files, results, way.maxPartBytes);
    files.ended({ ...results, milliseconds: performance.now() - start });
    throwIfAborted(signal);
    if (results.decoded > 0) onDecoded(results.decoded);
    // Threads do not check the folder; `readNow` on this thread does.
    if (way.by === 'threads' && !isConfirmed(files)) return { absent: [], left: tasks };
    const isLeft = ({ location }: ReadTask): boolean =>
      failed.size > 0 && failed.has(this.#source.objectKey(location.object));
    if (onVersion !== undefined) reportAbsent(found, this.#source, onVersion);
    return {
      absent: absent.filter((task) => !isLeft(task)),
      left: failed.size === 0 ? [] : tasks.filter(isLeft),
    };
  }

  /** Call this only when no `run` is pending. */
  close(): void {
    this.#team?.close();
  }

  /** Reads the chunks on this thread, without awaiting anything per chunk. */
  async #readHere(
    located: readonly LocatedTask[],
    files: LocalFiles,
    results: Results,
    maxPartBytes: number | undefined,
  ): Promise<void> {
    const pause = createPause(undefined, turnMs.reading);
    const partOf = createPartOf(this.#plan, maxPartBytes);
    const memory = this.#memory;
    let isPart = false;
    const receive = (chunk: Placed, stored: Stored, value: StoreValue | undefined): void =>
      this.#receive(chunk.located, stored, value, isPart, results);
    for (const span of spansOf(located, placed)) {
      const pausing = pause();
      if (pausing !== undefined) await pausing;
      if (this.#options.signal.aborted) return;
      const part = partOf === undefined ? undefined : partOfSpan(span, partOf);
      isPart = part !== undefined;
      const readNow = files.isSlow() ? elsewhere : files.readNow;
      readSpan(part ?? span, readNow, memory, results, receive);
    }
  }

  get #memory() {
    return { maxBytes: this.#options.maxBytes, pool: encodedBuffers };
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
        located.map((chunk) => ({ ...chunk, cost: costOf(chunk.task), files, results, ended })),
      );
    });
  }

  #createTeam(files: LocalFiles, first: LocatedTask): Team {
    const plan = this.#plan;
    const { pool, way, signal, maxBytes } = this.#options;
    const { destination } = this.#sink;
    if (pool === undefined || destination === undefined || way.by !== 'threads')
      throw new TypeError('a direct read by threads requires a pool and a destination');
    const read: JobRead = {
      chain: plan.layout.chain,
      chunkBytes: plan.cost.chunkBytes,
      destination,
      plan: sharePlan(plan),
      files: { folder: files.access, maxBytes },
    };
    const { costOf, ...sizes } = directJobs(plan, destination.kind);
    const hasSlot = destination.kind === 'regions';
    const chunkOf = (chunk: DirectJob, place: SpanChunk) => ({
      ...place,
      position: chunk.task.chunk,
      slotBytes: hasSlot ? regionBytes(plan, chunk.task) : 0,
    });
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
    return { distributor, costOf, close: () => pool.closeRead(read) };
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

  #settle(job: DirectJob, run: () => void): void {
    try {
      run();
      job.ended();
    } catch (error) {
      job.ended(error);
    }
  }

  /** Receives the result of a thread. */
  #arrived({ task, object, part, results }: DirectJob, decoded: Decoded): void {
    if ('absent' in decoded) return void results.absent.push(task);
    this.#hasLost ||= 'lost' in decoded;
    if (!('values' in decoded)) return void results.failed.add(object);
    const { values, partial, version } = decoded;
    // A cancelled read may not write to the result.
    if (this.#options.signal.aborted) return;
    if (partial !== undefined) this.#sink.partial?.(task, partial);
    if (values !== undefined && 'bytes' in values) this.#sink.region?.(task, values.bytes);
    this.#done(object, part, version, results);
  }

  /** Decodes a chunk on this thread. @param isPart whether only a part of an uncompressed chunk is stored in `stored` */
  #receive(
    { task, object, part }: LocatedTask,
    stored: Stored,
    value: StoreValue | undefined,
    isPart: boolean,
    results: Results,
  ): void {
    if (stored === 'absent') return void results.absent.push(task);
    const { cost, layout } = this.#plan;
    try {
      if (stored === undefined || (isPart && value?.total !== cost.chunkBytes))
        return void results.failed.add(object);
      if (isPart)
        this.#sink.chunk(taskOfPart(task), { values: { bytes: stored }, strides: layout.chain.strides });
      else this.#decode(task, stored);
    } catch {
      return void results.failed.add(object);
    }
    this.#done(object, part, value?.version, results);
  }

  #decode(task: ReadTask, encoded: Uint8Array): void {
    const { destination } = this.#sink;
    if (destination?.kind !== 'partials') return decodeTask(this.#plan, task, encoded, this.#sink);
    decodeTask(this.#plan, task, encoded, {
      chunk: (_, decoded) => this.#sink.partial?.(task, reduceTask(destination.rule, task, decoded)),
    });
  }

  #done(object: string, part: FilePart, version: string | undefined, results: Results): void {
    results.decoded++;
    this.#options.onVersion?.(object, part.version ?? version);
  }
}

interface Team {
  readonly distributor: Distributor<DirectJob>;
  readonly costOf: (task: ReadTask) => number;
  close(): void;
}

interface Placed<T extends LocatedTask = LocatedTask> extends SpanChunk {
  readonly located: T;
}

function placed<T extends LocatedTask>(located: T, { start, length, crc }: SpanChunk): Placed<T> {
  return { located, start, length, crc };
}

/** The part of a whole file that is needed; undefined for all of it. */
function partOfSpan(
  { request, chunks }: Span<Placed>,
  partOf: (task: ReadTask) => ChunkPart | undefined,
): Span<Placed> | undefined {
  const [first] = chunks;
  if (first === undefined || first.length !== undefined) return undefined;
  const range = partOf(first.located.task);
  return range === undefined ? undefined : { request: { ...request, range }, chunks };
}

const elsewhere = (): 'elsewhere' => 'elsewhere';

export function createDirectRead(...options: ConstructorParameters<typeof DirectRead>): DirectRead {
  return new DirectRead(...options);
}
