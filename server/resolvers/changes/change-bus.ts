/** Delivers changes to subscribers: in this process, or in all replicas of a gateway (`redis-change-bus.ts`). */
import { randomBytes } from 'node:crypto';
import type { StoredChange, StoredCommit } from '../../zarr/index.js';
import { createRecentChanges } from './recent-changes.js';

/** A change of a node, with the configured name of its store. */
export interface StoreChange extends StoredChange {
  readonly store: string;
  /** Set for changes of a store that keeps its history. */
  readonly commit?: StoredCommit;
}

export interface DeliveredChange extends StoreChange {
  /** Identifies the change: all replicas deliver it with the same id. */
  readonly id: string;
  /** Whether another replica has made or found it. */
  readonly isForeign: boolean;
}

export interface ChangeListener {
  /** Called once per change, in the order of publishing. */
  changed(change: DeliveredChange): void;
  /** Called when changes made through other replicas may be missing. */
  missed?(): void;
  /** Called when the bus has closed. */
  closed(): void;
}

export interface ChangeBus {
  /**
   * Publishes a change. Must neither throw nor block.
   * @param found identifies a change of another program, which several replicas may find
   */
  publish(change: StoreChange, found?: string): void;
  /**
   * Resolves when all replicas can read what was published, or Redis has failed to store it.
   * @default there are no other replicas
   */
  settled?(): Promise<void>;
  /** The last changes; undefined for a bus that does not remember them. */
  readonly recent?: RecentChanges;
  /** Time, in ms, that a change may take to arrive after it is visible in the store. @default 0 */
  readonly delayMs?: number;
  /**
   * @param after calls the listener for all later changes; `missed` if this change is no longer known
   * @returns a function that ends the subscription; a listener added to a closed bus is notified
   * immediately
   */
  subscribe(listener: ChangeListener, after?: string): () => void;
  /** Notifies all listeners, and accepts no new ones. */
  close(): void;
}

export interface RecentChanges {
  /** The id of the last change; undefined without any. */
  last(): string | undefined;
  /** The changes after another one, or all if none was known; undefined if some may be missing. */
  after(id: string | undefined): readonly DeliveredChange[] | undefined;
}

/** The listeners of a bus. */
export function createListeners() {
  const listeners = new Set<ChangeListener>();
  const recent = createRecentChanges<DeliveredChange>();
  let isClosed = false;
  return {
    recent,
    deliver: (change: DeliveredChange): void => {
      recent.add(change);
      for (const listener of listeners) listener.changed(change);
    },
    missed: (): void => {
      recent.clear();
      for (const listener of listeners) listener.missed?.();
    },
    subscribe: (listener: ChangeListener, after?: string): (() => void) => {
      if (isClosed) listener.closed();
      else {
        listeners.add(listener);
        if (after !== undefined) {
          const later = recent.after(after);
          if (later === undefined) listener.missed?.();
          else for (const change of later) listener.changed(change);
        }
      }
      return () => listeners.delete(listener);
    },
    close: (): void => {
      isClosed = true;
      for (const listener of listeners) listener.closed();
      listeners.clear();
    },
  };
}

/** Time in ms in which a write of this process, whose objects are visible already, ends and is published. */
const WRITE_MS = 100;

/** A bus within this process, which calls listeners synchronously. */
export function createChangeBus(): ChangeBus {
  const { deliver, subscribe, close } = createListeners();
  const own = randomBytes(8).toString('base64url');
  let count = 0;
  return {
    publish: (change) => deliver({ ...change, id: `${own}.${count++}`, isForeign: false }),
    delayMs: WRITE_MS,
    subscribe,
    close,
  };
}
