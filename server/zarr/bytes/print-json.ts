/**
 * Writes JSON text for Zarr documents, the inverse of `parse-json.ts`: bigints, NaN and the infinities are
 * written bare (as Python writes and reads them), -0 keeps its sign, and a number read as 2.0 is not written
 * as 2. `parseJson` reads the text back to an equal value.
 */
import { isJsonObject, type JsonObject, type JsonValue } from './json.js';
import { floatsOf } from './whole-floats.js';

export interface PrintJsonOptions {
  /** Spaces of indentation per level; 0 writes one line. @default 0 */
  readonly indent?: number;
}

/** @returns text; encode it as UTF-8 */
export function printJson(value: JsonValue, options: PrintJsonOptions = {}): string {
  const parts: string[] = [];
  print(value, parts, options.indent ?? 0, '\n');
  return parts.join('');
}

/** @param newline a line break followed by the current indentation */
function print(value: JsonValue, parts: string[], indent: number, newline: string): void {
  if (Array.isArray(value)) {
    printList(value, parts, indent, newline);
  } else if (isJsonObject(value)) {
    printObject(value, parts, indent, newline);
  } else if (typeof value === 'number') {
    parts.push(printNumber(value));
  } else if (typeof value === 'bigint') {
    parts.push(value.toString());
  } else {
    parts.push(JSON.stringify(value));
  }
}

function printList(list: readonly JsonValue[], parts: string[], indent: number, newline: string): void {
  if (list.length === 0) {
    parts.push('[]');
    return;
  }
  const inner = newline + ' '.repeat(indent);
  const floats = floatsOf(list);
  parts.push('[');
  list.forEach((item, i) => {
    if (i > 0) parts.push(',');
    if (indent > 0) parts.push(inner);
    if (floats?.has(String(i)) === true && typeof item === 'number') parts.push(printFloat(item));
    else print(item, parts, indent, inner);
  });
  if (indent > 0) parts.push(newline);
  parts.push(']');
}

function printObject(object: JsonObject, parts: string[], indent: number, newline: string): void {
  const entries = Object.entries(object);
  const floats = floatsOf(object);
  if (entries.length === 0) {
    parts.push('{}');
    return;
  }
  const inner = newline + ' '.repeat(indent);
  parts.push('{');
  entries.forEach(([key, value], i) => {
    if (i > 0) parts.push(',');
    if (indent > 0) parts.push(inner);
    parts.push(JSON.stringify(key), indent > 0 ? ': ' : ':');
    if (floats?.has(key) === true && typeof value === 'number') parts.push(printFloat(value));
    else print(value, parts, indent, inner);
  });
  if (indent > 0) parts.push(newline);
  parts.push('}');
}

/** Writes a float beyond 2^53 with an exponent, because bare digits would be read back as an integer. */
function printNumber(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential();
  return String(value);
}

function printFloat(value: number): string {
  const text = printNumber(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
