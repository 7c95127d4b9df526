/** Computes results from the state of a reduction. */
import { halfFromFloat } from '../../../wire/float16.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { UnsupportedError } from '../../core/errors.js';
import type { ResolvedReduce, Result, SlotFacts } from '../kernel.js';
import { reductionOf, slotsOf } from './reduction.js';
import { numberAt, type ReduceState } from '../state.js';

const SLOTS_PER_STEP = 4096;
const NAT = -(2n ** 63n);

/**
 * Writes the results in C order. Yields every `SLOTS_PER_STEP` slots, or `MEANS_PER_STEP` for plain means.
 * @throws UnsupportedError if an integer sum does not fit in the result's 64 bits, or for a data type that
 * `writerOf` does not support
 */
export function* finishState(
  state: ReduceState,
  resolved: ResolvedReduce,
  facts: SlotFacts,
  bytes: Uint8Array,
): Generator<void> {
  const slots = slotsOf(resolved);
  const all = slots.finishAll?.(state, resolved, bytes);
  if (all !== undefined) {
    yield* all;
    return;
  }
  const isMissing = missingTest(state, resolved, facts);
  const write = writerOf(resolved.dtype, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  for (let slot = 0; slot < state.count.length; slot++) {
    write(slot, isMissing(slot) ? undefined : slots.finish(state, slot, resolved, facts));
    if (slot % SLOTS_PER_STEP === SLOTS_PER_STEP - 1) yield;
  }
}

function missingTest(
  { count }: ReduceState,
  { by, skipMissing, minCount = 0, isEmptyMissing = false }: ResolvedReduce,
  { elements }: SlotFacts,
): (slot: number) => boolean {
  const { withoutValues, missingElement } = reductionOf(by);
  const spreads = missingElement === 'spreads' && !skipMissing;
  return (slot) => {
    const present = numberAt(count, slot);
    if (present < minCount || (spreads && present < elements(slot))) return true;
    if (present > 0 || withoutValues === 'value') return false;
    return withoutValues === 'missing' || (isEmptyMissing && elements(slot) === 0);
  };
}

/**
 * Creates a function that writes results of a data type.
 * @throws UnsupportedError for a data type that no reduction of numbers or times returns
 */
export function writerOf(
  { name, itemSize }: DataType,
  view: DataView,
): (slot: number, value: Result) => void {
  const real = (value: Result): number => (Array.isArray(value) || value === undefined ? NaN : Number(value));
  const big = (value: Result): bigint =>
    typeof value === 'bigint' ? value : typeof value === 'number' ? BigInt(value) : NAT;
  const pair = (value: Result): readonly [number, number] => (typeof value === 'object' ? value : [NaN, NaN]);
  const put = ((): ((at: number, value: Result) => void) => {
    switch (name) {
      case 'bool':
      case 'uint8':
        return (at, value) => view.setUint8(at, real(value));
      case 'int8':
        return (at, value) => view.setInt8(at, real(value));
      case 'int16':
        return (at, value) => view.setInt16(at, real(value), true);
      case 'uint16':
        return (at, value) => view.setUint16(at, real(value), true);
      case 'int32':
        return (at, value) => view.setInt32(at, real(value), true);
      case 'uint32':
        return (at, value) => view.setUint32(at, real(value), true);
      case 'float16':
        return (at, value) => view.setUint16(at, halfFromFloat(real(value)), true);
      case 'float32':
        return (at, value) => view.setFloat32(at, real(value), true);
      case 'float64':
        return (at, value) => view.setFloat64(at, real(value), true);
      case 'complex64':
        return (at, value) => pair(value).forEach((part, i) => view.setFloat32(at + 4 * i, part, true));
      case 'complex128':
        return (at, value) => pair(value).forEach((part, i) => view.setFloat64(at + 8 * i, part, true));
      case 'uint64':
        return (at, value) => view.setBigUint64(at, big(value), true);
      case 'int64':
      case 'numpy.datetime64':
      case 'numpy.timedelta64':
        return (at, value) => view.setBigInt64(at, big(value), true);
      default:
        throw new UnsupportedError(`unsupported data type ${name} for the result of a reduction`);
    }
  })();
  return (slot, value) => put(slot * (itemSize ?? 0), value);
}
