/** Bytes of JSON values as text, computed once for each object: metadata stays the same object while its version does. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Values that are counted in one turn of the event loop. */
const TURN_VALUES = 20_000;
/** A number, `true`, `false` or `null`, about. */
const SCALAR_BYTES = 8;

const known = new WeakMap<object, number | Promise<number>>();

/** @returns at once where the value is small or has been counted before */
export function sizeOfJson(value: unknown): number | Promise<number> {
  if (typeof value !== 'object' || value === null) return leafSize(value);
  const before = known.get(value);
  if (before !== undefined) return before;
  const counting = new Counting(value);
  const size = counting.advance();
  if (size !== undefined) {
    known.set(value, size);
    return size;
  }
  const later = finish(counting).then((total) => {
    known.set(value, total);
    return total;
  });
  known.set(value, later);
  return later;
}

async function finish(counting: Counting): Promise<number> {
  for (;;) {
    await nextTurn();
    const size = counting.advance();
    if (size !== undefined) return size;
  }
}

/** A walk that can pause anywhere. */
class Counting {
  readonly #open: Iterator<unknown>[];
  #bytes = 0;

  constructor(value: object) {
    this.#open = [[value].values()];
  }

  /** @returns the size once everything has been counted */
  advance(): number | undefined {
    for (let count = 0; count < TURN_VALUES; count++) {
      const innermost = this.#open.at(-1);
      if (innermost === undefined) return this.#bytes;
      const next = innermost.next();
      if (next.done === true) this.#open.pop();
      else this.#count(next.value);
    }
    return undefined;
  }

  #count(value: unknown): void {
    if (typeof value !== 'object' || value === null) {
      this.#bytes += leafSize(value);
      return;
    }
    this.#bytes += 2;
    this.#open.push(Array.isArray(value) ? value.values() : membersOf(value));
  }
}

function* membersOf(object: object): Generator<unknown> {
  for (const [name, value] of Object.entries(object)) {
    yield name;
    yield value;
  }
}

/** With a comma or colon after it. */
function leafSize(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) + 3 : SCALAR_BYTES;
}
