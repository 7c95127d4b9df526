/** The text of a JSON value in error messages, truncated. */
import { isJsonObject, type JsonObject, type JsonValue } from './json.js';
import { printJson } from './print-json.js';

const MAX_SHOWN = 80;
/** Maximum levels of lists and objects to show. */
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
  // If no item is long, keeps the original list, which includes the notation of its numbers.
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
