/** Means of neighbouring longitudes, computed across the seam (360 to 0, 180 to -180). */
import { type AxisMap, type Block, type LazySlice, mapSlice, toTypedArray } from '../zarr/index.js';

/** @param longitudes floats of one dimension, in degrees @param factor number of elements per block */
export function unwrapLongitudes(longitudes: LazySlice, factor: number): LazySlice {
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
export function meanLongitude(longitudes: Float32Array | Float64Array, isSigned: boolean): number {
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

/** Whether the attributes of a coordinate state that it has longitudes. */
export function statesLongitude(units: string | undefined, standardName: string | undefined): boolean {
  return standardName === 'longitude' || /^degrees?_?(east|E)$/.test(units ?? '');
}
