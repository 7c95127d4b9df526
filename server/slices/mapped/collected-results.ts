/** Stores the results of collectors in an array of the result's type. */
import { defined } from '../../../wire/guards.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { allocateValues, destination, type MutableValues } from '../../core/bytes/values.js';
import type { Block } from '../../core/dtype/data-type.js';
import { writerOf } from '../../compute/reduce/finish.js';
import type { Collector, ResolvedReduce, Result } from '../../compute/kernel.js';
import { hasMissing, reductionOf } from '../../compute/reduce/reduction.js';
import { nothingOf } from '../../compute/reduce/resolve.js';
import { toBlock } from '../../threads/place-sink.js';

export class CollectedResults {
  readonly #resolved: ResolvedReduce;
  readonly #shape: readonly number[];
  readonly #strides: readonly number[];
  readonly #values: MutableValues;
  readonly #write: ((slot: number, value: Result) => void) | undefined;

  /**
   * @param shape shape of the result, without quantiles
   * @param out destination of exactly the length of the result
   * @param maxContents maximum size of contents of variable length in bytes
   */
  constructor(
    resolved: ResolvedReduce,
    shape: readonly number[],
    out: Uint8Array | undefined,
    maxContents: number,
  ) {
    const { dtype, q } = resolved;
    this.#resolved = resolved;
    this.#shape = q === undefined ? shape : [q.length, ...shape];
    this.#strides = stridesOf(shape);
    const count = sizeOf(this.#shape);
    this.#values =
      out === undefined || dtype.itemSize === null
        ? allocateValues(dtype.itemSize, count, maxContents)
        : { bytes: destination(out, count * dtype.itemSize) };
    if (!('bytes' in this.#values)) return;
    const { buffer, byteOffset, byteLength } = this.#values.bytes;
    this.#write = isText(resolved)
      ? undefined
      : writerOf(dtype, new DataView(buffer, byteOffset, byteLength));
  }

  /**
   * @param index index of the result
   * @param elements number of elements of the result, including missing ones
   * @throws SelectionError if there is no result and the data type has no missing value
   */
  take(collector: Pick<Collector, 'present' | 'results'>, index: readonly number[], elements: number): void {
    const { by, dtype, minCount = 0, skipMissing, q } = this.#resolved;
    const slot = index.reduce((sum, i, d) => sum + i * defined(this.#strides[d]), 0);
    const { present } = collector;
    const spreads = !skipMissing && reductionOf(by).missingElement === 'spreads';
    const isMissing = present === 0 || present < minCount || (spreads && present < elements);
    const results = isMissing ? [] : collector.results();
    if (results.length === 0 && !hasMissing(dtype)) throw nothingOf(by, dtype);
    const stride = sizeOf(this.#shape) / (q?.length ?? 1);
    for (let k = 0; k < (q?.length ?? 1); k++) this.#put(slot + k * stride, results[k]);
  }

  finish(): Block {
    return toBlock(this.#resolved.dtype, this.#shape, this.#values);
  }

  #put(slot: number, result: number | bigint | Uint8Array | undefined): void {
    const values = this.#values;
    if (!(result instanceof Uint8Array) && this.#write !== undefined) this.#write(slot, result);
    else if ('items' in values) values.items.set(slot, result instanceof Uint8Array ? result : null);
    else if (result instanceof Uint8Array) values.bytes.set(result, slot * result.length);
  }
}

function isText({ dtype }: ResolvedReduce): boolean {
  return ['fixed_length_utf32', 'null_terminated_bytes'].includes(dtype.name);
}
