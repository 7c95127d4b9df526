/**
 * Recipes: the derivation of a slice as plain data that can be serialised as JSON. Links contain recipes, and
 * other processes can recreate the slice from them.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { GroupingRequest } from '../dataset/grouping/grouping.js';
import { InputError } from '../zarr/index.js';
import { MAX_EXPRESSION_BYTES } from './expression/tokens.js';
import { isSliceStep, type SliceStep } from './operations/table.js';
import { type CanonicalStep, MAX_STEPS } from './operations/apply-steps.js';

export interface RecipeDecoding {
  readonly maskOutOfRange: boolean;
}

/** The input of the operations: an array, a variable, or an expression of a dataset's variables. */
export interface RecipeSource {
  /** The store's configured name. */
  readonly store: string;
  /** The absolute path of the array; for an expression, the path of the dataset's group. */
  readonly path: string;
  /** Options for decoding; undefined for stored values and expressions. */
  readonly decode?: RecipeDecoding;
  /** An expression of decoded variables. Excludes `decode`. */
  readonly compute?: string;
  /** The results that the expression names. */
  readonly inputs?: readonly RecipeInput[];
}

/** A result under a name of an expression. */
export interface RecipeInput {
  readonly name: string;
  readonly slice: SliceRecipe;
}

/** Maximum number of results that one expression names, and how deep expressions may name results of expressions. */
export const MAX_INPUTS = 8;
export const MAX_RECIPE_DEPTH = 4;

/** @throws InputError for too many results, or too deep ones */
export function assertInputs(inputs: readonly RecipeInput[]): void {
  if (inputs.length > MAX_INPUTS)
    throw new InputError(`the expression has ${inputs.length} inputs; at most ${MAX_INPUTS} are allowed`);
  const depthOf = (own: readonly RecipeInput[]): number =>
    own.reduce((most, { slice }) => Math.max(most, 1 + depthOf(slice.inputs ?? [])), 0);
  if (depthOf(inputs) > MAX_RECIPE_DEPTH)
    throw new InputError(`inputs are nested deeper than ${MAX_RECIPE_DEPTH} expressions`);
  const names = inputs.map(({ name }) => name);
  const repeated = names.find((name, i) => names.indexOf(name) < i);
  if (repeated !== undefined) throw new InputError(`two inputs are named "${repeated}"`);
}

/** How groups among the steps, and among the results that an expression names, were formed. */
export function groupingsOf({ steps, inputs = [] }: SliceRecipe): GroupingRequest[] {
  const own = steps.flatMap((step) => ('group' in step ? [step.group.by] : []));
  return [...own, ...inputs.flatMap(({ slice }) => groupingsOf(slice))];
}

export interface SliceRecipe extends RecipeSource {
  /** Version of this form; omitted in the first version, which every gateway supports. */
  readonly version?: 1;
  /** The steps applied to the array, the decoded variable or the expression, in order. */
  readonly steps: readonly SliceStep[];
}

/** Parses a recipe from JSON. @throws InputError if it is invalid */
export function parseRecipe(json: unknown): SliceRecipe {
  const parsed = recipeForm.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new InputError('the link contains an invalid description of a slice; request a new link', {
    cause: parsed.error,
  });
}

const MAX_NAME_LENGTH = 100;

const recipeForm: z.ZodType<SliceRecipe> = z.lazy(() => plainRecipeForm);

const inputForm: z.ZodType<RecipeInput> = z.strictObject({
  name: z.string().min(1).max(MAX_NAME_LENGTH),
  slice: recipeForm,
});

const plainRecipeForm: z.ZodType<SliceRecipe> = z.strictObject({
  version: z.literal(1).exactOptional(),
  store: z.string(),
  path: z.string(),
  decode: z.strictObject({ maskOutOfRange: z.boolean() }).exactOptional(),
  compute: z.string().max(MAX_EXPRESSION_BYTES).exactOptional(),
  inputs: z.array(inputForm).max(MAX_INPUTS).exactOptional(),
  steps: z.array(z.custom<SliceStep>(isSliceStep)).max(MAX_STEPS),
});

/**
 * The cache key of a recipe's result. It is equal for equivalent recipes, as long as the arrays keep their
 * shapes. The key does not include versions; add the versions of all inputs.
 */
export function recipeKey(
  { store, path, decode, compute, inputs }: RecipeSource,
  canonical: readonly CanonicalStep[],
): string {
  const computed = [...(compute === undefined ? [] : [compute]), ...(inputs === undefined ? [] : [inputs])];
  const text = JSON.stringify([1, store, path, decode ?? null, canonical, ...computed], inOneOrder);
  return createHash('sha256').update(text).digest('base64url');
}

/** Sorts members by name. Lists of positions, which can be long, are represented by a digest. */
function inOneOrder(_: string, value: unknown): unknown {
  if (value instanceof Float64Array) return createHash('sha256').update(value).digest('base64url');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
