/** A block as the type Base64Array: its bytes as they are, and the name NumPy has for their type. */
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
 * The typestr, or a struct's descr as JSON.
 * @throws UnsupportedError for types of variable length, and for what cannot be read in any form
 */
export function numpyName(slice: LazySlice): string {
  assertReadable(slice);
  const { where, dtype, dtypeName } = slice;
  const name = dtype.name === 'struct' ? valueText(numpyDescr(dtype)) : numpyTypestr(dtype);
  if (name !== undefined) return name;
  const hint = isDecodedFrom(slice) ? ', or for what is stored with "decode: false"' : '';
  throw new UnsupportedError(
    `values of the type ${dtypeName} have no form as plain bytes; ask for "values" instead${hint}`,
    { where },
  );
}

/** Whether what is stored would have a form as plain bytes. */
function isDecodedFrom({ inputs }: LazySlice): boolean {
  const [stored, ...others] = inputs;
  return others.length === 0 && typeof stored?.dtype.itemSize === 'number';
}

export async function base64Of(block: Block, dtype: string, compression: Compression): Promise<Base64Model> {
  if (!('bytes' in block))
    throw new UnsupportedError(`values of the type ${dtype} have no form as plain bytes`);
  const bytes = compression === 'GZIP' ? await gzipAsync(block.bytes) : block.bytes;
  return { dtype, shape: block.shape, data: new Base64Text(bytes), compression };
}
