/** Flags (CF, section 3.5): values or bits that have a meaning each. */
import type { JsonObject, JsonValue } from '../../zarr/index.js';
import { isList, itemsOf } from './attribute-items.js';
import { badAttribute } from './bad-attribute.js';

export interface Flag {
  /** The value that stands for it; of a bit field without values, the bits themselves. */
  readonly value: JsonValue;
  /** The bits to look at before comparing; undefined where the whole value counts. */
  readonly mask: JsonValue | undefined;
  readonly meaning: string;
}

export interface FlaggedVariable {
  readonly name: string;
  readonly attributes: JsonObject;
}

/**
 * @returns undefined where the variable has no flags
 * @throws MetadataError where there are not as many values or masks as meanings
 */
export function parseFlags(variable: FlaggedVariable): readonly Flag[] | undefined {
  const { flag_meanings: text } = variable.attributes;
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
