/**
 * How a slice was made, as plain data that survives JSON: what a link to its values holds, or what another process needs
 * to make it again. Labels have become positions in it, so that it means the same for as long as the array's shape does.
 */
import { z } from 'zod';
import { InputError, type DimSelection, type Selection } from '../zarr/index.js';

export type SliceStep = { readonly select: Selection } | { readonly field: string };

export interface RecipeDecoding {
  readonly maskOutOfRange: boolean;
}

export interface SliceRecipe {
  /** The store's configured name. */
  readonly store: string;
  /** The array's path, absolute. */
  readonly path: string;
  /** How values are decoded by the conventions of datasets; without it they are as stored. */
  readonly decode?: RecipeDecoding;
  /** What was done to the array (to the decoded variable), in order. */
  readonly steps: readonly SliceStep[];
}

export function withStep(recipe: SliceRecipe, step: SliceStep): SliceRecipe {
  return { ...recipe, steps: [...recipe.steps, step] };
}

/** A recipe that came back as JSON. @throws InputError for anything else */
export function parseRecipe(json: unknown): SliceRecipe {
  const parsed = recipeForm.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new InputError('this is no description of a slice', { cause: parsed.error });
}

const position = z.int();

export const dimForm: z.ZodType<DimSelection> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('index'), index: position }),
  z.strictObject({
    kind: z.literal('slice'),
    start: position.exactOptional(),
    stop: position.exactOptional(),
    step: position.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('indices'), indices: z.array(position) }),
  z.strictObject({ kind: z.literal('mask'), mask: z.array(z.boolean()) }),
  z.strictObject({ kind: z.literal('chunk'), chunk: position }),
]);

const selectionForm: z.ZodType<Selection> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({
    kind: z.literal('dims'),
    dims: z.array(z.union([dimForm, z.strictObject({ kind: z.literal('ellipsis') })])),
  }),
  z.strictObject({
    kind: z.literal('named'),
    named: z.array(z.strictObject({ dim: z.string(), by: dimForm })),
  }),
  z.strictObject({ kind: z.literal('points'), points: z.array(z.array(position)) }),
]);

const recipeForm: z.ZodType<SliceRecipe> = z.strictObject({
  store: z.string(),
  path: z.string(),
  decode: z.strictObject({ maskOutOfRange: z.boolean() }).exactOptional(),
  steps: z.array(z.union([z.strictObject({ select: selectionForm }), z.strictObject({ field: z.string() })])),
});
