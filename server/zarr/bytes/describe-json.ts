/** What an error says about a value out of a document: its JSON text, cut short. */
import type { JsonValue } from './json.js';
import { printJson } from './print-json.js';

const MAX_SHOWN = 80;

export function describeJson(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing';
  // Long lists would be printed whole only to be cut.
  const text = printJson(Array.isArray(value) ? value.slice(0, MAX_SHOWN) : value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
