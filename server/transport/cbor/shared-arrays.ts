/**
 * Finds equal arrays of numbers in a message, such as the coordinates that the slices of one request have in
 * common. The first one is written with tag 28, the others as references with tag 29
 * (http://cbor.schmorp.de/value-sharing).
 */
import { elementOf } from '../../../wire/data-types.js';
import type { ValueRun } from './value-run.js';

/**
 * Minimum and maximum size of arrays to share, in bytes. The whole array is compared, so the comparison of very large
 * arrays would take too long.
 */
const MIN_BYTES = 64;
const MAX_BYTES = 2 ** 24;
/** Number of bytes used to distinguish arrays without comparing them completely. */
const SAMPLES = 64;
/** Maximum number of arrays with the same samples to compare. */
const MAX_ALIKE = 4;

interface Known {
  readonly index: number;
  readonly bytes: Uint8Array;
}

export class SharedArrays {
  #count = 0;
  readonly #known = new Map<string, Known[]>();

  /**
   * @returns the number of an equal array that was written before; 'new' if later ones may refer to this one; undefined
   *   if it is not shared
   */
  indexOf({ dtype, shape, bytes }: ValueRun): number | 'new' | undefined {
    if (bytes === undefined || bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) return undefined;
    const element = elementOf(dtype.name);
    if (element === undefined) return undefined;
    const key = `${dtype.name} ${shape.join()} ${samplesOf(bytes)}`;
    const alike = this.#known.get(key) ?? [];
    const equal = alike.find((known) => Buffer.compare(known.bytes, bytes) === 0);
    if (equal !== undefined) return equal.index;
    if (alike.length >= MAX_ALIKE) return undefined;
    alike.push({ index: this.#count++, bytes });
    this.#known.set(key, alike);
    return 'new';
  }
}

function samplesOf(bytes: Uint8Array): string {
  const step = bytes.length / SAMPLES;
  return Array.from({ length: SAMPLES }, (_, i) => bytes[Math.floor(i * step)]).join();
}
