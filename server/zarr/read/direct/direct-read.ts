/**
 * A direct read: the files that contain the chunks are read without the store's queues. Either this thread reads all of
 * them, or the threads of the pool and this one share them (`team-read.ts`). Chunks that cannot be read directly (a
 * link, a modified file, corrupt data) are read again by the pipeline, which reports the error.
 */
import { decodeChunk } from '../../codec/decode-chunk.js';
import { throwIfAborted } from '../../errors.js';
import type { LocalFiles } from '../../store/store.js';
import { createPause } from '../../turns.js';
import { createPartOf, taskOfPart } from '../chunk-parts.js';
import type { ChunkSource } from '../fetch.js';
import type { ReadPlan, ReadTask } from '../plan.js';
import { neededSpan } from '../region.js';
import type { DirectAccess, Sink } from '../sink.js';
import type { LocatedTask } from './build-window.js';
import type { DirectOptions, Results } from './direct-options.js';
import { reduceChunk } from './reduce-chunk.js';
import { readSerially } from './serial.js';
import { TeamRead } from './team-read.js';

export interface DirectOutcome {
  /** Tasks of absent chunks. */
  readonly absent: readonly ReadTask[];
  /** Tasks left to the pipeline: all tasks of an object, so that they use the same version. */
  readonly left: readonly ReadTask[];
}

type DirectSink = Pick<Sink<unknown>, 'chunk' | 'into' | 'partial'>;

export class DirectRead {
  readonly #plan: ReadPlan;
  readonly #source: ChunkSource;
  readonly #sink: DirectSink;
  readonly #access: DirectAccess;
  readonly #options: DirectOptions;
  readonly #team: TeamRead | undefined;
  readonly #pause = createPause();

  constructor(
    plan: ReadPlan,
    source: ChunkSource,
    sink: DirectSink,
    access: DirectAccess,
    options: DirectOptions,
  ) {
    this.#plan = plan;
    this.#source = source;
    this.#sink = sink;
    this.#access = access;
    this.#options = options;
    const { pool } = options;
    if (pool === undefined) return;
    const decode = (task: ReadTask, bytes: Uint8Array): unknown => this.#decode(task, bytes);
    this.#team = new TeamRead(plan, access, decode, { ...options, pool });
  }

  /** @throws store errors of locating chunks; AbortedError, after the last write of a thread to the result */
  async run(tasks: readonly ReadTask[]): Promise<DirectOutcome> {
    const { onVersion, onDecoded, signal } = this.#options;
    const keys = [];
    for (const { place } of tasks) {
      keys.push({ object: this.#source.objectKey(place.object), entries: place.entries });
      const pausing = this.#pause();
      if (pausing !== undefined) await pausing;
    }
    const locating = this.#source.store.locate?.(keys, { signal });
    const found = locating instanceof Promise ? await locating : locating;
    throwIfAborted(signal);
    if (found === undefined) return { absent: [], left: tasks };
    const { files, parts } = found;
    const results: Results = { absent: [], failed: new Set(), decoded: 0 };
    const located: LocatedTask[] = [];
    for (const [i, task] of tasks.entries()) {
      const [part, object] = [parts[i], keys[i]?.object ?? ''];
      if (part === 'absent') results.absent.push(task);
      else if (part === undefined || (part.length ?? 0) > this.#options.maxBytes) results.failed.add(object);
      else located.push({ task, part, object });
      const pausing = this.#pause();
      if (pausing !== undefined) await pausing;
    }
    if (this.#team !== undefined) await this.#team.run(located, files, results, this.#sink);
    else await this.#readHere(located, files, results);
    throwIfAborted(signal);
    if (results.decoded > 0) onDecoded(results.decoded);
    // This thread reads with the store's own checks.
    if (this.#team !== undefined && !isConfirmed(files)) return { absent: [], left: tasks };
    const { absent, failed } = results;
    const isLeft = ({ place }: ReadTask): boolean =>
      failed.size > 0 && failed.has(this.#source.objectKey(place.object));
    if (onVersion !== undefined)
      for (const { place } of absent)
        if (place.entries.length === 0) onVersion(this.#source.objectKey(place.object), undefined);
    return {
      absent: absent.filter((task) => !isLeft(task)),
      left: failed.size === 0 ? [] : tasks.filter(isLeft),
    };
  }

  /** Call only when no `run` is pending. */
  close(): void {
    this.#team?.close();
  }

  #readHere(located: readonly LocatedTask[], files: LocalFiles, results: Results): Promise<void> {
    const { signal, maxBytes, onVersion } = this.#options;
    const { cost, layout } = this.#plan;
    return readSerially(located, files, {
      ...{ signal, maxBytes, chunkBytes: cost.chunkBytes },
      partOf: createPartOf(this.#plan, this.#source.store),
      decode: (task, bytes, isPart) => {
        if (!isPart) this.#decode(task, bytes);
        else this.#sink.chunk(taskOfPart(task), { values: { bytes }, strides: layout.chain.strides });
      },
      done({ object, part }, version) {
        results.decoded++;
        onVersion?.(object, part.version ?? version);
      },
      absent: (task) => results.absent.push(task),
      failed: ({ object }) => results.failed.add(object),
    });
  }

  /** Decodes a chunk on this thread. @returns its partial result, for a reduction */
  #decode(task: ReadTask, encoded: Uint8Array): unknown {
    const plan = this.#plan;
    if (this.#access.kind === 'partials') return reduceChunk(plan, task, encoded, this.#access.rule);
    const [into, needed] = [this.#sink.into?.(task), neededSpan(plan, task)];
    const { chain } = plan.layout;
    this.#sink.chunk(task, decodeChunk(chain, encoded, plan.cost.chunkBytes, into, needed));
    return undefined;
  }
}

/** Whether the folder is still the same one. If it was replaced, the store reports the error. */
function isConfirmed(files: LocalFiles): boolean {
  try {
    files.confirm();
    return true;
  } catch {
    return false;
  }
}
