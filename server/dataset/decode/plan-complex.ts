/** Complex numbers: only missing values are decoded, to NaN in both parts. */
import { isJsonList, type JsonValue, type NumberType, toTypedArray } from '../../zarr/index.js';
import { floatOfBase64 } from '../attributes.js';
import type { StoredVariable, VariableDecoding } from './decoding.js';
import { createDecoding } from './create-decoding.js';
import { parseMissing, readEach } from './missing-values.js';
import { numberOfAttribute } from './valid-range.js';

type Complex = readonly [re: number, im: number];

/** @throws MetadataError if an attribute is not a number */
export function planComplex(
  variable: StoredVariable,
  dtype: NumberType<'complex64' | 'complex128'>,
  useFillValue: boolean,
): VariableDecoding {
  const { values, encoding } = parseMissing<Complex>(variable, {
    own: useFillValue ? ownFill(variable) : undefined,
    read: (json, attribute) =>
      attribute === '_FillValue' && isJsonList(json) && json.length === 2
        ? pairOf(json)
        : readEach(json, (item) => withReal(partOf(item))),
    expected: 'a number, or a pair of real and imaginary part',
  });
  const isSingle = dtype.name === 'complex64';
  const missing = values
    .filter((parts) => !parts.some(Number.isNaN))
    .map(([re, im]): Complex => (isSingle ? [Math.fround(re), Math.fround(im)] : [re, im]));
  const transform =
    missing.length === 0
      ? undefined
      : ({ kind: 'complex', sourceBytes: dtype.itemSize, dtype, missing } as const);
  return createDecoding(variable, { dtype, encoding, missing: 'nan', transform });
}

function ownFill({ fill, dtype }: StoredVariable): Complex | undefined {
  if (fill === undefined || !('bytes' in fill)) return undefined;
  if (dtype.name !== 'complex64' && dtype.name !== 'complex128') return undefined;
  const [re, im] = toTypedArray({ dtype, shape: [1], bytes: fill.bytes });
  return [Number(re), Number(im)];
}

function partOf(item: JsonValue | undefined): number | undefined {
  const number = numberOfAttribute(item);
  if (number !== undefined) return Number(number);
  return typeof item === 'string' ? floatOfBase64(item) : undefined;
}

function withReal(re: number | undefined): Complex | undefined {
  return re === undefined ? undefined : [re, 0];
}

function pairOf([first, second]: readonly JsonValue[]): readonly Complex[] | undefined {
  const [re, im] = [partOf(first), partOf(second)];
  return re === undefined || im === undefined ? undefined : [[re, im]];
}
