/** Bounds the threads of the library in this process: each takes about 60 MB, and a repository uses one or two. */

export class ThreadSlots {
  readonly #max: number;
  readonly #holders = new Set<object>();
  /** Holders that wait for a slot, in their order, with what starts them. */
  readonly #queue = new Map<object, () => void>();
  /** Holders without work, least recently used first, with what ends them. */
  readonly #idle = new Map<object, () => void>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Calls `begin` when a slot is free. Ends an idle holder if all slots are in use. */
  take(holder: object, begin: () => void): void {
    if (this.#holders.size >= this.#max) {
      const [oldest] = this.#idle.values();
      oldest?.();
    }
    if (this.#holders.size < this.#max) {
      this.#holders.add(holder);
      begin();
    } else this.#queue.set(holder, begin);
  }

  /** @param end ends the holder, which releases its slot */
  rest(holder: object, end: () => void): void {
    this.#idle.delete(holder);
    this.#idle.set(holder, end);
    if (this.#queue.size > 0) end();
  }

  work(holder: object): void {
    this.#idle.delete(holder);
  }

  /** Also for holders that still wait. */
  release(holder: object): void {
    this.#queue.delete(holder);
    this.#idle.delete(holder);
    if (!this.#holders.delete(holder)) return;
    const [next] = this.#queue;
    if (next === undefined) return;
    const [waiting, begin] = next;
    this.#queue.delete(waiting);
    this.#holders.add(waiting);
    begin();
  }
}
