/**
 * A shared result is kept until all current subscribers have sent it. For a later subscriber, the event is
 * executed again.
 */
import type { DocumentNode } from 'graphql';
import type { CallerRights } from '../../resolvers/access/caller-rights.js';

/** Everything except the change that determines the content of an event. */
interface EventKey {
  readonly document: DocumentNode;
  /** Operation name and variables. */
  readonly parameters: string;
  readonly rights: CallerRights;
}

interface TakenEvent<T> {
  readonly event: T;
  /** Call this function when the event has been sent. */
  readonly release: () => void;
}

/** An event whose response is being computed. */
export interface EventMaking<T> {
  readonly outcome: Promise<T>;
  /** Called when the last subscriber has released the event. */
  end(): void;
}

/** How many subscribers an event has. */
export interface EventUse {
  readonly takers: number;
}

interface Shared<T> extends EventMaking<T> {
  readonly key: EventKey;
  readonly use: { takers: number };
}

export function createSharedEvents<T>() {
  const byChange = new WeakMap<object, Set<Shared<T>>>();
  return {
    /** @throws errors from the event's result */
    async take(
      change: object,
      key: EventKey,
      make: (use: EventUse) => EventMaking<T>,
    ): Promise<TakenEvent<T>> {
      const events = byChange.get(change) ?? new Set();
      byChange.set(change, events);
      const shared = [...events].find((event) => isSame(event.key, key)) ?? started(key, make);
      events.add(shared);
      shared.use.takers++;
      let isReleased = false;
      const release = (): void => {
        if (isReleased) return;
        isReleased = true;
        shared.use.takers--;
        if (shared.use.takers > 0) return;
        events.delete(shared);
        shared.end();
      };
      try {
        return { event: await shared.outcome, release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

function started<T>(key: EventKey, make: (use: EventUse) => EventMaking<T>): Shared<T> {
  const use = { takers: 0 };
  return { ...make(use), key, use };
}

/** Identifies rights by their functions, which callers with the same roles share. */
function isSame(a: EventKey, b: EventKey): boolean {
  return (
    a.document === b.document &&
    a.parameters === b.parameters &&
    a.rights.mayRead === b.rights.mayRead &&
    a.rights.mayEnter === b.rights.mayEnter &&
    a.rights.mayWrite === b.rights.mayWrite &&
    a.rights.mayStartJobs === b.rights.mayStartJobs
  );
}
