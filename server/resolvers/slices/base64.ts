/** A block as the type Base64Array: its bytes, and the data type in NumPy's notation. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Base64Text } from '../../transport/base64-text.js';
import { valueText } from '../../transport/json/value-text.js';
import {
  assertReadable,
  type Block,
  type LazySlice,
  numpyDescr,
  numpyTypestr,
  UnsupportedError,
} from '../../zarr/index.js';
import type { Compression } from '../generated/types.js';
import type { Base64Model } from '../models.js';

const gzipAsync = promisify(gzip);

/**
 * NumPy's typestr, or a struct's descr as JSON.
 * @throws UnsupportedError for types of variable length, and for unsupported data types
 */
export function numpyName(slice: LazySlice): string {
  assertReadable(slice);
  const { where, dtype, dtypeName } = slice;
  const name = dtype.name === 'struct' ? valueText(numpyDescr(dtype)) : numpyTypestr(dtype);
  if (name !== undefined) return name;
  const hint = isDecodedFrom(slice) ? ', or the stored values with "decode: false"' : '';
  throw new UnsupportedError(
    `data type ${dtypeName} has no representation as plain bytes; request "values" instead${hint}`,
    { where },
  );
}

/** Whether the stored values have a representation as plain bytes. */
function isDecodedFrom({ inputs }: LazySlice): boolean {
  const [stored, ...others] = inputs;
  return others.length === 0 && typeof stored?.dtype.itemSize === 'number';
}

export async function base64Of(block: Block, dtype: string, compression: Compression): Promise<Base64Model> {
  if (!('bytes' in block))
    throw new UnsupportedError(`data type ${dtype} has no representation as plain bytes`);
  const bytes = compression === 'GZIP' ? await gzipAsync(block.bytes) : block.bytes;
  return { dtype, shape: block.shape, data: new Base64Text(bytes), compression };
}
