/** Attributes as shown to users of a dataset, and those that conventions interpret. */
import { type JsonObject, type JsonValue, MetadataError } from '../zarr/index.js';

/** Attributes that libraries add for their own use: names of dimensions, and those of NetCDF and NCZarr. */
function isBookkeeping(name: string): boolean {
  return name === '_ARRAY_DIMENSIONS' || /^_(nc|netcdf4)/i.test(name);
}

/** Without bookkeeping. The result has no prototype, since attribute names are untrusted. */
export function visibleAttributes(attributes: JsonObject): JsonObject {
  return withoutNames(attributes, isBookkeeping);
}

export function withoutNames(attributes: JsonObject, isHidden: (name: string) => boolean): JsonObject {
  const visible: Record<string, JsonValue> = { __proto__: null };
  for (const [name, value] of Object.entries(attributes)) if (!isHidden(name)) visible[name] = value;
  return visible;
}

/** A text attribute; undefined for any other value. */
export function textAttribute(attributes: JsonObject, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' ? value : undefined;
}

/** Maximum characters of an attribute that lists names: a thousand names have about 30,000. */
const MAX_NAMES_TEXT = 2 ** 17;

/**
 * The names in an attribute such as `coordinates`: text separated by blanks (CF, section 5).
 * @throws MetadataError if the text is too long
 */
export function namesInAttribute(attributes: JsonObject, name: string): string[] {
  const text = textAttribute(attributes, name) ?? '';
  if (text.length > MAX_NAMES_TEXT)
    throw new MetadataError(
      `the attribute ${name} has ${text.length} characters; lists of names may have at most ${MAX_NAMES_TEXT}`,
    );
  return text.split(/\s+/).filter((part) => part !== '');
}
