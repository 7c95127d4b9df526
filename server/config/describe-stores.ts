import { z } from 'zod';
import { storeGroups, storeSchema } from './store-schema.js';

/** Describes one option of a store, for documentation. */
export interface StoreOptionDescription {
  /** Relative to the store: `maxAgeMs`, `filesystem.lock`. */
  readonly name: string;
  readonly default: string;
  readonly description: string;
}

const metaSchema = z.object({ description: z.string(), default: z.string().optional() });

/** All options of a store, in the order of the documentation. */
export const storeOptionDescriptions: readonly StoreOptionDescription[] = [
  ...describeShape('', storeSchema.shape),
  ...Object.entries(storeGroups).flatMap(([group, schema]) => describeShape(`${group}.`, schema.shape)),
];

function describeShape(prefix: string, shape: Readonly<Record<string, z.ZodType>>): StoreOptionDescription[] {
  return Object.entries(shape)
    .filter(([name]) => !Object.hasOwn(storeGroups, name))
    .map(([name, schema]) => {
      const { description, default: standard } = metaSchema.parse(schema.meta());
      const required = schema.safeParse(undefined).success ? 'none' : 'required';
      return { name: `${prefix}${name}`, default: standard ?? required, description };
    });
}
