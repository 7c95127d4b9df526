/** Values in the big-endian order of NetCDF. */
import { NAT } from '../../../wire/data-types.js';
import { widenHalves } from '../../../wire/float16.js';
import { type Block, contentsAt, sizeOf } from '../../zarr/index.js';
import { type NetcdfType, netcdfTypes, type TimeEncoding } from './types.js';

/** A copy in big-endian order. */
export function bigEndian(bytes: Uint8Array, type: NetcdfType): Buffer {
  const copy = Buffer.from(bytes);
  const size = netcdfTypes[type].bytes;
  if (size === 2) return copy.swap16();
  if (size === 4) return copy.swap32();
  return size === 8 ? copy.swap64() : copy;
}

export function widenedHalves(bytes: Uint8Array): Buffer {
  const widened = widenHalves(new Uint16Array(bytes.slice().buffer));
  return bigEndian(new Uint8Array(widened.buffer, widened.byteOffset, widened.byteLength), 'float');
}

export function timesAs(bytes: Uint8Array, type: NetcdfType, { divisor }: TimeEncoding): Buffer {
  const counts = new BigInt64Array(bytes.slice().buffer);
  if (type !== 'double') {
    if (divisor !== 1n)
      for (const [i, count] of counts.entries()) if (count !== NAT) counts[i] = count / divisor;
    return bigEndian(new Uint8Array(counts.buffer), 'int64');
  }
  const values = Float64Array.from(counts, (count) => (count === NAT ? NaN : Number(count / divisor)));
  return bigEndian(new Uint8Array(values.buffer), 'double');
}

/** Texts in UTF-8, none of them missing, each padded with zeros to the same length. */
export function paddedTexts(block: Block, characters: number): Uint8Array {
  const result = new Uint8Array(sizeOf(block.shape) * characters);
  if ('items' in block)
    for (let i = 0; i < block.items.lengths.length; i++)
      result.set(contentsAt(block.items, i) ?? new Uint8Array(0), i * characters);
  return result;
}
