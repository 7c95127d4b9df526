/**
 * Events of subscriptions, made once for all subscribers who get the same: the same operation on the same change, with
 * the same rights. An event is held while a subscriber is still taking it; one who comes later has it made again.
 */
import type { DocumentNode } from 'graphql';
import type { CallerRights } from '../resolvers/caller-rights.js';

/** What decides about an event's content, beside the change. */
export interface EventKey {
  readonly document: DocumentNode;
  /** Operation name and variables. */
  readonly parameters: string;
  readonly rights: CallerRights;
}

export interface TakenEvent<T> {
  readonly event: T;
  /** To be called when the event has been sent. */
  readonly release: () => void;
}

/** What an event is made with: both end when nobody takes it any more. */
export interface EventMaking<T> {
  readonly made: Promise<T>;
  end(): void;
}

export interface SharedEvents<T> {
  /** @throws what making the event rejects with */
  take(change: object, key: EventKey, make: () => EventMaking<T>): Promise<TakenEvent<T>>;
}

interface Shared<T> extends EventMaking<T> {
  readonly key: EventKey;
  takers: number;
}

export function createSharedEvents<T>(): SharedEvents<T> {
  const byChange = new WeakMap<object, Set<Shared<T>>>();
  return {
    async take(change, key, make) {
      const events = byChange.get(change) ?? new Set();
      byChange.set(change, events);
      const shared = [...events].find((one) => isSame(one.key, key)) ?? { ...make(), key, takers: 0 };
      events.add(shared);
      shared.takers++;
      let isReleased = false;
      const release = (): void => {
        if (isReleased) return;
        isReleased = true;
        shared.takers--;
        if (shared.takers > 0) return;
        events.delete(shared);
        shared.end();
      };
      try {
        return { event: await shared.made, release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** Rights are functions: those of the same roles are the same ones. */
function isSame(a: EventKey, b: EventKey): boolean {
  return (
    a.document === b.document &&
    a.parameters === b.parameters &&
    a.rights.mayRead === b.rights.mayRead &&
    a.rights.mayEnter === b.rights.mayEnter &&
    a.rights.mayWrite === b.rights.mayWrite
  );
}
