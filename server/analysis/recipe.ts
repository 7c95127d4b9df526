/**
 * How a slice was made, as plain data that survives JSON: what a link to its values holds, or what another process needs
 * to make it again.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { InputError } from '../zarr/index.js';
import { MAX_EXPRESSION_BYTES } from './expression/tokens.js';
import { type CanonicalStep, MAX_STEPS } from './operations/steps.js';
import { isSliceStep, type SliceStep } from './operations/table.js';

export interface RecipeDecoding {
  readonly maskOutOfRange: boolean;
}

/** What operations begin with: an array, the variable that it is, or an expression of a dataset's variables. */
export interface RecipeSource {
  /** The store's configured name. */
  readonly store: string;
  /** The array's path, absolute; of an expression, that of the dataset's group. */
  readonly path: string;
  /** How values are decoded by the conventions of datasets; without it they are as stored. */
  readonly decode?: RecipeDecoding;
  /** An expression of decoded variables; without `decode`. */
  readonly compute?: string;
}

export interface SliceRecipe extends RecipeSource {
  /** Of this form; missing in the first one, which every gateway understands. */
  readonly version?: 1;
  /** What was done to the array (to the decoded variable), in order. */
  readonly steps: readonly SliceStep[];
}

/** A recipe that came back as JSON. @throws InputError for anything else */
export function parseRecipe(json: unknown): SliceRecipe {
  const parsed = recipeForm.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new InputError('this is no description of a slice', { cause: parsed.error });
}

const recipeForm: z.ZodType<SliceRecipe> = z.strictObject({
  version: z.literal(1).exactOptional(),
  store: z.string(),
  path: z.string(),
  decode: z.strictObject({ maskOutOfRange: z.boolean() }).exactOptional(),
  compute: z.string().max(MAX_EXPRESSION_BYTES).exactOptional(),
  steps: z.array(z.custom<SliceStep>(isSliceStep)).max(MAX_STEPS),
});

/**
 * A short text for what a recipe gives, for caches: equal for recipes that differ only in how they say it, as long as the
 * arrays keep their shapes. It says nothing about versions: those of all inputs belong beside it.
 */
export function recipeKey(
  { store, path, decode, compute }: RecipeSource,
  canonical: readonly CanonicalStep[],
): string {
  const text = JSON.stringify(
    [1, store, path, decode ?? null, canonical, ...(compute === undefined ? [] : [compute])],
    inOneOrder,
  );
  return createHash('sha256').update(text).digest('base64url');
}

/** Members by name; lists of positions as lists. */
function inOneOrder(_: string, value: unknown): unknown {
  if (value instanceof Float64Array) return [...value];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
