/**
 * Booleans. If values can be missing, elements are decoded to true, false and null, like xarray's objects of True,
 * False and NaN.
 */
import { type Block, itemsOfValues, type JsonObject, toTypedArray } from '../../zarr/index.js';
import type { StoredVariable, VariableDecoding } from './decoding.js';
import { createDecoding } from './create-decoding.js';
import { parseMissing, readEach } from './missing-values.js';
import { type Packing, type RealVariable, unpack, unpacking } from './packed-numbers.js';

/** @throws MetadataError if an attribute is not a boolean */
export function planBooleans(variable: StoredVariable, useFillValue: boolean): VariableDecoding {
  const { fill, attributes } = variable;
  const own = useFillValue && fill !== undefined && 'bytes' in fill ? fill.bytes[0] !== 0 : undefined;
  const { values, encoding } = parseMissing(variable, {
    own,
    read: (json) => readEach(json, (item) => (item === true || item === false ? item : zeroOrOne(item))),
    expected: 'true or false',
  });
  const used = attributes['dtype'] === 'bool' ? { ...encoding, dtype: 'bool' } : encoding;
  if (values.length === 0)
    return createDecoding(variable, { dtype: variable.dtype, encoding: used, missing: 'none' });
  const decode = (stored: Block) =>
    itemsBlock(
      stored,
      Array.from(toTypedArray(stored), (value) => maskedItem(value !== 0, values)),
    );
  return createDecoding(variable, { dtype: itemsType, encoding: used, missing: 'null', decode });
}

function zeroOrOne(item: unknown): boolean | undefined {
  return item === 0 || item === 1 ? item === 1 : undefined;
}

function maskedItem(value: boolean, missing: readonly boolean[]): boolean | null {
  return missing.includes(value) ? null : value;
}

/** Plans the decoding of numbers with the attribute `dtype: "bool"`: every value except 0 is true. */
export function planBooleanNumbers(variable: RealVariable, packing: Packing): VariableDecoding {
  const encoding: JsonObject = { ...packing.encoding, dtype: 'bool' };
  if (packing.hasMissing) {
    const decode = (stored: Block) =>
      itemsBlock(
        stored,
        Array.from(unpack(stored, packing), (value) => (Number.isNaN(value) ? null : value !== 0)),
      );
    return createDecoding(variable, { dtype: itemsType, encoding, missing: 'null', decode });
  }
  const transform = unpacking(packing, 'bool');
  return createDecoding(variable, { dtype: transform.dtype, encoding, missing: 'none', transform });
}

const itemsType = { name: 'json', itemSize: null } as const;

function itemsBlock(stored: Block, items: readonly (boolean | null)[]): Block {
  return { dtype: itemsType, shape: stored.shape, items: itemsOfValues(items, itemsType) };
}
