import { z } from 'zod';
import { closest } from './closest.js';

/**
 * The option that somebody may have meant who wrote `name`, which is none, at `path`: the nearest name there, or one
 * that stands a level deeper, written with a dot.
 */
export function nearestOption(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
  name: string,
): string | undefined {
  const group = path.reduce<z.core.$ZodType | undefined>(
    (at, key) => (at === undefined ? undefined : member(at, String(key))),
    schema,
  );
  if (group === undefined) return undefined;
  const deeper = namesIn(group).flatMap((outer) =>
    namesIn(member(group, outer)).map((inner) => ({ inner, whole: `${outer}.${inner}` })),
  );
  const near = closest(name, namesIn(group));
  if (near !== undefined) return near;
  const inner = closest(
    name,
    deeper.map((one) => one.inner),
  );
  return deeper.find((one) => one.inner === inner)?.whole;
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

/** What a value must be if it is there. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}
