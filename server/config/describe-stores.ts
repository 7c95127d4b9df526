import { z } from 'zod';
import { storeGroups, storeSchema } from './store-schema.js';

/** One option of a store as text for people. */
export interface StoreOptionDescription {
  /** As it stands below the store: `maxAgeMs`, `filesystem.lock`. */
  readonly name: string;
  readonly default: string;
  readonly description: string;
}

const metaSchema = z.object({ description: z.string(), default: z.string().optional() });

/** Every option of a store, in the order in which people should read of them. */
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
