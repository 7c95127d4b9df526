/** Flags (CF, section 3.5): values or bits, each with a meaning. */
import { isIntegerName } from '../../../wire/data-types.js';
import { describeJson, type JsonValue, MetadataError, isJsonList } from '../../zarr/index.js';
import { itemsOf } from '../attributes.js';
import type { StoredVariable } from './decoding.js';
import { unsignedType } from './packed-numbers.js';
import { storedNumber } from './valid-range.js';

/** Maximum number of flags per variable. A byte has 256 values, and one response contains all flags. */
const MAX_FLAGS = 4096;
/** Maximum length, in characters, of an attribute that lists flags. */
const MAX_TEXT = 2 ** 18;

export interface Flag {
  /**
   * The flag's value, of the data type that `_Unsigned` selects; for a bit field without values, the bits.
   */
  readonly value: JsonValue;
  /** The bits to compare; undefined to compare the whole value. */
  readonly mask: JsonValue | undefined;
  readonly meaning: string;
}

export type FlaggedVariable = Pick<StoredVariable, 'name' | 'dtype' | 'attributes'>;

/**
 * @returns undefined if the variable has no flags
 * @throws MetadataError if an attribute is too long or of another type, or if the numbers of values or masks
 *   and of meanings differ
 */
export function parseFlags(variable: FlaggedVariable): readonly Flag[] | undefined {
  const { flag_meanings: text } = variable.attributes;
  for (const attribute of ['flag_meanings', 'flag_values', 'flag_masks'])
    assertShort(variable, attribute, variable.attributes[attribute] ?? null);
  const values = valuesOf(variable, 'flag_values');
  const masks = valuesOf(variable, 'flag_masks');
  if (text === undefined || (values === undefined && masks === undefined)) return undefined;
  const meanings = meaningsOf(variable, text);
  for (const [attribute, list] of [
    ['flag_values', values],
    ['flag_masks', masks],
  ] as const)
    if (list !== undefined && list.length !== meanings.length)
      throw badFlags(
        variable.name,
        attribute,
        variable.attributes[attribute] ?? null,
        `expected ${meanings.length} values, one for each of flag_meanings`,
      );
  return meanings.map((meaning, i) => {
    const mask = masks?.[i];
    return { value: values?.[i] ?? mask ?? null, mask, meaning };
  });
}

function assertShort({ name }: FlaggedVariable, attribute: string, json: JsonValue): void {
  const isLong = typeof json === 'string' ? json.length > MAX_TEXT : itemsOf(json).length > MAX_FLAGS;
  if (isLong)
    throw badFlags(name, attribute, json, `expected at most ${MAX_FLAGS} values, or ${MAX_TEXT} characters`);
}

/** Meanings are words separated by blanks; some files use a list or commas. */
function meaningsOf(variable: FlaggedVariable, json: JsonValue): readonly string[] {
  if (typeof json === 'string')
    return json.split(json.trim().includes(' ') ? /\s+/ : /[\s,]+/).filter((word) => word !== '');
  const words = itemsOf(json).flatMap((word) => (typeof word === 'string' ? [word] : []));
  if (words.length === itemsOf(json).length) return words;
  throw badFlags(variable.name, 'flag_meanings', json, 'expected words separated by blanks');
}

function valuesOf(
  variable: FlaggedVariable,
  attribute: 'flag_values' | 'flag_masks',
): readonly JsonValue[] | undefined {
  return numbersOf(variable, attribute)?.map((value) => {
    if (isScalar(value)) return asDecoded(variable, value);
    throw badFlags(variable.name, attribute, value, 'expected a list of numbers');
  });
}

/** Null is not a flag, because `Flag.value` is never null. */
function isScalar(value: JsonValue): boolean {
  return value !== null && typeof value !== 'object';
}

/**
 * Converts a value to the decoded type. Files without unsigned types store 128 as -128, also in the
 * attributes of flags.
 */
function asDecoded({ dtype, attributes }: FlaggedVariable, value: JsonValue): JsonValue {
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  if (!isIntegerName(dtype.name)) return value;
  const type = unsignedType(dtype.name, attributes['_Unsigned']);
  return type === dtype.name ? value : (storedNumber(value, type, true) ?? value);
}

/** Reads a list, a single value, or numbers as text in CDL's notation: "0b, 1b, 2b". */
function numbersOf(
  { name, attributes }: FlaggedVariable,
  attribute: 'flag_values' | 'flag_masks',
): readonly JsonValue[] | undefined {
  const json = attributes[attribute];
  if (json === undefined || json === null) return undefined;
  if (isJsonList(json) || typeof json === 'number' || typeof json === 'bigint') return itemsOf(json);
  const numbers = typeof json === 'string' ? json.split(/[\s,]+/).filter((word) => word !== '') : [];
  if (numbers.length > 0 && numbers.every((word) => /^[+-]?\d+[a-z]*$/i.test(word)))
    return numbers.map((word) => Number.parseInt(word, 10));
  throw badFlags(name, attribute, json, 'expected a list of numbers');
}

function badFlags(variable: string, attribute: string, value: JsonValue, problem: string): MetadataError {
  return new MetadataError(
    `the flags of variable "${variable}" cannot be listed: its attribute ${attribute} is ${describeJson(value)}: ${problem}`,
  );
}
