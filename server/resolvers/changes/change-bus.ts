/**
 * How those who subscribe hear of changes. What goes over it is plain JSON data, so that a gateway of several processes
 * can put a message broker in its place.
 */
import type { StoredChange } from '../../zarr/index.js';

/** A change of a node, with the configured name of its store. */
export interface StoreChange extends StoredChange {
  readonly store: string;
}

export interface ChangeListener {
  /** In the order of publishing, each once. */
  changed(change: StoreChange): void;
  /** No more will come. */
  closed(): void;
}

export interface ChangeBus {
  /** Must neither throw nor wait. */
  publish(change: StoreChange): void;
  /** @returns what ends it; called for a listener on a closed bus, too */
  subscribe(listener: ChangeListener): () => void;
  /** Tells all listeners, and takes no new ones. */
  close(): void;
}

/** A bus within this process: whoever listens is called at once. */
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
