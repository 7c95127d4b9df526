/**
 * A direct read: the files that contain the chunks are read without the store's queues. Either this thread reads all of
 * them, or the threads of the pool and this one share them (`team-read.ts`). Chunks that cannot be read directly (a
 * link, a modified file, corrupt data) are read again by the pipeline, which reports the error.
 */
import { decodeChunk } from '../../../format/codec/run-chain.js';
import { throwIfAborted } from '../../../core/errors.js';
import type { LocalFiles } from '../../../store/store.js';
import { createPause } from '../../../core/turns.js';
import { createPartOf, taskOfPart } from '../chunk-parts.js';
import type { ChunkSource } from '../fetch.js';
import type { ReadPlan, ReadTask } from '../../../format/plan/plan.js';
import { neededSpan } from '../../../format/plan/region.js';
import type { DirectAccess, Sink } from '../../../compute/reduce/sink.js';
import { isConfirmed } from './box-read.js';
import type { LocatedTask } from './build-window.js';
import { reduceChunk } from '../../../threads/direct/read-task.js';
import { readSerially } from './serial.js';
import { TeamRead, type DirectOptions, type Results } from './team-read.js';

export { BoxThreads } from './box-read.js';

/** Whether this platform reads files directly. */
export const canReadDirectly: boolean = true;

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
    const { pool, way } = options;
    if (pool === undefined || way.by !== 'threads') return;
    const decode = (task: ReadTask, bytes: Uint8Array): unknown => this.#decode(task, bytes);
    this.#team = new TeamRead(plan, access, way.alsoHere ? decode : undefined, { ...options, pool });
  }

  /**
   * @throws store errors from locating chunks; AbortedError, after the last write of a thread to the result
   */
  async run(tasks: readonly ReadTask[]): Promise<DirectOutcome> {
    const { onVersion, onDecoded, signal } = this.#options;
    const keys = [];
    for (const { location } of tasks) {
      keys.push({ object: this.#source.objectKey(location.object), entries: location.entries });
      const pausing = this.#pause();
      if (pausing !== undefined) await pausing;
    }
    /** Versions of the shards in which some of the inner chunks are absent; undefined for absent shards. */
    const lacking = new Map<string, string | undefined>();
    const onLacking = (object: string, version: string | undefined): void => {
      lacking.set(object, version);
    };
    const locating = this.#source.store.locate?.(keys, { signal, onLacking });
    const locatedParts = locating instanceof Promise ? await locating : locating;
    throwIfAborted(signal);
    if (locatedParts === undefined) return { absent: [], left: tasks };
    const { files, parts } = locatedParts;
    const results: Results = { absent: [], failed: new Set(), decoded: 0 };
    const located: LocatedTask[] = [];
    for (let i = 0; i < tasks.length; i++) {
      const task = tasks[i];
      const part = parts[i];
      const object = keys[i]?.object ?? '';
      if (task === undefined) continue;
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
    // The threads of a team do not check the folder; `readNow` on this thread does.
    if (this.#team !== undefined && !isConfirmed(files)) return { absent: [], left: tasks };
    const { absent, failed } = results;
    const isLeft = ({ location }: ReadTask): boolean =>
      failed.size > 0 && failed.has(this.#source.objectKey(location.object));
    if (onVersion !== undefined) {
      for (const { location } of absent)
        if (location.entries.length === 0) onVersion(this.#source.objectKey(location.object), undefined);
      for (const [object, version] of lacking) if (!failed.has(object)) onVersion(object, version);
    }
    return {
      absent: absent.filter((task) => !isLeft(task)),
      left: failed.size === 0 ? [] : tasks.filter(isLeft),
    };
  }

  /** Call this only when no `run` is pending. */
  close(): void {
    this.#team?.close();
  }

  #readHere(located: readonly LocatedTask[], files: LocalFiles, results: Results): Promise<void> {
    const { signal, maxBytes, onVersion, way } = this.#options;
    const { cost, layout } = this.#plan;
    return readSerially(located, files, {
      signal,
      maxBytes,
      chunkBytes: cost.chunkBytes,
      partOf: createPartOf(this.#plan, way.by === 'serial' ? way.maxPartBytes : undefined),
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
    const into = this.#sink.into?.(task);
    const needed = neededSpan(plan, task);
    const { chain } = plan.layout;
    this.#sink.chunk(task, decodeChunk(chain, encoded, plan.cost.chunkBytes, into, needed));
    return undefined;
  }
}

export function createDirectRead(...options: ConstructorParameters<typeof DirectRead>): DirectRead {
  return new DirectRead(...options);
}
