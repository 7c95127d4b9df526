/**
 * Reduces the boxes of combined slices on the threads of the pool. Folds of the same inputs that begin in one turn of the
 * event loop are reduced together: a thread reads and decodes a box once for all of them. Each fold keeps its own state
 * and its own errors.
 */
import { allowManyListeners } from '#platform';
import type { BoxTask, ReducedBox } from '../../chunks/read/box-read.js';
import type { Program } from '../../compute/program/program.js';
import { type Deferred, deferred } from '../../core/deferred.js';
import { AbortedError } from '../../core/errors.js';
import { nextTurn } from '../../core/turns.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import { MAX_RULES } from '../../threads/slots.js';
import { type Box, type BoxGrid, isSameGrid } from '../boxes.js';
import type { BoxWork } from '../fold-slice.js';
import type { SliceReadOptions } from '../lazy-slice.js';
import { type BoxInputs, type BoxReducer, createBoxReducer, indicesOfInputs } from './reduce-boxes.js';

/** A fold whose boxes threads can reduce. */
export interface BoxFold {
  readonly boxes: Iterator<Box>;
  readonly inputs: BoxInputs;
  readonly pool: CodecPool;
  readonly grid: BoxGrid;
  /** Maximum size of a box, with all inputs. */
  readonly boxBytes: number;
  readonly program: Program;
  /** Options for reading an input. */
  readonly reading: SliceReadOptions;
  workOf(box: Box): Promise<BoxWork>;
  /** Merges the partial result of the next box. */
  add(partial: unknown, work: BoxWork): Promise<void>;
  /** Computes the next boxes on this thread. */
  addComputed(boxes: Iterator<Box>): Promise<void>;
}

/** Groups that other folds may join until the next turn. */
const open = new Set<Group>();

/** Adds all boxes to the fold. @throws errors from reading and from the fold; AbortedError if its signal fires */
export function joinBoxes(fold: BoxFold): Promise<void> {
  for (const group of open) {
    const joined = group.join(fold);
    if (joined !== undefined) return joined;
  }
  return new Group(fold).begin();
}

interface Member {
  readonly fold: BoxFold;
  /** The inputs of its program among those of the group. */
  readonly inputs: readonly number[];
  readonly done: Deferred;
}

/** A box that a thread reduces for some members. */
interface BegunBox {
  readonly box: Box;
  readonly parts: readonly { readonly member: Member; readonly work: BoxWork }[];
  readonly reducing: Promise<ReducedBox | undefined>;
}

class Group {
  readonly #first: BoxFold;
  readonly #members: Member[] = [];
  readonly #stop = new AbortController();
  readonly #unlink: (() => void)[] = [];

  constructor(first: BoxFold) {
    this.#first = first;
  }

  /** @returns undefined if the fold has other inputs or boxes, or the group is full */
  join(fold: BoxFold): Promise<void> | undefined {
    const { inputs, pool, grid } = this.#first;
    if (this.#members.length >= MAX_RULES || fold.pool !== pool || !isSameGrid(fold.grid, grid))
      return undefined;
    const indices = indicesOfInputs(fold.inputs, inputs);
    return indices === undefined ? undefined : this.#add(fold, indices);
  }

  begin(): Promise<void> {
    const done = this.#add(this.#first, [...this.#first.inputs.known.keys()]);
    open.add(this);
    this.#run().then(
      () => this.#end((member) => member.done.resolve()),
      (error: unknown) => this.#end((member) => member.done.reject(error)),
    );
    return done;
  }

  #add(fold: BoxFold, inputs: readonly number[]): Promise<void> {
    const member = { fold, inputs, done: deferred() };
    this.#members.push(member);
    const { signal } = fold.reading;
    const onAbort = (): void => {
      member.done.reject(new AbortedError('the request was cancelled', { cause: signal?.reason }));
      if (this.#isOver) this.#stop.abort();
    };
    if (signal?.aborted === true) onAbort();
    else if (signal !== undefined) {
      allowManyListeners(signal);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#unlink.push(() => signal.removeEventListener('abort', onAbort));
    }
    return member.done.promise;
  }

  get #isOver(): boolean {
    return this.#members.every(({ done }) => done.isOver());
  }

  #end(settle: (member: Member) => void): void {
    for (const unlink of this.#unlink) unlink();
    this.#members.forEach(settle);
  }

  async #run(): Promise<void> {
    await nextTurn();
    open.delete(this);
    const { boxes, boxBytes, inputs, pool, reading } = this.#first;
    const threads = createBoxReducer(inputs, pool, boxBytes, {
      ...reading,
      signal: this.#stop.signal,
      onVersion: (object, version) => {
        for (const { fold, done } of this.#members)
          if (!done.isOver()) fold.reading.onVersion?.(object, version);
      },
    });
    const ahead = threads.aheadOf(this.#members.length);
    const begun: BegunBox[] = [];
    let added = 0;
    let hasFailed = false;
    try {
      for (;;) {
        while (!hasFailed && !this.#isOver && begun.length < ahead) {
          const next = boxes.next();
          if (next.done === true) break;
          begun.push(await this.#begin(next.value, threads));
        }
        const [first] = begun;
        if (first === undefined || this.#isOver) break;
        const reduced = await first.reducing;
        hasFailed ||= reduced === undefined;
        for (const [k, { member, work }] of first.parts.entries())
          await attempt(member, (fold) =>
            reduced === undefined
              ? fold.addComputed([first.box].values())
              : fold.add(reduced.partials[k], work),
          );
        added++;
        reduced?.release();
        begun.shift();
      }
    } finally {
      // After a failure, the threads still reply. An abort has cancelled their boxes.
      for (const { reducing } of begun) reducing.then((reduced) => reduced?.release()).catch(() => undefined);
    }
    for (const member of this.#members)
      await attempt(member, async (fold) => {
        if (fold !== this.#first) for (let i = 0; i < added; i++) fold.boxes.next();
        await fold.addComputed(fold.boxes);
      });
  }

  async #begin(box: Box, threads: BoxReducer): Promise<BegunBox> {
    const parts: { readonly member: Member; readonly work: BoxWork }[] = [];
    for (const member of this.#members)
      await attempt(member, async (fold) => {
        parts.push({ member, work: await fold.workOf(box) });
      });
    const tasks = parts.map(({ member: { fold, inputs }, work: { own, form } }): BoxTask => ({ inputs, program: fold.program, form, axes: own })); // prettier-ignore
    return { box, parts, reducing: threads.reduce(box, tasks) };
  }
}

/** An error ends only this member. */
async function attempt({ fold, done }: Member, run: (fold: BoxFold) => Promise<void>): Promise<void> {
  if (done.isOver()) return;
  try {
    await run(fold);
  } catch (error) {
    done.reject(error);
  }
}
