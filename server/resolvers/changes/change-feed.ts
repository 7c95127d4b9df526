/** The changes that subscribers hear of, each by a line of its own: what one of them does is nothing to the others. */
import { LimitError, NotFoundError, type StoredChange } from '../../zarr/index.js';
import type { ChangeBus, ChangeListener, StoreChange } from './change-bus.js';
import { BoundedQueue } from './bounded-queue.js';

/** Fixed bounds of one gateway process. */
export const changeLimits = {
  /** Subscribers at once. */
  maxSubscribers: 1000,
  /** Subscribers of one client. */
  maxClientSubscriptions: 100,
  /** Changes that wait for one subscriber. */
  maxWaitingChanges: 1000,
} as const;

export type ChangeLimits = { readonly [name in keyof typeof changeLimits]: number };

/** What somebody wants to hear of. */
export interface ChangeInterest {
  /** By what clients are told apart; all without one are one. */
  readonly client?: string | undefined;
  /** The store's configured name. */
  readonly store: string;
  /** This node and those below it; "/" or "/a/b". */
  readonly path: string;
  /** Asked at every change: whether the subscriber may know of a node. */
  sees(path: string): boolean;
  /** Asked at every change: whether the subscriber may still know of anything at or below a node. */
  enters(path: string): boolean;
}

export interface ChangeFeed {
  publish(change: StoreChange): void;
  /**
   * Everything that is published from now on. Ends with the signal and with the feed; fails with LIMIT_EXCEEDED for who falls
   * behind, with NOT_FOUND for who may not know of the place any more.
   * @throws LimitError where there are too many subscribers
   */
  subscribe(interest: ChangeInterest, signal: AbortSignal | undefined): AsyncIterableIterator<StoredChange>;
  /** Ends all subscriptions, and every later one at once. */
  close(): void;
}

export function createChangeFeed(bus: ChangeBus, limits: ChangeLimits = changeLimits): ChangeFeed {
  let subscribers = 0;
  const clients = new Map<string, number>();
  const tell = createTelling();

  function count(client: string, change: 1 | -1): void {
    subscribers += change;
    const own = (clients.get(client) ?? 0) + change;
    if (own > 0) clients.set(client, own);
    else clients.delete(client);
  }

  return {
    publish: (change) => bus.publish(change),
    subscribe(interest, signal) {
      const { client = '' } = interest;
      const allowed = limits.maxClientSubscriptions;
      if ((clients.get(client) ?? 0) >= allowed) throw tooManyOfClient(allowed);
      if (subscribers >= limits.maxSubscribers) throw tooMany(limits.maxSubscribers);
      const line = new BoundedQueue<StoredChange>(limits.maxWaitingChanges);
      const onAbort = (): void => line.close();
      count(client, 1);
      const leave = bus.subscribe(listenerFor(line, interest, limits, tell));
      // A closed bus has said so by now: then this is called at once.
      line.whenEnded(() => {
        count(client, -1);
        leave();
        signal?.removeEventListener('abort', onAbort);
      });
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted === true) line.close();
      return line;
    },
    close: () => bus.close(),
  };
}

function listenerFor(
  line: BoundedQueue<StoredChange>,
  interest: ChangeInterest,
  { maxWaitingChanges }: ChangeLimits,
  tell: Tell,
): ChangeListener {
  const { store, path } = interest;
  return {
    closed: () => line.close(),
    changed(change) {
      if (change.store !== store) return;
      const told = tell(change, path);
      if (told === undefined) return;
      if (!interest.enters(path))
        line.fail(new NotFoundError('there is nothing here any more', { where: { store, path } }));
      else if (concerns(told, interest) && !line.put(told))
        line.fail(fellBehind(interest, maxWaitingChanges));
    },
  };
}

/** A deleted group takes along what it held, also for who knew only of that. */
function concerns({ kind, path }: StoredChange, interest: ChangeInterest): boolean {
  return kind === 'deleted' ? interest.enters(path) : interest.sees(path);
}

type Tell = (change: StoreChange, path: string) => StoredChange | undefined;

/** Everybody who is told the same is given the same object: it is held once, and what is made of it can be shared. */
function createTelling(): Tell {
  const whole = new WeakMap<StoreChange, StoredChange>();
  return (change, path) => {
    if (!isAtOrBelow(change.path, path)) return toldOf(change, path);
    const told = whole.get(change) ?? toldOf(change, path);
    if (told !== undefined) whole.set(change, told);
    return told;
  };
}

/** What a change means to somebody who looks at `path` and below; undefined for nothing. */
function toldOf({ store: _, ...change }: StoreChange, path: string): StoredChange | undefined {
  if (isAtOrBelow(change.path, path)) return change;
  return change.kind === 'deleted' && isAtOrBelow(path, change.path) ? { kind: 'deleted', path } : undefined;
}

function isAtOrBelow(path: string, top: string): boolean {
  return top === '/' || path === top || path.startsWith(`${top}/`);
}

function tooMany(allowed: number): LimitError {
  return new LimitError(`there are ${allowed} subscribers already; try again later`, {
    excess: [{ limit: 'maxSubscribers', allowed, needed: allowed + 1 }],
  });
}

function tooManyOfClient(allowed: number): LimitError {
  return new LimitError(
    `maxClientSubscriptions allows a client ${allowed} subscriptions at the same time: end one of them first`,
    { excess: [{ limit: 'maxClientSubscriptions', allowed, needed: allowed + 1 }] },
  );
}

function fellBehind({ store, path }: ChangeInterest, allowed: number): LimitError {
  return new LimitError(
    `more than ${allowed} changes wait to be read, so the stream ends; ask again, and read anew what you show`,
    { excess: [{ limit: 'maxWaitingChanges', allowed, needed: allowed + 1 }], where: { store, path } },
  );
}
