/** Stores the results of collectors in an array of the result's type. */
import { sizeOf, stridesOf } from '../../bytes/shape.js';
import { allocateValues, type MutableValues } from '../../bytes/values.js';
import type { Block } from '../../dtype/data-type.js';
import { InputError } from '../../errors.js';
import type { Collector } from '../../read/reduce/collector.js';
import { writerOf, type Result } from '../../read/reduce/finish.js';
import { hasMissing } from '../../read/reduce/reduction.js';
import { nothingOf, type ResolvedReduce } from '../../read/reduce/resolve.js';
import { toBlock } from '../../read/sinks/place.js';

export class CollectedResults {
  readonly #resolved: ResolvedReduce;
  readonly #shape: readonly number[];
  readonly #strides: readonly number[];
  readonly #values: MutableValues;
  readonly #write: ((slot: number, value: Result) => void) | undefined;

  /**
   * @param shape shape of the result, without quantiles
   * @param out destination of exactly the length of the result
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
    if (out !== undefined && out.length !== count * (dtype.itemSize ?? NaN))
      throw new InputError(`"out" has ${out.length} bytes; expected ${count * (dtype.itemSize ?? NaN)}`);
    this.#values = out === undefined ? allocateValues(dtype.itemSize, count, maxContents) : { bytes: out };
    if (!('bytes' in this.#values)) return;
    const { buffer, byteOffset, byteLength } = this.#values.bytes;
    this.#write = isText(resolved)
      ? undefined
      : writerOf(dtype, new DataView(buffer, byteOffset, byteLength));
  }

  /**
   * @param index index of the result
   * @param elements number of its elements, including missing ones
   * @throws SelectionError if there is no result and the data type has no missing value
   */
  take(collector: Pick<Collector, 'present' | 'results'>, index: readonly number[], elements: number): void {
    const { by, dtype, minCount = 0, skipMissing, q } = this.#resolved;
    const slot = index.reduce((sum, i, d) => sum + i * (this.#strides[d] ?? 0), 0);
    const { present } = collector;
    const isMissing =
      present === 0 ||
      present < minCount ||
      (by !== 'FIRST' && by !== 'LAST' && !skipMissing && present < elements);
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
