import { z } from 'zod';
import { closest } from './closest.js';

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
    deeper.map((one) => one.inner),
  );
  if (inner !== undefined) return deeper.find((one) => one.inner === inner)?.whole;
  const above = path.slice(0, -1);
  const outer = path.length === 0 ? undefined : nearest(name, namesIn(groupAt(schema, above)));
  return outer === undefined ? undefined : [...above, outer].join('.');
}

/** Like `closest`, but also matches prefixes. */
function nearest(name: string, names: readonly string[]): string | undefined {
  const start = name.toLowerCase();
  return (
    closest(name, names) ??
    (start.length < 3 ? undefined : names.find((known) => known.toLowerCase().startsWith(start)))
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
