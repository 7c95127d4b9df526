/**
 * The memory budget, in bytes, in three levels that reserve before use and release afterwards:
 * - the process: `MemoryBudget`, shared by all requests
 * - the request: `RequestMemory`, which `MemoryBudget.open` creates
 * - the operation: `OperationMemory`, with a window for its concurrent reads, and for the parts of its response
 *
 * A reservation that does not fit waits for a limited time; waiting clients are served in turn. Requests that hold
 * memory while they wait for more could deadlock. A reserve of the size of the largest request prevents this: one
 * waiting request at a time may use it, and can therefore always finish.
 */
import { BusyError, requestTooLarge } from './busy-error.js';
import type { ReadNeed } from './needs.js';
import { READ_WINDOW_BYTES } from './sizes.js';

export interface MemoryBudgetOptions {
  /** Memory of all requests together. */
  readonly maxBytes: number;
  /** Maximum memory of one request. The reserve has this size and is part of `maxBytes`. */
  readonly maxRequestBytes: number;
  /** Maximum time that a reservation waits. */
  readonly waitMs: number;
}

export interface MemoryStats {
  readonly maxBytes: number;
  readonly heldBytes: number;
  readonly waiting: number;
  /** Number of reservations rejected with BusyError since the start. */
  readonly refused: number;
}

export interface TakeOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the request may use the reserve. Set it to false for memory whose release depends on the
   * client.
   * @default true
   */
  readonly reserve?: boolean | undefined;
}

/**
 * Maximum size of a small reservation. Large reservations leave a part of the memory to small ones, which
 * overtake waiting ones while memory outside the reserve is free.
 */
const SMALL_BYTES = 4 * 2 ** 20;
const SMALL_POOL_SHARE = 1 / 8;
/**
 * Share of the memory outside the reserve that one client may hold with a further large reservation. Beyond
 * it, only the reserve is left.
 */
const CLIENT_SHARE = 3 / 4;
/** Maximum number of waiting reservations. More could not be served in time. */
const MAX_WAITING = 5000;

/** The client of all requests without a client name. */
export const IN_PROCESS = 'process';

interface Waiter {
  readonly request: RequestMemory;
  readonly bytes: number;
  readonly mayUseReserve: boolean;
  /** Ends the wait, with an error if `failure` is set. */
  settle(failure?: Error): void;
}

export class MemoryBudget {
  /** Maximum memory of one request. */
  readonly maxRequestBytes: number;
  /** Called with the size of memory that requests have released. */
  onRelease: ((bytes: number) => void) | undefined;
  /** Called when a streamed response has passed on a piece, which is then garbage. */
  onPassed: (() => void) | undefined;
  readonly #options: MemoryBudgetOptions;
  /** Capacity excluding the reserve. */
  readonly #shared: number;
  readonly #forLarge: number;
  readonly #forClient: number;
  /**
   * Memory that one client may hold with a further small reservation: all except half of the part for small
   * ones.
   */
  readonly #mostOfClient: number;
  readonly #clients = new Map<string, number>();
  /**
   * Waiting reservations by client, in the order in which clients are served. The reservations of one client
   * are first come, first served, except those that use the reserve.
   */
  readonly #queues = new Map<string, Waiter[]>();
  /** Memory held outside the reserve. */
  #held = 0;
  #reserveHeld = 0;
  #waiting = 0;
  #refused = 0;
  /** The request that uses the reserve. */
  #reserveUser: RequestMemory | undefined;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
    this.maxRequestBytes = options.maxRequestBytes;
    this.#shared = Math.max(0, options.maxBytes - options.maxRequestBytes);
    const forSmall = Math.min(this.#shared, Math.floor(options.maxBytes * SMALL_POOL_SHARE));
    this.#forLarge = this.#shared - forSmall;
    this.#mostOfClient = options.maxBytes - Math.floor(forSmall / 2);
    this.#forClient = Math.floor(this.#shared * CLIENT_SHARE);
  }

  /**
   * @param client `name NAME`, `address IP` or `process` (without HTTP); waiting clients are served in turn
   */
  open(client: string): RequestMemory {
    return new RequestMemory(this, client);
  }

  stats(): MemoryStats {
    return {
      maxBytes: this.#options.maxBytes,
      heldBytes: this.#held + this.#reserveHeld,
      waiting: this.#waiting,
      refused: this.#refused,
    };
  }

