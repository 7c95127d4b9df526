/** The context of parsing a fill value: the applicable rules, and the field for error messages. */
import { describeJson } from '../bytes/describe-json.js';
import type { JsonValue } from '../bytes/json.js';
import { MetadataError } from '../errors.js';

export interface FillContext {
  /** The version of the metadata. For 1 and 2, forms in existing files are accepted too. */
  readonly format: 1 | 2 | 3;
  /** `fill_value`, or a field within it. */
  readonly at: string;
  /** The data type's name. */
  readonly type: string;
}

export function badFill(
  json: JsonValue | undefined,
  wanted: string,
  { at, type }: FillContext,
): MetadataError {
  return new MetadataError(`${at} is ${describeJson(json)}; for the data type ${type} it must be ${wanted}`);
}
