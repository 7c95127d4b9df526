import { defined } from '../../wire/guards.js';
import * as z from 'zod';

/** The candidate with the smallest edit distance to `name`, if that is at most `most`. */
export function closest(
  name: string,
  candidates: readonly string[],
  most: number = Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  let best: string | undefined;
  let least = most + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** A suggestion for an unknown name, to append to a message; empty if no known name is close. */
export function suggest(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** Computes Levenshtein's distance: insertions, deletions and replacements of one character. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          defined(row[j]) + 1,
          defined(next[j - 1]) + 1,
          defined(row[j - 1]) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return defined(row[b.length]);
}

/**
 * A suggestion for the unknown option `name` at `path`: the closest option in the same group, one level
 * deeper (as a dotted path), or one level up (as its full path).
 */
export function nearestOption(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
  name: string,
): string | undefined {
  const group = groupAt(schema, path);
  if (group === undefined) return undefined;
  const deeper = namesIn(group).flatMap((outer) =>
    namesIn(member(group, outer)).map((inner) => ({ inner, whole: `${outer}.${inner}` })),
  );
  const near = nearest(name, namesIn(group));
  if (near !== undefined) return near;
  const inner = nearest(
    name,
    deeper.map((option) => option.inner),
  );
  if (inner !== undefined) return deeper.find((option) => option.inner === inner)?.whole;
  const above = path.slice(0, -1);
  const outer = path.length === 0 ? undefined : nearest(name, namesIn(groupAt(schema, above)));
  return outer === undefined ? undefined : [...above, outer].join('.');
}

/** Like `closest`, but also matches prefixes, which are meant if they are long. */
function nearest(name: string, names: readonly string[]): string | undefined {
  const start = name.toLowerCase();
  const begun = names.find((known) => known.toLowerCase().startsWith(start));
  return (
    (start.length > 3 ? begun : undefined) ?? closest(name, names) ?? (start.length < 3 ? undefined : begun)
  );
}

function groupAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  return path.reduce<z.core.$ZodType | undefined>(
    (at, key) => (at === undefined ? undefined : member(at, String(key))),
    schema,
  );
}

function namesIn(schema: z.core.$ZodType | undefined): string[] {
  const bare = schema === undefined ? undefined : unwrapped(schema);
  return bare instanceof z.ZodObject ? Object.keys(bare.shape) : [];
}

function member(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = bare.shape;
    return shape[key];
  }
  return bare instanceof z.ZodArray ? bare.element : undefined;
}

/** Unwraps optional values and defaults. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}
