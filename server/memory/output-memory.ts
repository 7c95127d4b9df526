/**
 * Memory of the values of a response that is sent in parts. The values of a part are released when the part has been
 * sent; other responses hold all of their memory until their end.
 */
import type { MemoryLease } from './lease.js';

export interface OutputMemory {
  /** Counts what a read holds for its result. The same result may be held several times. */
  hold(result: object, bytes: number): void;
  /**
   * Registers a value of the response that shows a result.
   * @param forget drops the last reference to the result, so that it is not used after its release
   * @returns the value
   */
  show<T extends object>(value: T, result: object, forget: () => void): T;
  /** Releases the results that were shown only by the values in `part`. */
  release(part: unknown): void;
}

interface Held {
  bytes: number;
  /** Number of values that show the result and have not been sent. */
  values: number;
  readonly forget: Set<() => void>;
}

export function createOutputMemory(lease: Pick<MemoryLease, 'give'>): OutputMemory {
  const held = new Map<object, Held>();
  const shown = new Map<object, object>();

  function heldBy(result: object): Held {
    const known = held.get(result) ?? { bytes: 0, values: 0, forget: new Set() };
    held.set(result, known);
    return known;
  }

  function releaseValue(value: object): void {
    const result = shown.get(value);
    if (result === undefined) return;
    shown.delete(value);
    const known = heldBy(result);
    known.values -= 1;
    if (known.values > 0) return;
    held.delete(result);
    for (const forget of known.forget) forget();
    lease.give(known.bytes);
  }

  return {
    hold(result, bytes) {
      heldBy(result).bytes += bytes;
    },
    show(value, result, forget) {
      const known = heldBy(result);
      known.values += 1;
      known.forget.add(forget);
      shown.set(value, result);
      return value;
    },
    release(part) {
      const stack: unknown[] = [part];
      while (stack.length > 0 && shown.size > 0) {
        const value = stack.pop();
        if (typeof value !== 'object' || value === null) continue;
        if (shown.has(value)) releaseValue(value);
        else if (isPlain(value)) for (const member of Object.values(value)) stack.push(member);
      }
    },
  };
}

/** Whether the value is a list or object of the response, instead of a value within it. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
}
