/**
 * The memory budget of all requests of the process, in bytes. Requests reserve memory before they use it. A
 * reservation that does not fit waits for a limited time; waiting clients are served in turn.
 *
 * Requests that hold memory while they wait for more could deadlock. A reserve of the size of the largest
 * request prevents this: one waiting request at a time may use it, and can therefore always finish.
 */
import { type MemoryLease, type TakeOptions, BusyError, tooLarge } from './lease.js';

export interface ProcessMemoryOptions {
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

export interface ProcessMemory {
  readonly maxRequestBytes: number;
  /**
   * @param client `name NAME`, `address IP` or `process` (without HTTP); waiting clients are served in turn
   */
  open(client: string): MemoryLease;
  stats(): MemoryStats;
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

interface Waiter {
  readonly lease: Lease;
  readonly bytes: number;
  readonly mayUseReserve: boolean;
  /** Ends the wait, with an error if `failure` is set. */
  settle(failure?: Error): void;
}

export function createProcessMemory(options: ProcessMemoryOptions): ProcessMemory {
  const pool = new Pool(options);
  return {
    maxRequestBytes: options.maxRequestBytes,
    open: (client) => new Lease(pool, client),
    stats: () => pool.stats(),
  };
}

class Pool {
  readonly #options: ProcessMemoryOptions;
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
  /** The lease that uses the reserve. */
  #reserveUser: Lease | undefined;

  constructor(options: ProcessMemoryOptions) {
    this.#options = options;
    this.#shared = Math.max(0, options.maxBytes - options.maxRequestBytes);
    const forSmall = Math.min(this.#shared, Math.floor(options.maxBytes * SMALL_POOL_SHARE));
    this.#forLarge = this.#shared - forSmall;
    this.#mostOfClient = options.maxBytes - Math.floor(forSmall / 2);
    this.#forClient = Math.floor(this.#shared * CLIENT_SHARE);
  }

  stats(): MemoryStats {
    return {
      maxBytes: this.#options.maxBytes,
      heldBytes: this.#held + this.#reserveHeld,
      waiting: this.#waiting,
      refused: this.#refused,
    };
  }

  take(lease: Lease, bytes: number, { signal, reserve = true }: TakeOptions): Promise<void> | undefined {
    const { maxRequestBytes } = this.#options;
    const needed = lease.held + bytes;
    if (needed > maxRequestBytes) throw tooLarge(maxRequestBytes, needed);
    // Requests that have started overtake those that have not, so that they finish sooner.
    const mayPass = bytes <= SMALL_BYTES || lease.held > SMALL_BYTES || this.#waiting === 0;
    if (lease === this.#reserveUser || (mayPass && this.#fits(lease, bytes))) {
      this.charge(lease, bytes);
      return undefined;
    }
    if (this.#waiting >= MAX_WAITING) return Promise.reject(this.#refuse(lease, bytes));
    return this.#wait(lease, bytes, signal, reserve);
  }

  charge(lease: Lease, bytes: number): void {
    const ofReserve = lease === this.#reserveUser ? Math.max(bytes, -this.#reserveHeld) : 0;
    this.#reserveHeld += ofReserve;
    this.#held += bytes - ofReserve;
    lease.held += bytes;
    const client = (this.#clients.get(lease.client) ?? 0) + bytes;
    if (client <= 0) this.#clients.delete(lease.client);
    else this.#clients.set(lease.client, client);
  }

  release(lease: Lease, bytes: number): void {
    this.charge(lease, -bytes);
    if (this.#reserveHeld === 0) this.#reserveUser = undefined;
    this.#serve();
  }

  ended(lease: Lease): void {
    for (const waiter of [...(this.#queues.get(lease.client) ?? [])])
      if (waiter.lease === lease) waiter.settle(abortOf(undefined));
    this.release(lease, lease.held);
  }

  #fits({ client }: Lease, bytes: number): boolean {
    const [shared, ofClient] =
      bytes <= SMALL_BYTES ? [this.#shared, this.#mostOfClient] : [this.#forLarge, this.#forClient];
    return this.#held + bytes <= shared && (this.#clients.get(client) ?? 0) + bytes <= ofClient;
  }

  #wait(lease: Lease, bytes: number, signal: AbortSignal | undefined, reserve: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiter.settle(this.#refuse(lease, bytes)), this.#options.waitMs);
      const onAbort = (): void => waiter.settle(abortOf(signal));
      const waiter: Waiter = {
        lease,
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
    const { client } = waiter.lease;
    const queue = this.#queues.get(client);
    if (queue === undefined) this.#queues.set(client, [waiter]);
    else queue.push(waiter);
    this.#waiting++;
  }

  #remove(waiter: Waiter): void {
    const { client } = waiter.lease;
    const queue = this.#queues.get(client);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || at < 0) return;
    queue.splice(at, 1);
    this.#waiting--;
    if (queue.length === 0) this.#queues.delete(client);
  }

  #refuse(lease: Lease, bytes: number): Error {
    this.#refused++;
    return (lease.refusal ??= new BusyError(this.#options.maxBytes, lease.held + bytes));
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
      const { client } = next.lease;
      this.charge(next.lease, next.bytes);
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
      if (first !== undefined && this.#fits(first.lease, first.bytes)) return first;
    return undefined;
  }

  /**
   * The next reservation to grant from the reserve: one of the lease that uses it, otherwise that of the
   * largest lease, because finishing it frees the most memory.
   */
  #nextReserveUser(): Waiter | undefined {
    if (this.#reserveUser !== undefined) return this.#ofReserveUser();
    let best: Waiter | undefined;
    for (const queue of this.#queues.values())
      for (const waiter of queue)
        if (this.#mayUseReserve(waiter) && (best === undefined || rank(waiter) > rank(best))) best = waiter;
    this.#reserveUser = best?.lease;
    return best;
  }

  /** A client above its share may finish started requests, but may not start new ones. */
  #mayUseReserve({ lease, mayUseReserve }: Waiter): boolean {
    const others = (this.#clients.get(lease.client) ?? 0) - lease.held;
    return mayUseReserve && (lease.held > SMALL_BYTES || others <= this.#forClient);
  }

  /** A waiting reservation of the lease that uses the reserve. */
  #ofReserveUser(): Waiter | undefined {
    if (this.#reserveUser === undefined) return undefined;
    return this.#queues.get(this.#reserveUser.client)?.find(({ lease }) => lease === this.#reserveUser);
  }
}

/**
 * The rank of a reservation that waits for the reserve: the memory that its request holds. Requests that have
 * not started are served in order.
 */
function rank({ lease }: Waiter): number {
  return lease.held > SMALL_BYTES ? lease.held : 0;
}

class Lease implements MemoryLease {
  held = 0;
  refusal: Error | undefined;
  readonly client: string;
  readonly #pool: Pool;
  #hasEnded = false;

  constructor(pool: Pool, client: string) {
    this.#pool = pool;
    this.client = client;
  }

  take(bytes: number, options: TakeOptions = {}): Promise<void> | undefined {
    if (this.refusal !== undefined) return Promise.reject(this.refusal);
    if (this.#hasEnded) return Promise.reject(abortOf(options.signal));
    return bytes > 0 ? this.#pool.take(this, bytes, options) : undefined;
  }

  add(bytes: number): void {
    if (!this.#hasEnded && bytes > 0) this.#pool.charge(this, bytes);
  }

  give(bytes: number): void {
    const released = Math.min(bytes, this.held);
    if (!this.#hasEnded && released > 0) this.#pool.release(this, released);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#pool.ended(this);
  }
}

function abortOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('the request has ended', 'AbortError');
}
