/** Corrupts a JSON document without breaking its syntax. */
import type { Random } from '../interop/random.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** JSON text, including values that JSON.stringify cannot write. */
const odd = [
  'null', 'true', 'false', '0', '1', '-1', '1.5', '-0.0', '1e400', 'NaN', 'Infinity', '3000000000', '9007199254740993',
  '18446744073709551615', '-9223372036854775809', '""', '"x"', '"NaN"', '"0x7fc00001"', '"/"', '"../x"', '[]', '{}', '[0]',
  '[-1]', '[[]]', '[null]', '{"name":"bytes"}', '{"id":"zlib"}', '"<f4"', '">M8[ns]"', '"|O"', '"string"', '[["a","<i4"]]',
  '{"name":"sharding_indexed","configuration":{}}', '"\\ud800"', `${'['.repeat(80)}${']'.repeat(80)}`,
] as const; // prettier-ignore

/** Marks the positions of odd values until the document is printed. */
const placeholder = '\u0001odd\u0001';

/** @returns undefined unless the document is plain JSON (no bare NaN) */
export function mutateJson(bytes: Uint8Array, random: Random): Uint8Array | undefined {
  let document: Json;
  try {
    document = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  for (let left = random.choose([1, 1, 2, 3]); left > 0; left--) document = change(document, random);
  const parts = JSON.stringify(document).split(JSON.stringify(placeholder));
  // Each placeholder becomes a separate value.
  return new TextEncoder().encode(parts.reduce((all, part) => all + random.choose(odd) + part));
}

function change(value: Json, random: Random): Json {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isLeaf || random.chance(0.08)) return placeholder;
  if (Array.isArray(value)) {
    const at = random.int(0, value.length - 1);
    const items = [...value];
    const kind = random.int(0, 5);
    if (kind === 0) items.splice(at, 1);
    else if (kind === 1) items.splice(at, 0, items[at] ?? null);
    else if (kind === 2) return random.shuffled(items);
    else items[at] = change(items[at] ?? null, random);
    return items;
  }
  const entries = Object.entries(value);
  const at = random.int(0, entries.length - 1);
  const [key, inner] = entries[at] ?? ['', null];
  const kind = random.int(0, 6);
  if (kind === 0) entries.splice(at, 1);
  else if (kind === 1) entries.push([random.choose(['extra', '__proto__', 'constructor', '']), placeholder]);
  else entries[at] = [key, change(inner, random)];
  return Object.fromEntries(entries);
}
