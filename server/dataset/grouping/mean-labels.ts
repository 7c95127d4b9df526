/** Means of blocks of labels, and of blocks of coordinates, which are read on demand. */
import {
  type Block,
  NAT,
  numberType,
  takeElements,
  toTypedArray,
  type AxisMap,
  type LazySlice,
  mapSlice,
  type CoarsenedDim,
  coarsenBlocks,
  type ResolvedDim,
  selectionOf,
} from '../../zarr/index.js';
import { wrappedSlice } from '../labels/wrapped-slice.js';

/**
 * Computes the means of blocks of labels. Skips missing values; a block without values has a missing mean.
 * float32 and timedelta64 keep their type; other numbers become float64.
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

/** The mean of each block, rounded down. */
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

/**
 * Means of neighbouring longitudes, computed across the ends of the coordinate (360 to 0, 180 to -180).
 * @param longitudes floats of one dimension, in degrees
 * @param factor number of elements per block
 */
function coarsenLongitudes(longitudes: LazySlice, factor: number): LazySlice {
  const maps: readonly AxisMap[] = [{ kind: 'blocks', size: factor }];
  return mapSlice(longitudes, maps, {
    dtype: longitudes.dtype,
    cost(input, _, outputBytes) {
      const cost = input.cost();
      const intermediateBytes = cost.intermediateBytes + cost.allocatedBytes;
      return { ...cost, outputBytes, allocatedBytes: outputBytes ?? 0, intermediateBytes };
    },
    async read(input, _, { out, readOnly: __, ...options }) {
      const means = meansOf(await input.read(options), factor);
      if (out === undefined || !('bytes' in means)) return means;
      out.set(means.bytes);
      return { ...means, bytes: out };
    },
  });
}

function meansOf(block: Block, factor: number): Block {
  const values = toTypedArray(block);
  if (!(values instanceof Float32Array || values instanceof Float64Array) || !('bytes' in block))
    throw new TypeError('longitudes must be floats');
  const isSigned = values.some((value) => value < 0);
  const count = Math.ceil(values.length / factor);
  const means = values instanceof Float32Array ? new Float32Array(count) : new Float64Array(count);
  for (let k = 0; k < count; k++)
    means[k] = meanLongitude(values.subarray(k * factor, (k + 1) * factor), isSigned);
  return { ...block, shape: [count], bytes: new Uint8Array(means.buffer) };
}

/** @param isSigned whether longitudes range from -180 to 180 instead of 0 to 360 */
function meanLongitude(longitudes: Float32Array | Float64Array, isSigned: boolean): number {
  let [sum, count, isWrapped] = [0, 0, false];
  let before: number | undefined;
  for (const longitude of longitudes) {
    if (Number.isNaN(longitude)) continue;
    const distance = (before ?? longitude) - longitude;
    // Neighbours are at most 180 degrees apart.
    const turns = Math.abs(distance) > 180 ? Math.round(distance / 360) : 0;
    if (turns !== 0) isWrapped = true;
    before = longitude + turns * 360;
    sum += before;
    count++;
  }
  const mean = sum / count;
  if (!isWrapped) return mean;
  const least = isSigned ? -180 : 0;
  return mean - 360 * Math.floor((mean - least) / 360);
}

/** Whether the attributes of a coordinate identify it as a longitude. */
export function statesLongitude(units: string | undefined, standardName: string | undefined): boolean {
  return standardName === 'longitude' || /^degrees?_?(east|E)$/.test(units ?? '');
}

/**
 * @param coordinate numbers, dates or durations
 * @param along the blocks along each dimension
 * @param isIndex whether a selection of blocks with `wrap` moves the labels
 */
export function averagedCoordinate(
  coordinate: LazySlice,
  along: readonly (CoarsenedDim | undefined)[],
  isLongitude: boolean,
  isIndex = false,
): LazySlice {
  const before = along.map((dim) => dim?.before);
  if (before.some((dim) => dim !== undefined))
    coordinate = averagedCoordinate(coordinate, before, isLongitude, isIndex);
  const factors = along.map((dim) => dim?.factor);
  const only = factors.length === 1 ? factors[0] : undefined;
  const averaged =
    isLongitude && only !== undefined && coordinate.dtype.name.startsWith('float')
      ? coarsenLongitudes(coordinate, only)
      : coarsenBlocks(coordinate, factors, 'MEAN');
  if (along.every((dim) => dim?.chosen === undefined)) return averaged;
  const whole = (count: number): ResolvedDim => ({ kind: 'range', start: 0, step: 1, count, dropped: false });
  const dims = averaged.shape.map((size, d) => along[d]?.chosen ?? whole(size));
  const part = averaged.select(selectionOf({ kind: 'box', dims }));
  const wrap = isIndex ? along[0]?.chosen?.wrap : undefined;
  return wrap === undefined ? part : wrappedSlice(part, wrap);
}
