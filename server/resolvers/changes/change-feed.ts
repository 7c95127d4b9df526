/**
 * Delivers changes to subscribers, each through its own queue, so that a slow subscriber does not affect the
 * others.
 */
import { InputError, LimitError, NotFoundError, type StoredChange } from '../../zarr/index.js';
import type { ChangeBus, ChangeListener, DeliveredChange, StoreChange } from './change-bus.js';
import { MAX_RECENT } from './recent-changes.js';
import { BoundedQueue } from './bounded-queue.js';

/** Limits of one gateway process. */
export const changeLimits = {
  /** Maximum number of concurrent subscribers. */
  maxSubscribers: 1000,
  /** Maximum number of concurrent subscribers of one client. */
  maxClientSubscriptions: 100,
  /** Maximum number of changes queued for one subscriber. */
  maxWaitingChanges: 1000,
} as const;

export type ChangeLimits = { readonly [name in keyof typeof changeLimits]: number };

/** Maximum length of the id of a change. */
const MAX_ID_LENGTH = 100;

/** The changes that a subscriber is notified of. */
export interface ChangeInterest {
  /** Identifies the client; all subscribers without one count as one client. */
  readonly client?: string | undefined;
  /** The store's configured name. */
  readonly store: string;
  /** The subscriber is notified of changes of this node and of the nodes below it. "/" or "/a/b". */
  readonly path: string;
  /** The id of the change after which the subscriber continues. @default the changes from now on */
  readonly after?: string | undefined;
  /** Whether the subscriber may read a node. Evaluated for every change. */
  canRead(path: string): boolean;
  /** Whether the subscriber may read a node or any node below it. Evaluated for every change. */
  canTraverse(path: string): boolean;
}

/** A change as subscribers receive it. */
export interface ChangeEvent extends StoredChange {
  readonly id: string;
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>;

/** @param watch watches a node of a store for the changes of others while it has a subscriber; returns how to end that */
export function createChangeFeed(
  bus: ChangeBus,
  limits: ChangeLimits = changeLimits,
  watch: (store: string, path: string) => () => void = () => () => {},
) {
  let subscribers = 0;
  const clients = new Map<string, number>();
  const open = new Map<BoundedQueue<ChangeEvent>, string>();
  const toStored = createConversion();

  function count(client: string, change: 1 | -1): void {
    subscribers += change;
    const own = (clients.get(client) ?? 0) + change;
    if (own > 0) clients.set(client, own);
    else clients.delete(client);
  }

  return {
    publish: (change: StoreChange, found?: string): void => bus.publish(change, found),
    /** Resolves when other replicas can read what was published. */
    settled: async (): Promise<void> => bus.settled?.(),
    /**
     * All changes published from now on. Ends with the signal and with the feed. Fails with LIMIT_EXCEEDED for
     * a subscriber that falls behind or may miss changes, and with NOT_FOUND for one that may no longer read the node.
     * @throws LimitError if there are too many subscribers; InputError for a text that cannot be the id of a change
     */
    subscribe(interest: ChangeInterest, signal: AbortSignal | undefined): AsyncIterableIterator<ChangeEvent> {
      const { client = '' } = interest;
      const allowed = limits.maxClientSubscriptions;
      if ((clients.get(client) ?? 0) >= allowed) throw tooManyOfClient(allowed);
      if (subscribers >= limits.maxSubscribers) throw tooMany(limits.maxSubscribers);
      if (interest.after !== undefined && interest.after.length > MAX_ID_LENGTH)
        throw new InputError('"after" must be the id of a change');
      const queue = new BoundedQueue<ChangeEvent>(limits.maxWaitingChanges);
      const onAbort = (): void => queue.close();
      count(client, 1);
      open.set(queue, interest.store);
      const unsubscribe = bus.subscribe(listenerFor(queue, interest, limits, toStored), interest.after);
      const unwatch = watch(interest.store, interest.path);
      // On a closed bus, the listener has been notified by now, so this callback runs immediately.
      queue.whenEnded(() => {
        count(client, -1);
        open.delete(queue);
        unsubscribe();
        unwatch();
        signal?.removeEventListener('abort', onAbort);
      });
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted === true) queue.close();
      return queue;
    },
    /** Fails the subscriptions of a store that is no longer served with NOT_FOUND. */
    endStore(store: string): void {
      for (const [queue, name] of open)
        if (name === store)
          queue.fail(
            new NotFoundError('the store is no longer served; the stream ends', { where: { store } }),
          );
    },
    /** Ends all subscriptions, and every later one immediately. */
    close: (): void => bus.close(),
  };
}

