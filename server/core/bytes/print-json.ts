/**
 * Writes JSON text for Zarr documents, the inverse of `parse-json.ts`: bigints, NaN and the infinities are
 * written bare (as Python writes and reads them), -0 keeps its sign, and a number read as 2.0 is not written
 * as 2. `parseJson` reads the text back to an equal value.
 */
import { isJsonObject, type JsonObject, type JsonValue, floatsOf } from './json.js';
import { JsonReader } from './parse-json.js';

interface PrintJsonOptions {
  /** Number of spaces of indentation per level; 0 writes one line. @default 0 */
  readonly indent?: number;
}

/** @returns the text, to be encoded as UTF-8 */
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

const STEP_BYTES = 64 * 1024;

/** Removes white space between tokens. Yields every few tenths of a millisecond. @param bytes valid JSON */
export function* compactSteps(bytes: Uint8Array): Generator<void, Uint8Array, void> {
  const reader = new JsonReader(bytes);
  const result = new Uint8Array(bytes.length);
  let to = 0;
  let until = STEP_BYTES;
  let isWhole = true;
  while (!isWhole || reader.peek() !== undefined) {
    let { at } = reader;
    isWhole = reader.solid(until);
    while (at < reader.at) result[to++] = bytes[at++];
    if (reader.at < until) continue;
    until = reader.at + STEP_BYTES;
    yield;
  }
  return result.subarray(0, to);
}

const MAX_SHOWN = 80;
/** Maximum number of levels of lists and objects to show. */
const MAX_LEVELS = 4;

export function describeJson(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing';
  const text = printJson(beginningOf(value, MAX_LEVELS));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

/** Truncates the value before printing it, because it may have megabytes. */
function beginningOf(value: JsonValue, levels: number): JsonValue {
  if (typeof value === 'string') return value.slice(0, MAX_SHOWN);
  if (Array.isArray(value)) return beginningOfList(value, levels);
  return isJsonObject(value) ? beginningOfObject(value, levels) : value;
}

function beginningOfList(list: readonly JsonValue[], levels: number): JsonValue {
  if (levels === 0) return [];
  // Keeps a short list of numbers, because it records the notation of its numbers.
  if (list.length <= MAX_SHOWN && list.every((item) => typeof item === 'number')) return list;
  return list.slice(0, MAX_SHOWN).map((item) => beginningOf(item, levels - 1));
}

function beginningOfObject(object: JsonObject, levels: number): JsonValue {
  if (levels === 0) return {};
  const beginning: Record<string, JsonValue> = { __proto__: null };
  let count = 0;
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    if (++count > MAX_SHOWN) break;
    beginning[name.slice(0, MAX_SHOWN)] = beginningOf(object[name] ?? null, levels - 1);
  }
  return beginning;
}
