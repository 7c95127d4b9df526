/** One way of saying that an attribute, or a value, cannot be followed. */
import { describeJson, MetadataError, UnsupportedError, type JsonValue } from '../../zarr/index.js';

const HINT = 'decode: false gives the stored values';

/** @param problem what is wrong with it: "expected a number" */
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

/** For a value that the decoded type cannot hold. */
export function badValue(variable: string, problem: string): UnsupportedError {
  return new UnsupportedError(valueMessage(variable, problem));
}

export function valueMessage(variable: string, problem: string): string {
  return `variable "${variable}" cannot be decoded: ${problem} (${HINT})`;
}

/** The message of a problem that names a value: what stands before and after it. */
export function messageAround(variable: string, before: string, after: string): [string, string] {
  return [`variable "${variable}" cannot be decoded: ${before}`, `${after} (${HINT})`];
}
