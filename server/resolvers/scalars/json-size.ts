/** Size of JSON values as text. Cached per object, because unchanged metadata is the same object. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Values counted per turn of the event loop. */
const TURN_VALUES = 20_000;
/** Approximate size of a number, `true`, `false` or `null`. */
const SCALAR_BYTES = 8;

const known = new WeakMap<object, number | Promise<number>>();

/** @returns immediately if the value is small or cached */
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

/** A walk that can be paused. */
class Counting {
  readonly #open: Iterator<unknown>[];
  #bytes = 0;

  constructor(value: object) {
    this.#open = [[value].values()];
  }

  /** @returns the size, or undefined if the count is not complete */
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

/** Size of a string, including the comma or colon after it. */
function leafSize(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) + 3 : SCALAR_BYTES;
}
