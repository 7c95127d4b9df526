/** Prints metadata documents as ASCII JSON. Checks the limits of documents, and new attributes. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/bytes/json.js';
import { printJson } from '../../core/bytes/print-json.js';
import { InputError, LimitError } from '../../core/errors.js';
import { metadataBounds, type MetadataLimits } from '../../core/limits.js';
import { withoutConsolidated } from '../../format/metadata/consolidated.js';
import type { Documents } from '../../format/metadata/model.js';

const encoder = new TextEncoder();

/**
 * Writes indented ASCII, because readers of v1 accept no other characters. Python escapes them too. A bare
 * NaN is kept, as Python writes it.
 */
export function printDocument(document: JsonValue): Uint8Array {
  return print(document, 2);
}

/**
 * Writes a document without white space, for consolidated metadata, which would be up to five times as long
 * with indentation.
 */
export function printCompact(document: JsonValue): Uint8Array {
  return print(document, 0);
}

/**
 * Prints the documents of a node in the form in which they are stored.
 * @throws LimitError, before anything is written, for a document that is too large to read
 */
export function printDocuments(
  documents: Documents,
  limits: MetadataLimits,
): [name: string, text: Uint8Array][] {
  return Object.entries(documents).map(([name, document]) => {
    const isHolder =
      name === 'zarr.json' && isJsonObject(document) && isJsonObject(document['consolidated_metadata']);
    const own = isHolder ? withoutConsolidated(document) : document;
    assertReadable(own);
    const text = printDocument(own);
    assertPrintedLength('maxDocumentBytes', text.length, limits);
    if (!isHolder) return [name, text];
    const whole = printCompact(document);
    assertPrintedLength('maxConsolidatedBytes', whole.length, limits);
    return [name, whole];
  });
}

/** @throws LimitError for a text beyond the limit */
export function assertPrintedLength(
  limit: keyof MetadataLimits,
  length: number,
  limits: MetadataLimits,
): void {
  const allowed = limits[limit];
  if (length <= allowed) return;
  const subject = limit === 'maxDocumentBytes' ? 'a metadata document' : 'the consolidated metadata';
  throw new LimitError(`${subject} would have ${length} bytes; at most ${allowed} are allowed`, {
    excess: [{ limit, allowed, needed: length }],
  });
}

const largestInteger = 10n ** BigInt(metadataBounds.maxIntegerDigits);

/**
 * Checks the limits of readers, because repeated changes could make a document unreadable.
 * @throws LimitError for a document that readers would reject
 */
function assertReadable(json: JsonValue): void {
  if (Array.isArray(json)) return json.forEach(assertReadable);
  if (typeof json === 'bigint' && (json >= largestInteger || json <= -largestInteger))
    throw notReadable('digits of an integer', metadataBounds.maxIntegerDigits);
  if (!isJsonObject(json)) return;
  const values = Object.values(json);
  if (values.length > metadataBounds.maxKeys) throw notReadable('keys of an object', metadataBounds.maxKeys);
  values.forEach(assertReadable);
}

function notReadable(unit: string, allowed: number): LimitError {
  return new LimitError(`the metadata document would have more than ${allowed} ${unit}`, {
    excess: [{ limit: unit, allowed, needed: allowed + 1 }],
  });
}

function print(document: JsonValue, indent: number): Uint8Array {
  // Non-ASCII characters occur only within strings, where an escape is equivalent.
  return encoder.encode(printJson(document, { indent }).replaceAll(/[\u0080-\uffff]/g, escaped));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Maximum nesting of attributes. Documents may have 64 levels, and attributes start a few levels below the
 * top (more in consolidated metadata).
 */
const MAX_ATTRIBUTE_DEPTH = 48;

/**
 * Checks that new attributes are strict JSON, because a bare NaN or Infinity makes the whole document
 * unreadable except in Python.
 * @throws InputError naming the attribute
 */
export function assertAttributes(attributes: JsonObject | undefined): void {
  for (const [name, value] of Object.entries(attributes ?? {})) assertStrict(value, name, 0);
}

function assertStrict(value: unknown, at: string, depth: number): void {
  if (depth > MAX_ATTRIBUTE_DEPTH)
    throw new InputError(`the attribute "${at}" is nested deeper than ${MAX_ATTRIBUTE_DEPTH} levels`);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new InputError(
      `the attribute "${at}" contains ${value}, which JSON numbers cannot represent; write it as text`,
    );
  if (value === null || ['number', 'bigint', 'string', 'boolean'].includes(typeof value)) return;
  if (Array.isArray(value)) for (const part of value) assertStrict(part, at, depth + 1);
  else if (isPlainObject(value)) for (const part of Object.values(value)) assertStrict(part, at, depth + 1);
  else
    throw new InputError(`the attribute "${at}" contains a value of type ${typeof value}, which is not JSON`);
}

function isPlainObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return isJsonObject({ ...value }) && !(value instanceof Date) && !(value instanceof Map);
}
