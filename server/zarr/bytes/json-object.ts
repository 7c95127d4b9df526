/** Objects for keys that somebody else chose. */
import type { JsonValue } from './json.js';

/**
 * Objects whose prototype is an empty one without prototype: no key is special, and the engine keeps them in its fast
 * form, which `Object.create(null)` does not (five times slower to fill).
 */
class Bare {
  [key: string]: JsonValue;
}
Object.setPrototypeOf(Bare.prototype, null);
Reflect.deleteProperty(Bare.prototype, 'constructor');

/** An empty object without anything inherited: `__proto__` and `constructor` are keys as any other. */
export function emptyJsonObject(): Record<string, JsonValue> {
  return new Bare();
}
