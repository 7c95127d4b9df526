/**
 * Merges the partial results of tasks in their order, regardless of the order in which they arrive, and records them, so
 * that another run continues with exactly the same numbers.
 */
import { isJsonList, isZarrError } from '../zarr/index.js';
import type { JobMerging, TaskMerge, TaskReport } from './plan.js';
import type { JobRecord, RecordedPartials } from './record.js';
import { addSeen, parseSeen, seenText, withoutSeen } from './seen-versions.js';
import { TaskRanges } from './task-ranges.js';

type Finished = Pick<TaskReport, 'partial' | 'seen'>;
type RecordedTasks = Pick<JobRecord, 'done' | 'seen' | 'partials'>;

const nothing: () => RecordedTasks = () => ({ done: new TaskRanges(), seen: 0n });

export class MergeQueue {
  readonly #merging: JobMerging;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Map<number, Finished>();
  #merge: TaskMerge;
  #merged = 0;
  /** That of the merged tasks. */
  #seen: bigint | undefined = 0n;
  #last: Promise<void> = Promise.resolve();
  /** Whether a partial result was merged in part. */
  #isBroken = false;

  /** @param onError called if a partial result is malformed */
  constructor(merging: JobMerging, onError: (error: unknown) => void) {
    this.#merging = merging;
    this.#merge = merging.start();
    this.#onError = onError;
  }

  /** Number of the first tasks, whose partial results have been merged. */
  get merged(): number {
    return this.#merged;
  }

  put(task: number, { partial, seen }: Finished): void {
    this.#waiting.set(task, { ...(partial === undefined ? {} : { partial }), seen });
    this.#inTurn(() => this.#mergeNext()).catch(this.#onError);
  }

  /** The merged results, after all of `put`. */
  async result(): Promise<TaskMerge> {
    await this.#last;
    return this.#merge;
  }

  /**
   * Continues with recorded partial results. Called before `put`.
   * @returns false for results of another form; nothing is then finished
   */
  resume({ done, seen, partials }: JobRecord): boolean {
    if (partials === undefined) return false;
    const { merged, state, waiting } = partials;
    const { codec } = this.#merging;
    const named = new TaskRanges(merged === 0 ? [] : [[0, merged]]);
    for (const { task } of waiting) if (task >= merged) named.add(task);
    if (named.count !== merged + waiting.length || named.ranges.join() !== done.ranges.join()) return false;
    try {
      const [only] = codec.decode([state]);
      const merge = this.#merging.start({ tasks: merged, state: only });
      const later = waiting.map(({ task, seen: own, partial }): [number, Finished] => [
        task,
        { partial: codec.decode(partial), seen: own === undefined ? undefined : parseSeen(own) },
      ]);
      this.#merge = merge;
      this.#merged = merged;
      this.#seen = later.reduce<bigint | undefined>((sum, [, own]) => sum === undefined || own.seen === undefined ? undefined : withoutSeen(sum, own.seen), seen); // prettier-ignore
      for (const [task, own] of later) this.put(task, own);
      return true;
    } catch (error) {
      if (error instanceof TypeError || isZarrError(error, 'BAD_INPUT')) return false;
      throw error;
    }
  }

  /** The finished tasks with their partial results, as many as fit into this number of characters of JSON. */
  record(maxLength: number): Promise<RecordedTasks> {
    return this.#inTurn(async () => this.#recordNow(maxLength));
  }

  #recordNow(maxLength: number): RecordedTasks {
    if (this.#isBroken) return nothing();
    const { codec } = this.#merging;
    const encoded = codec.encode([this.#merge.state()]);
    const state = isJsonList(encoded) ? (encoded[0] ?? null) : null;
    let length = JSON.stringify(state).length;
    if (length > maxLength) return nothing();
    const waiting: RecordedPartials['waiting'][number][] = [];
    const done = new TaskRanges(this.#merged === 0 ? [] : [[0, this.#merged]]);
    let seen = this.#seen;
    for (const [task, own] of [...this.#waiting].toSorted(([a], [b]) => a - b)) {
      const partial = codec.encode(own.partial ?? []);
      length += JSON.stringify(partial).length + ENTRY_LENGTH;
      if (length > maxLength) break;
      waiting.push({ task, ...(own.seen === undefined ? {} : { seen: seenText(own.seen) }), partial });
      done.add(task);
      seen = seen === undefined || own.seen === undefined ? undefined : addSeen(seen, own.seen);
    }
    return { done, seen, partials: { merged: this.#merged, state, waiting } };
  }

  async #mergeNext(): Promise<void> {
    for (;;) {
      const next = this.#waiting.get(this.#merged);
      if (next === undefined || this.#isBroken) return;
      this.#isBroken = true;
      try {
        await this.#merge.add(next.partial);
      } catch (error) {
        this.#onError(error);
        return;
      }
      this.#isBroken = false;
      this.#waiting.delete(this.#merged);
      this.#seen =
        this.#seen === undefined || next.seen === undefined ? undefined : addSeen(this.#seen, next.seen);
      this.#merged++;
    }
  }

  /** One after the other: a record in the middle of a merge would mix two states. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }
}

/** Characters of JSON of a waiting task besides its partial result. */
const ENTRY_LENGTH = 100;
