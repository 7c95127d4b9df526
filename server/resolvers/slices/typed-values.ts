/** Blocks in the types Base64Array (the bytes, and the data type in NumPy's notation) and TypedValues. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ResultCache } from '../../analysis/result-cache.js';
import { Base64Text } from '../../transport/base64-text.js';
import { valueText } from '../../transport/json/value-text.js';
import { NDArrayValue } from '../../transport/nd-array-value.js';
import {
  assertReadable,
  type Block,
  type LazySlice,
  numpyDescr,
  numpyTypestr,
  UnsupportedError,
} from '../../zarr/index.js';
import type { Compression, TypedValuesResolvers } from '../generated/types.js';
import type { Base64Model } from '../models.js';

const gzipAsync = promisify(gzip);

/**
 * The name of the data type in NumPy's notation: a typestr, or a struct's descr as JSON.
 * @throws UnsupportedError for types of variable length, and for unsupported data types
 */
export function numpyName(slice: LazySlice): string {
  assertReadable(slice);
  const { where, dtype, dtypeName } = slice;
  const name = dtype.name === 'struct' ? valueText(numpyDescr(dtype)) : numpyTypestr(dtype);
  if (name !== undefined) return name;
  const hint = storesPlainBytes(slice) ? ', or the stored values with "decode: false"' : '';
  throw new UnsupportedError(
    `data type ${dtypeName} has no representation as plain bytes; request "values" instead${hint}`,
    { where },
  );
}

/** Whether the stored values have a representation as plain bytes. */
function storesPlainBytes({ inputs }: LazySlice): boolean {
  const [stored, ...others] = inputs;
  return others.length === 0 && typeof stored?.dtype.itemSize === 'number';
}

/** @param values the result cache, which also keeps the base64 text of cached values */
export async function base64Of(
  block: Block,
  dtype: string,
  compression: Compression,
  values?: ResultCache<Block>,
): Promise<Base64Model> {
  if (!('bytes' in block))
    throw new UnsupportedError(`data type ${dtype} has no representation as plain bytes`);
  const { shape, bytes } = block;
  if (compression === 'GZIP')
    return { dtype, shape, data: new Base64Text(await gzipAsync(bytes)), compression };
  const data = new Base64Text(bytes, () => values?.encoded(block, Base64Text.lengthOf(bytes.length)));
  return { dtype, shape, data, compression };
}

export const typedValuesResolvers: TypedValuesResolvers = {
  dtype: ({ type }) => type,
  shape: async (model, _, context) => (await model.read(context)).shape,
  async values(model, { nonFinite }, context) {
    return new NDArrayValue(await model.read(context), nonFinite);
  },
  async base64(model, { compression }, context) {
    const { type, where } = model;
    const name = numpyTypestr(type.dtype);
    if (name === undefined)
      throw new UnsupportedError(
        `values of type ${type.name} have no representation as plain bytes; request "values" instead`,
        { where },
      );
    return base64Of(await model.read(context), name, compression);
  },
};