function listenerFor(
  queue: BoundedQueue<ChangeEvent>,
  interest: ChangeInterest,
  { maxWaitingChanges }: ChangeLimits,
  toStored: ToStored,
): ChangeListener {
  const { store, path } = interest;
  return {
    closed: () => queue.close(),
    missed: () => queue.fail(mayMiss(interest)),
    changed(change) {
      if (change.store !== store) return;
      const stored = toStored(change, path);
      if (stored === undefined) return;
      if (!interest.canTraverse(path))
        queue.fail(new NotFoundError('the node is no longer at this path', { where: { store, path } }));
      else if (concerns(stored, interest) && !queue.put(stored))
        queue.fail(fellBehind(interest, maxWaitingChanges));
    },
  };
}

/**
 * Whether a subscriber is notified of a change. Deleting a group also deletes its children, so subscribers
 * that may read only a child are notified too.
 */
function concerns({ kind, path }: StoredChange, interest: ChangeInterest): boolean {
  return kind === 'deleted' ? interest.canTraverse(path) : interest.canRead(path);
}

type ToStored = (change: DeliveredChange, path: string) => ChangeEvent | undefined;

/** Subscribers that receive the same change get the same object, so that memory and results can be shared. */
function createConversion(): ToStored {
  const whole = new WeakMap<DeliveredChange, ChangeEvent>();
  return (change, path) => {
    if (!isAtOrBelow(change.path, path)) return storedChangeOf(change, path);
    const stored = whole.get(change) ?? storedChangeOf(change, path);
    if (stored !== undefined) whole.set(change, stored);
    return stored;
  };
}

/** A change as a subscriber of `path` receives it; undefined if it does not affect that path. */
function storedChangeOf(
  { store: _store, isForeign: _isForeign, commit: _commit, ...change }: DeliveredChange,
  path: string,
): ChangeEvent | undefined {
  if (isAtOrBelow(change.path, path)) return change;
  const isParent = change.kind === 'deleted' && isAtOrBelow(path, change.path);
  return isParent ? { id: change.id, kind: 'deleted', path } : undefined;
}

export function isAtOrBelow(path: string, top: string): boolean {
  return top === '/' || path === top || path.startsWith(`${top}/`);
}

function tooMany(allowed: number): LimitError {
  return new LimitError(`too many subscriptions: at most ${allowed} are allowed; try again later`, {
    excess: [{ limit: 'maxSubscribers', allowed, needed: allowed + 1 }],
  });
}

function tooManyOfClient(allowed: number): LimitError {
  return new LimitError(
    `maxClientSubscriptions allows ${allowed} concurrent subscriptions per client; end one of them first`,
    { excess: [{ limit: 'maxClientSubscriptions', allowed, needed: allowed + 1 }] },
  );
}

function mayMiss({ store, path }: ChangeInterest): LimitError {
  return new LimitError(
    `events may be missing, and the stream ends: the gateway knows at most the last ${MAX_RECENT} changes, and none from before it lost the connection to its replicas; subscribe again without "after" and refetch the displayed data`,
    {
      excess: [{ limit: 'maxRecentChanges', allowed: MAX_RECENT, needed: MAX_RECENT + 1 }],
      where: { store, path },
    },
  );
}

function fellBehind({ store, path }: ChangeInterest, allowed: number): LimitError {
  return new LimitError(
    `the client is too slow: more than ${allowed} changes are queued, and the stream ends; subscribe again and refetch the displayed data`,
    { excess: [{ limit: 'maxWaitingChanges', allowed, needed: allowed + 1 }], where: { store, path } },
  );
}
