/**
 * Joins work that begins in one turn of the event loop, so that it reads its inputs once. An abort or an error ends the
 * work of one member only.
 */
import { allowManyListeners, runInNextTurn } from '#platform';
import { type Deferred, deferred } from '../core/deferred.js';
import { AbortedError } from '../core/errors.js';
import { MAX_RULES } from '../threads/slots.js';

interface Member<M> {
  readonly work: M;
  readonly done: Deferred;
}

export class Group<M> {
  readonly #stop = new AbortController();
  readonly #members: Member<M>[] = [];
  readonly #unlink: (() => void)[] = [];

  /** The work of all members, also of those that have ended. */
  get works(): readonly M[] {
    return this.#members.map(({ work }) => work);
  }

  /** Fires when all members have been aborted or have failed. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isOver(): boolean {
    return this.#members.every(({ done }) => done.isOver());
  }

  /** @returns a promise that rejects at once if the signal fires */
  add(work: M, signal: AbortSignal | undefined): Promise<void> {
    const done = deferred();
    this.#members.push({ work, done });
    const onAbort = (): void =>
      this.#fail(done, new AbortedError('the request was cancelled', { cause: signal?.reason }));
    if (signal?.aborted === true) onAbort();
    else if (signal !== undefined) {
      allowManyListeners(signal);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#unlink.push(() => signal.removeEventListener('abort', onAbort));
    }
    return done.promise;
  }

  /** Whether the member has neither been aborted nor failed. */
  isActive(work: M): boolean {
    return this.#members.some((member) => member.work === work && !member.done.isOver());
  }

  /** Runs a part of a member's work, unless it has ended. An error ends only this member. */
  async attempt(work: M, run: () => Promise<void>): Promise<void> {
    const done = this.#members.find((member) => member.work === work)?.done;
    if (done === undefined || done.isOver()) return;
    try {
      await run();
    } catch (error) {
      this.#fail(done, error);
    }
  }

  /** Ends the work of all members that have not ended. */
  end(failure?: { readonly error: unknown }): void {
    for (const unlink of this.#unlink) unlink();
    for (const { done } of this.#members)
      if (failure === undefined) done.resolve();
      else done.reject(failure.error);
  }

  #fail(done: Deferred, error: unknown): void {
    done.reject(error);
    if (this.isOver) this.#stop.abort();
  }
}

/**
 * @param mayJoin whether work may join a group whose first member is given
 * @param run does the work of a group: one part after the other, by `attempt`
 * @returns a function that does work, alone or with others; it throws errors of this work, and AbortedError
 */
export function createJoiner<M>(
  mayJoin: (first: M, other: M) => boolean,
  run: (group: Group<M>, first: M) => Promise<void>,
): (work: M, signal: AbortSignal | undefined) => Promise<void> {
  /** Groups that others may join until the next turn, by their first members. */
  const open = new Map<M, Group<M>>();
  return (work, signal) => {
    for (const [first, group] of open)
      if (group.works.length < MAX_RULES && mayJoin(first, work)) return group.add(work, signal);
    const group = new Group<M>();
    const done = group.add(work, signal);
    open.set(work, group);
    const begin = async (): Promise<void> => {
      // Not `nextTurn`, in which much other work may wait.
      await new Promise<void>((resolve) => runInNextTurn(resolve));
      open.delete(work);
      await run(group, work);
    };
    begin().then(
      () => group.end(),
      (error: unknown) => group.end({ error }),
    );
    return done;
  };
}
