/** Errors about attributes and values that cannot be decoded. */
import { describeJson, MetadataError, UnsupportedError, type JsonValue } from '../../zarr/index.js';

const HINT = 'decode: false returns the stored values';

/** @param problem the reason, for example "expected a number" */
export function badAttribute(
  variable: string,
  attribute: string,
  value: JsonValue,
  problem: string,
): MetadataError {
  const shown = describeJson(value);
  return new MetadataError(
    `variable "${variable}" cannot be decoded: its attribute ${attribute} is ${shown}: ${problem} (${HINT})`,
  );
}

/** The error for a value that the decoded type cannot represent. */
export function badValue(variable: string, problem: string): UnsupportedError {
  return new UnsupportedError(valueMessage(variable, problem));
}

export function valueMessage(variable: string, problem: string): string {
  return `variable "${variable}" cannot be decoded: ${problem} (${HINT})`;
}

/** Splits the message of an error at the value: the text before and after it. */
export function messageAround(variable: string, before: string, after: string): [string, string] {
  return [`variable "${variable}" cannot be decoded: ${before}`, `${after} (${HINT})`];
}
