/** Links to slices with their coordinates: files and stores for other tools. The link grants the right to read. */
import * as z from 'zod';
import { parseRecipe, type SliceRecipe } from '../analysis/recipe.js';
import type { CallerRights } from '../resolvers/access/caller-rights.js';
import { linkRights, readablePaths } from '../resolvers/access/link-rights.js';
import type { GatewayContext } from '../resolvers/context.js';
import { labelledSetOf, type NamedModel } from '../resolvers/links/labelled-set.js';
import { sliceFromRecipe } from '../resolvers/slices/slice-model.js';
import type { LabelledSet } from '../transport/labelled-set.js';
import type { LazySlice, ObjectVersions } from '../zarr/index.js';
import { etagOfContent } from './digest.js';

const claimsForm = z.object({
  format: z.string(),
  rows: z.array(z.string()).exactOptional(),
  slices: z.array(z.object({ name: z.string(), recipe: z.unknown() })).min(1),
  inputs: z.array(z.string()),
  coordinates: z.array(z.string()),
});

/** The slices of a link whose signature and time are valid. */
export interface SignedSet {
  /** A file format, or `ZARR_SLICES`. */
  readonly format: string;
  /** See `SetOptions.rows`. */
  readonly rows?: readonly string[];
  readonly slices: readonly { readonly name: string; readonly recipe: SliceRecipe }[];
  /** Paths of all arrays that may be read. */
  readonly inputs: readonly string[];
  /** Names of the coordinates that are shown. */
  readonly coordinates: ReadonlySet<string>;
  /** Time of expiry, in seconds since 1970. */
  readonly expires: number;
}

/** @returns undefined for the claims of another kind of link @throws InputError for invalid recipes */
export function parseSignedSet(claims: unknown, expires: number): SignedSet | undefined {
  const parsed = claimsForm.safeParse(claims);
  if (!parsed.success) return undefined;
  const { format, rows, slices, inputs, coordinates } = parsed.data;
  return {
    format,
    ...(rows === undefined ? {} : { rows }),
    slices: slices.map(({ name, recipe }) => ({ name, recipe: parseRecipe(recipe) })),
    inputs,
    coordinates: new Set(coordinates),
    expires,
  };
}

/** The rights of all slices together. */
export function rightsOfSet({ slices, inputs }: Pick<SignedSet, 'slices' | 'inputs'>): CallerRights {
  const all = slices.map(({ recipe }) => linkRights(recipe, inputs));
  return {
    mayRead: (store, path) => all.some(({ mayRead }) => mayRead(store, path)),
    mayEnter: (store, path) => all.some(({ mayEnter }) => mayEnter(store, path)),
    mayWrite: () => false,
  };
}

export interface OpenedSet {
  readonly models: readonly NamedModel[];
  readonly set: LabelledSet;
}

/**
 * Opens some slices and their coordinates from the current state of their arrays.
 * @throws ForbiddenError if the metadata refer to other arrays now; errors from the recipes and coordinates
 */
export async function openSignedSet(
  { inputs, coordinates }: SignedSet,
  slices: SignedSet['slices'],
  context: GatewayContext,
): Promise<OpenedSet> {
  const models = await Promise.all(
    slices.map(async ({ name, recipe }) => {
      const model = await sliceFromRecipe(recipe, context);
      readablePaths(model, (path) => inputs.includes(path));
      return { name, model };
    }),
  );
  return { models, set: await labelledSetOf(models, coordinates, context) };
}

/** A strong ETag, for one link: of the metadata and stored objects of all inputs. */
export function etagOfInputs(
  slices: readonly LazySlice[],
  versions: ObjectVersions | undefined,
): string | undefined {
  if (versions === undefined) return undefined;
  const metadata = slices.flatMap(({ inputs }) => inputs.map(({ array }) => array.cacheKey));
  return etagOfContent(JSON.stringify([metadata, [...versions]]));
}
