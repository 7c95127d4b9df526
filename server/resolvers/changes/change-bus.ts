/**
 * Delivers changes to subscribers. Changes are plain JSON data, so that a gateway of several processes can use
 * a message broker instead.
 */
import type { StoredChange } from '../../zarr/index.js';

/** A change of a node, with the configured name of its store. */
export interface StoreChange extends StoredChange {
  readonly store: string;
}

export interface ChangeListener {
  /** Called once per change, in the order of publishing. */
  changed(change: StoreChange): void;
  /** Called when the bus has closed. */
  closed(): void;
}

export interface ChangeBus {
  /** Publishes a change. Must neither throw nor block. */
  publish(change: StoreChange): void;
  /**
   * @returns a function that ends the subscription; a listener added to a closed bus is notified
   * immediately
   */
  subscribe(listener: ChangeListener): () => void;
  /** Notifies all listeners, and accepts no new ones. */
  close(): void;
}

/** A bus within this process, which calls listeners synchronously. */
export function createChangeBus(): ChangeBus {
  const listeners = new Set<ChangeListener>();
  let isClosed = false;
  return {
    publish(change) {
      for (const listener of listeners) listener.changed(change);
    },
    subscribe(listener) {
      if (isClosed) listener.closed();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      isClosed = true;
      for (const listener of listeners) listener.closed();
      listeners.clear();
    },
  };
}
