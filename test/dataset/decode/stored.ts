/** Shorthands that create variables and blocks for tests. */
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import type { DecodingOptions, StoredVariable } from '../../../server/dataset/decode/decoding.js';
import {
  blockOfValues,
  toTypedArray,
  type Block,
  type DataType,
  type JsonObject,
  type NumberType,
} from '../../../server/zarr/index.js';

export function numberType(name: NumberType['name']): NumberType {
  return { name, itemSize: name === 'bool' ? 1 : Number(name.replace(/\D+/, '')) / 8 };
}

export function textType(length: number): DataType {
  return { name: 'null_terminated_bytes', itemSize: length };
}

export function variableOf(
  dtype: DataType,
  attributes: JsonObject,
  more: Partial<StoredVariable> = {},
): StoredVariable {
  return { name: 'v', zarrFormat: 3, dtype, shape: [3], attributes, fill: undefined, ...more };
}

/** @returns the decoded values as a list, with their data type */
export function decoded(
  type: NumberType['name'] | DataType,
  values: readonly unknown[],
  attributes: JsonObject,
  more: Partial<StoredVariable> & { readonly options?: DecodingOptions } = {},
): { readonly type: string; readonly values: readonly unknown[] } {
  const { options, ...rest } = more;
  const dtype = typeof type === 'string' ? numberType(type) : type;
  const stored: Block = blockOfValues(values, dtype, 1);
  const variable = variableOf(dtype, attributes, { shape: stored.shape, ...rest });
  const block = planDecoding(variable, options).decode(stored);
  const { dtype: result } = block;
  const unit = 'unit' in result ? `[${result.unit}]` : '';
  return { type: `${result.name}${unit}`, values: Array.from(toTypedArray(block)) };
}
