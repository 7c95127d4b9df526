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

export type ChangeBus = ReturnType<typeof createChangeBus>;

/** A bus within this process, which calls listeners synchronously. */
export function createChangeBus() {
  const listeners = new Set<ChangeListener>();
  let isClosed = false;
  return {
    /** Publishes a change. Must neither throw nor block. */
    publish(change: StoreChange): void {
      for (const listener of listeners) listener.changed(change);
    },
    /**
     * @returns a function that ends the subscription; a listener added to a closed bus is notified
     * immediately
     */
    subscribe(listener: ChangeListener): () => void {
      if (isClosed) listener.closed();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Notifies all listeners, and accepts no new ones. */
    close(): void {
      isClosed = true;
      for (const listener of listeners) listener.closed();
      listeners.clear();
    },
  };
}