  /** @internal for `RequestMemory.take` */
  take(
    request: RequestMemory,
    bytes: number,
    { signal, reserve = true }: TakeOptions,
  ): Promise<void> | undefined {
    const { maxRequestBytes } = this.#options;
    const needed = request.held + bytes;
    if (needed > maxRequestBytes) throw requestTooLarge(maxRequestBytes, needed);
    // Requests that have started overtake those that have not, so that they finish sooner.
    const mayPass = bytes <= SMALL_BYTES || request.held > SMALL_BYTES || this.#waiting === 0;
    if (request === this.#reserveUser || (mayPass && this.#fits(request, bytes))) {
      this.charge(request, bytes);
      return undefined;
    }
    if (this.#waiting >= MAX_WAITING) return Promise.reject(this.#refuse(request, bytes));
    return this.#wait(request, bytes, signal, reserve);
  }

  /** @internal for `RequestMemory.hasRoomFor` */
  hasRoomFor(request: RequestMemory, bytes: number): boolean {
    const isBusy = this.#waiting > 0 || request === this.#reserveUser;
    return !isBusy && request.held + bytes <= this.maxRequestBytes / 2 && this.#fits(request, bytes);
  }

  /** @internal for `RequestMemory.add` */
  charge(request: RequestMemory, bytes: number): void {
    const ofReserve = request === this.#reserveUser ? Math.max(bytes, -this.#reserveHeld) : 0;
    this.#reserveHeld += ofReserve;
    this.#held += bytes - ofReserve;
    request.count(bytes);
    const client = (this.#clients.get(request.client) ?? 0) + bytes;
    if (client <= 0) this.#clients.delete(request.client);
    else this.#clients.set(request.client, client);
  }

  /** @internal for `RequestMemory.give` */
  release(request: RequestMemory, bytes: number): void {
    this.charge(request, -bytes);
    if (this.#reserveHeld === 0) this.#reserveUser = undefined;
    if (this.#waiting > 0 || this.#reserveHeld > 0) this.#serve();
    this.onRelease?.(bytes);
  }

  /** @internal for `RequestMemory.end` */
  ended(request: RequestMemory): void {
    for (const waiter of [...(this.#queues.get(request.client) ?? [])])
      if (waiter.request === request) waiter.settle(abortOf(undefined));
    this.release(request, request.held);
  }

  #fits({ client }: RequestMemory, bytes: number): boolean {
    const [shared, ofClient] =
      bytes <= SMALL_BYTES ? [this.#shared, this.#mostOfClient] : [this.#forLarge, this.#forClient];
    return this.#held + bytes <= shared && (this.#clients.get(client) ?? 0) + bytes <= ofClient;
  }

  #wait(
    request: RequestMemory,
    bytes: number,
    signal: AbortSignal | undefined,
    reserve: boolean,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiter.settle(this.#refuse(request, bytes)), this.#options.waitMs);
      const onAbort = (): void => waiter.settle(abortOf(signal));
      const waiter: Waiter = {
        request,
        bytes,
        mayUseReserve: reserve,
        settle: (failure) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          this.#remove(waiter);
          if (failure === undefined) resolve();
          else reject(failure);
        },
      };
      signal?.addEventListener('abort', onAbort);
      this.#add(waiter);
      if (signal?.aborted === true) onAbort();
      else this.#serve();
    });
  }

  #add(waiter: Waiter): void {
    const { client } = waiter.request;
    const queue = this.#queues.get(client);
    if (queue === undefined) this.#queues.set(client, [waiter]);
    else queue.push(waiter);
    this.#waiting++;
  }

  #remove(waiter: Waiter): void {
    const { client } = waiter.request;
    const queue = this.#queues.get(client);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || at < 0) return;
    queue.splice(at, 1);
    this.#waiting--;
    if (queue.length === 0) this.#queues.delete(client);
  }

  #refuse(request: RequestMemory, bytes: number): Error {
    this.#refused++;
    return request.refuse(() => new BusyError(this.#options.maxBytes, request.held + bytes));
  }

  /** Grants the reservations that fit now. */
  #serve(): void {
    // Moves memory from the reserve to the shared part when it fits, so that the next request can use the
    // reserve.
    if (this.#held + this.#reserveHeld <= this.#forLarge) {
      this.#held += this.#reserveHeld;
      this.#reserveHeld = 0;
      this.#reserveUser = undefined;
    }
    while (this.#waiting > 0) {
      const next = this.#nextThatFits() ?? this.#nextReserveUser();
      if (next === undefined) return;
      const { client } = next.request;
      this.charge(next.request, next.bytes);
      next.settle();
      // Moves the client to the end, so that other clients are next.
      const queue = this.#queues.get(client);
      if (queue === undefined) continue;
      this.#queues.delete(client);
      this.#queues.set(client, queue);
    }
  }

  #nextThatFits(): Waiter | undefined {
    for (const [first] of this.#queues.values())
      if (first !== undefined && this.#fits(first.request, first.bytes)) return first;
    return undefined;
  }

  /**
   * The next reservation to grant from the reserve: one of the request that uses it, otherwise that of the
   * largest request, because finishing it frees the most memory.
   */
  #nextReserveUser(): Waiter | undefined {
    if (this.#reserveUser !== undefined) return this.#ofReserveUser();
    let best: Waiter | undefined;
    for (const queue of this.#queues.values())
      for (const waiter of queue)
        if (this.#mayUseReserve(waiter) && (best === undefined || rank(waiter) > rank(best))) best = waiter;
    this.#reserveUser = best?.request;
    return best;
  }

  /** A client above its share may finish started requests, but may not start new ones. */
  #mayUseReserve({ request, mayUseReserve }: Waiter): boolean {
    const others = (this.#clients.get(request.client) ?? 0) - request.held;
    return mayUseReserve && (request.held > SMALL_BYTES || others <= this.#forClient);
  }

  /** A waiting reservation of the request that uses the reserve. */
  #ofReserveUser(): Waiter | undefined {
    if (this.#reserveUser === undefined) return undefined;
    return this.#queues.get(this.#reserveUser.client)?.find(({ request }) => request === this.#reserveUser);
  }
}

/**
 * The rank of a reservation that waits for the reserve: the memory that its request holds. Requests that have
 * not started are served in order.
 */
function rank({ request }: Waiter): number {
  return request.held > SMALL_BYTES ? request.held : 0;
}

/** The memory of one request. */
export class RequestMemory {
  readonly client: string;
  readonly #budget: MemoryBudget;
  #held = 0;
  #refusal: Error | undefined;
  #hasEnded = false;

  /** @internal for `MemoryBudget.open` */
  constructor(budget: MemoryBudget, client: string) {
    this.#budget = budget;
    this.client = client;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Set when a reservation of the request was rejected with BusyError. The request is then granted no more memory,
   * and should fail with this error.
   */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  /** @internal for `MemoryBudget` */
  count(bytes: number): void {
    this.#held += bytes;
  }

  /** @internal for `MemoryBudget` */
  refuse(error: () => Error): Error {
    return (this.#refusal ??= error());
  }

  /**
   * Reserves memory before it is used.
   * @returns undefined if it is granted immediately, else a promise that resolves when it is granted. The
   * promise rejects with BusyError if no memory becomes free in time or too many reservations wait, and with
   * another error if the signal fires or the request ends. After a BusyError or the end of the request, each call
   * rejects
   * @throws LimitError if the request would exceed the maximum for one request
   */
  take(bytes: number, options: TakeOptions = {}): Promise<void> | undefined {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (this.#hasEnded) return Promise.reject(abortOf(options.signal));
    return bytes > 0 ? this.#budget.take(this, bytes, options) : undefined;
  }

  /** Whether memory is available at once, and more than half of the request's memory remains for its other parts. */
  hasRoomFor(bytes: number): boolean {
    return this.#refusal === undefined && !this.#hasEnded && this.#budget.hasRoomFor(this, bytes);
  }

  /**
   * Counts memory that is already in use, without checking limits. Use it for small amounts, and for amounts
   * that are known only afterwards.
   */
  add(bytes: number): void {
    if (!this.#hasEnded && bytes > 0) this.#budget.charge(this, bytes);
  }

  /** Releases a part of the memory. */
  give(bytes: number): void {
    const released = Math.min(bytes, this.#held);
    if (!this.#hasEnded && released > 0) this.#budget.release(this, released);
  }

  /** Reports that a streamed response has passed on a piece, whose memory stays reserved for the next one. */
  passed(): void {
    this.#budget.onPassed?.();
  }

  /** Releases all memory. Nothing is granted afterwards. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#budget.ended(this);
  }
}

/** The memory of requests that execute no operations: it grants nothing. */
class NoMemory extends RequestMemory {
  override take(bytes: number): undefined {
    if (bytes > 0) throw new Error('this context cannot execute operations: it has no memory budget');
  }
  override add(): void {}
  override give(): void {}
  override end(): void {}
}

export const noMemory: RequestMemory = new NoMemory(
  new MemoryBudget({ maxBytes: 0, maxRequestBytes: 0, waitMs: 0 }),
  'none',
);

interface Kept {
  bytes: number;
  /** Number of values that show the result and have not been sent. */
  values: number;
  readonly forget: Set<() => void>;
}

/**
 * The memory of one operation of a request. Its reads run concurrently as long as their chunks in flight fit in a
 * window; further reads wait. Otherwise, an operation with many reads would need far more memory than its response.
 *
 * Values of a response that is sent in parts are released when their part has been sent; other responses hold all of
 * their memory until the request ends.
 */
export class OperationMemory {
  readonly #request: RequestMemory;
  readonly #isSentInParts: boolean;
  /** Memory of the chunks in flight of all reads. */
  #inFlight = 0;
  /** The keys of reads that others may join, because they have begun in this turn of the event loop. */
  readonly #beginning = new Set<string>();
  /** Reads that wait for the window. */
  #waiting: (() => void)[] = [];
  /** The results of reads that have not been sent, and the values of the response that show them. */
  readonly #kept = new Map<object, Kept>();
  readonly #shown = new Map<object, object>();

  constructor(request: RequestMemory, { inParts = false }: { readonly inParts?: boolean } = {}) {
    this.#request = request;
    this.#isSentInParts = inParts;
  }

  /** Runs a task with memory that is released when it ends. @throws errors from `RequestMemory.take` and `run` */
  async during<T>(bytes: number, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    const granted = this.#request.take(bytes, { signal });
    if (granted !== undefined) await granted;
    try {
      return await run();
    } finally {
      this.#request.give(bytes);
    }
  }

  /**
   * Runs a read or a computation whose result stays in memory. Calls `run` before it returns, if it may start
   * immediately: reads that are requested in one tick must start in the same tick, so that the store can coalesce
   * them.
   * @param heldBy returns the size of the result, in case it is larger than estimated
   * @throws errors from `RequestMemory.take` and `run`
   */
  async hold<T>(
    { resultBytes, inFlightBytes, joinKey }: ReadNeed,
    signal: AbortSignal | undefined,
    run: () => Promise<T>,
    heldBy: (result: T) => number,
  ): Promise<T> {
    // Reads that join another one are charged in full, but are not delayed: they would read its inputs again.
    const joins = (): boolean =>
      joinKey !== undefined &&
      this.#beginning.has(joinKey) &&
      this.#request.hasRoomFor(resultBytes + inFlightBytes);
    while (this.#inFlight > 0 && this.#inFlight + inFlightBytes > READ_WINDOW_BYTES && !joins())
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#inFlight += inFlightBytes;
    if (joinKey !== undefined) {
      this.#beginning.add(joinKey);
      setImmediate(() => this.#beginning.delete(joinKey));
    }
    try {
      const granted = this.#request.take(resultBytes + inFlightBytes, { signal });
      if (granted !== undefined) await granted;
      try {
        const result = await run();
        const held = heldBy(result);
        this.#request.add(held - resultBytes);
        if (this.#isSentInParts && typeof result === 'object' && result !== null)
          this.#keptOf(result).bytes += Math.max(held, resultBytes);
        return result;
      } catch (error) {
        this.#request.give(resultBytes);
        throw error;
      } finally {
        this.#request.give(inFlightBytes);
      }
    } finally {
      this.#inFlight -= inFlightBytes;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  /**
   * Registers a value of the response that shows the result of a read. The same result may be shown several times.
   * @param forget drops the last reference to the result, which keeps it for other fields until then
   * @returns the value
   */
  show<T extends object>(value: T, result: object, forget?: () => void): T {
    if (!this.#isSentInParts) return value;
    const kept = this.#keptOf(result);
    kept.values += 1;
    if (forget !== undefined) kept.forget.add(forget);
    this.#shown.set(value, result);
    return value;
  }

  /** Releases the results that were shown only by the values in a part that has been sent. */
  sent(part: unknown): void {
    const stack: unknown[] = [part];
    while (stack.length > 0 && this.#shown.size > 0) {
      const value = stack.pop();
      if (typeof value !== 'object' || value === null) continue;
      if (this.#shown.has(value)) this.#release(value);
      else if (isPlain(value)) for (const member of Object.values(value)) stack.push(member);
    }
  }

  #keptOf(result: object): Kept {
    const kept = this.#kept.get(result) ?? { bytes: 0, values: 0, forget: new Set() };
    this.#kept.set(result, kept);
    return kept;
  }

  #release(value: object): void {
    const result = this.#shown.get(value);
    if (result === undefined) return;
    this.#shown.delete(value);
    const kept = this.#keptOf(result);
    kept.values -= 1;
    if (kept.values > 0) return;
    this.#kept.delete(result);
    for (const forget of kept.forget) forget();
    this.#request.give(kept.bytes);
  }
}

/** Whether the value is a list or object of the response, instead of a value within it. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
}

function abortOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('the request has ended', 'AbortError');
}
