/** Means of blocks of labels. Pure. */
import { type Block, NAT, numberType, takeElements, toTypedArray } from '../../zarr/index.js';
import { meanLongitude } from '../unwrap-longitudes.js';

/**
 * Means of blocks of labels. Skips missing values; a block without values has a missing mean. Floats keep
 * their type; other numbers become float64.
 * @param positions positions of the labels, in order
 * @param size number of labels per block
 * @returns undefined for labels that are not numbers
 */
export function meanNumbers(
  labels: Block,
  positions: Float64Array,
  size: number,
  isLongitude: boolean,
): Block | undefined {
  const { dtype } = labels;
  const some = takeElements(labels, positions, [positions.length]);
  if (dtype.name === 'numpy.timedelta64') {
    const counts = toTypedArray(some);
    if (!(counts instanceof BigInt64Array)) return undefined;
    const means = meanTicks(counts, size);
    return { dtype, shape: [means.length], bytes: new Uint8Array(means.buffer) };
  }
  if (!/^(u?int|float)\d+$/.test(dtype.name)) return undefined;
  const values = Float64Array.from(toTypedArray(some), Number);
  const isSigned = values.some((value) => value < 0);
  const means = blocksOf(values, size).map((block) =>
    isLongitude ? meanLongitude(block, isSigned) : meanOf(block),
  );
  return dtype.name === 'float32'
    ? { dtype, shape: [means.length], bytes: new Uint8Array(Float32Array.from(means).buffer) }
    : {
        dtype: numberType('float64'),
        shape: [means.length],
        bytes: new Uint8Array(Float64Array.from(means).buffer),
      };
}

/** Rounded down. */
export function meanTicks(ticks: BigInt64Array, size: number): BigInt64Array {
  const count = Math.ceil(ticks.length / size);
  return BigInt64Array.from({ length: count }, (_, k) => {
    let [sum, members] = [0n, 0n];
    for (const tick of ticks.subarray(k * size, (k + 1) * size)) {
      if (tick === NAT) continue;
      sum += tick;
      members++;
    }
    if (members === 0n) return NAT;
    const mean = sum / members;
    return sum < 0n && mean * members !== sum ? mean - 1n : mean;
  });
}

function blocksOf(values: Float64Array, size: number): Float64Array[] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, k) => values.subarray(k * size, (k + 1) * size));
}

function meanOf(values: Float64Array): number {
  let [sum, members] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    members++;
  }
  return sum / members;
}
