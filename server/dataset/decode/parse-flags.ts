/** Flags (CF, section 3.5): values or bits that have a meaning each. */
import type { JsonValue } from '../../zarr/index.js';
import { isList, itemsOf } from './attribute-items.js';
import { badAttribute } from './bad-attribute.js';
import type { StoredVariable } from './decoding.js';
import { unsignedType } from './packed-numbers.js';
import { storedNumber } from './stored-number.js';

/** Flags of one variable: bytes have 256 values, and all flags leave in one response. */
const MAX_FLAGS = 4096;
/** Characters of an attribute that lists them. */
const MAX_TEXT = 2 ** 18;

export interface Flag {
  /** The value that stands for it, of the type that `_Unsigned` makes; of a bit field without values, the bits themselves. */
  readonly value: JsonValue;
  /** The bits to look at before comparing; undefined where the whole value counts. */
  readonly mask: JsonValue | undefined;
  readonly meaning: string;
}

export type FlaggedVariable = Pick<StoredVariable, 'name' | 'dtype' | 'attributes'>;

/**
 * @returns undefined where the variable has no flags
 * @throws MetadataError where there are not as many values or masks as meanings
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
      throw badAttribute(
        variable.name,
        attribute,
        variable.attributes[attribute] ?? null,
        `expected ${meanings.length} values, as many as flag_meanings`,
      );
  return meanings.map((meaning, i) => {
    const mask = masks?.[i];
    return { value: values?.[i] ?? mask ?? null, mask, meaning };
  });
}

function assertShort({ name }: FlaggedVariable, attribute: string, json: JsonValue): void {
  const isLong = typeof json === 'string' ? json.length > MAX_TEXT : itemsOf(json).length > MAX_FLAGS;
  if (isLong)
    throw badAttribute(
      name,
      attribute,
      json,
      `expected at most ${MAX_FLAGS} values, or ${MAX_TEXT} characters`,
    );
}

/** Meanings are words; some files have a list instead, or commas. */
function meaningsOf(variable: FlaggedVariable, json: JsonValue): readonly string[] {
  if (typeof json === 'string')
    return json.split(json.trim().includes(' ') ? /\s+/ : /[\s,]+/).filter((word) => word !== '');
  const words = itemsOf(json).flatMap((word) => (typeof word === 'string' ? [word] : []));
  if (words.length === itemsOf(json).length) return words;
  throw badAttribute(variable.name, 'flag_meanings', json, 'expected words with blanks between them');
}

/** A list, a single value, or numbers in text as CDL writes them: "0b, 1b, 2b". */
function valuesOf(
  variable: FlaggedVariable,
  attribute: 'flag_values' | 'flag_masks',
): readonly JsonValue[] | undefined {
  return numbersOf(variable, attribute)?.map((value) => asDecoded(variable, value));
}

/** A file that has no unsigned types writes 128 as -128, among the flags too. */
function asDecoded({ dtype, attributes }: FlaggedVariable, value: JsonValue): JsonValue {
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  switch (dtype.name) {
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'uint64': {
      const type = unsignedType(dtype.name, attributes['_Unsigned']);
      return type === dtype.name ? value : (storedNumber(value, type, true) ?? value);
    }
    default:
      return value;
  }
}

function numbersOf(
  { name, attributes }: FlaggedVariable,
  attribute: 'flag_values' | 'flag_masks',
): readonly JsonValue[] | undefined {
  const json = attributes[attribute];
  if (json === undefined || json === null) return undefined;
  if (isList(json) || typeof json === 'number' || typeof json === 'bigint') return itemsOf(json);
  const numbers = typeof json === 'string' ? json.split(/[\s,]+/).filter((word) => word !== '') : [];
  if (numbers.length > 0 && numbers.every((word) => /^[+-]?\d+[a-z]*$/i.test(word)))
    return numbers.map((word) => Number.parseInt(word, 10));
  throw badAttribute(name, attribute, json, 'expected a list of numbers');
}
