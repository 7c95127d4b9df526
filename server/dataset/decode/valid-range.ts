/** `valid_range`, `valid_min`, `valid_max` (CF, section 2.5.1). */
import type { ValueRange } from '../../zarr/index.js';
import { itemsOf } from './attribute-items.js';
import { badAttribute } from './bad-attribute.js';
import type { StoredVariable } from './decoding.js';

/**
 * @returns undefined if the variable has none of these attributes
 * @throws MetadataError if one is not a number, or `valid_range` is not two numbers
 */
export function parseValidRange(variable: StoredVariable): ValueRange | undefined {
  const range = parseNumbers(variable, 'valid_range', 2, 'two numbers');
  const min = parseNumbers(variable, 'valid_min', 1, 'a number');
  const max = parseNumbers(variable, 'valid_max', 1, 'a number');
  if (range === undefined && min === undefined && max === undefined) return undefined;
  return {
    min: range?.[0] ?? min?.[0] ?? -Infinity,
    max: range?.[1] ?? max?.[0] ?? Infinity,
  };
}

function parseNumbers(
  variable: StoredVariable,
  attribute: string,
  count: number,
  expected: string,
): readonly number[] | undefined {
  const json = variable.attributes[attribute];
  if (json === undefined || json === null) return undefined;
  const items = itemsOf(json);
  const numbers = items.flatMap((item) =>
    typeof item === 'number' || typeof item === 'bigint' ? [Number(item)] : [],
  );
  if (numbers.length !== count || items.length !== count)
    throw badAttribute(variable.name, attribute, json, `expected ${expected}`);
  return numbers;
}
