/**
 * Stores whose chunks are computed on request: slices behind a signed URL as a Zarr v3 store. Each chunk is read within
 * the limits of a request, from one state of the arrays.
 */
import * as z from 'zod';
import { parseRecipe, type SliceRecipe } from '../../analysis/recipe.js';
import { createContext, type GatewayContext } from '../../resolvers/context.js';
import { type CallerRights } from '../../resolvers/access/caller-rights.js';
import { linkRights, readablePaths } from '../../resolvers/access/link-rights.js';
import { labelledSetOf } from '../../resolvers/links/labelled-set.js';
import type { SliceModel } from '../../resolvers/models.js';
import { sliceByStep, sliceFromRecipe } from '../../resolvers/slices/slice-model.js';
import type { LabelledVariable } from '../../transport/labelled-set.js';
import { rawResponse, type RawResponse } from '../../transport/response.js';
import {
  type Block,
  type LazySlice,
  noCost,
  NotFoundError,
  type ObjectVersions,
  printJson,
  type Selection,
  versionsOfInputs,
} from '../../zarr/index.js';
import type { CallerOptions, ZarrRequest } from '../options.js';
import { linkCacheControl, type LinkServerParts, matchesEtag } from '../pipeline/cache-control.js';
import { chunkBox, chunkBytes, computedDocuments } from '../../transport/zarr/computed-documents.js';
import { digestOf } from './digest.js';
import { parseObjectKey } from './object-key.js';
import type { RequestMemory } from '../../memory/budget.js';

const claimsForm = z.object({
  format: z.literal('ZARR_SLICES'),
  slices: z.array(z.object({ name: z.string(), recipe: z.unknown() })).min(1),
  inputs: z.array(z.string()),
  coordinates: z.array(z.string()),
});

/** The slices of a signed URL. */
export interface ComputedStore {
  readonly slices: readonly { readonly name: string; readonly recipe: SliceRecipe }[];
  /** Paths of all arrays that may be read. */
  readonly inputs: readonly string[];
  /** Names of the coordinates that are shown. */
  readonly coordinates: ReadonlySet<string>;
  /** Time of expiry, in seconds since 1970. */
  readonly expires: number;
}

/** @returns undefined for the claims of another kind of link @throws InputError for invalid recipes */
export function parseComputedStore(claims: unknown, expires: number): ComputedStore | undefined {
  const parsed = claimsForm.safeParse(claims);
  if (!parsed.success) return undefined;
  const { slices, inputs, coordinates } = parsed.data;
  return {
    slices: slices.map(({ name, recipe }) => ({ name, recipe: parseRecipe(recipe) })),
    inputs,
    coordinates: new Set(coordinates),
    expires,
  };
}

/** The rights of all slices together. */
function rightsOfStore({ slices, inputs }: ComputedStore): CallerRights {
  const all = slices.map(({ recipe }) => linkRights(recipe, inputs));
  return {
    mayRead: (store, path) => all.some(({ mayRead }) => mayRead(store, path)),
    mayEnter: (store, path) => all.some(({ mayEnter }) => mayEnter(store, path)),
    mayWrite: () => false,
  };
}

type Request = ZarrRequest & { readonly memory: RequestMemory };

/** @throws NotFoundError for other keys; errors from opening and reading the slices */
export async function serveComputed(
  request: Request,
  key: string,
  store: ComputedStore,
  parts: LinkServerParts,
  charge: CallerOptions['charge'],
): Promise<RawResponse> {
  const { signal, memory } = request;
  const context = createContext(parts, { rights: rightsOfStore(store), namesNear: false, signal, memory });
  const parsed = parseObjectKey(key);
  if (parsed === undefined) throw noKey();
  const [only] = parsed.chunks;
  const wanted = parsed.document?.name === 'zarr.json' ? undefined : only;
  // A chunk needs its variable only, unless it belongs to a coordinate, which may be one of any variable.
  const needed = store.slices.filter(({ name }) => wanted === undefined || wanted.path === `/${name}`);
  const opened = await Promise.all(
    (needed.length > 0 ? needed : store.slices).map(async ({ name, recipe }) => {
      const model = await sliceFromRecipe(recipe, context);
      readablePaths(model, (path) => store.inputs.includes(path));
      return { name, model };
    }),
  );
  const set = await labelledSetOf(opened, store.coordinates, context);
  if (wanted === undefined) {
    const document = computedDocuments(set).get(parsed.key);
    if (document === undefined) throw noKey();
    const body = Buffer.from(printJson(document), 'utf8');
    const headers = headersOf('application/json', digestOf(body), store, parts);
    if (matchesEtag(request.headers.get('if-none-match'), headers['etag'] ?? ''))
      return { status: 304, headers, body: null };
    const whole = rawResponse([body], 200, headers);
    return request.method === 'HEAD' ? { ...whole, body: null } : whole;
  }
  const variable = [...set.variables, ...set.coordinates].find(({ name }) => `/${name}` === wanted.path);
  const index = /^c(?:\/\d{1,15})*$/.test(wanted.name)
    ? wanted.name.split('/').slice(1).map(Number)
    : undefined;
  const box = variable && index && chunkBox(variable, index);
  if (
    variable === undefined ||
    index === undefined ||
    box === undefined ||
    wanted.name !== ['c', ...index].join('/')
  )
    throw noKey();
  const model = opened.find(({ name }) => name === variable.name)?.model;
  const dims = box.ranges.map(({ start, stop }) => ({ kind: 'slice' as const, start, stop }));
  const part = await partOf(variable, model, { kind: 'dims', dims }, context);
  const versions = await versionsOfInputs(part.slice, { signal });
  const own = headersOf('application/octet-stream', etagOf(part.slice, versions), store, parts);
  if (own['etag'] !== undefined && matchesEtag(request.headers.get('if-none-match'), own['etag']))
    return { status: 304, headers: own, body: null };
  if (request.method === 'HEAD') return { status: 200, headers: own, body: null };
  const { decodedBytes, reducedBytes, work } = part.slice.cost();
  charge?.({ ...noCost, fields: 0, decodedBytes, reducedBytes, work });
  return rawResponse([chunkBytes(variable.name, await part.values(), box)], 200, own);
}

interface PartReading {
  readonly slice: LazySlice;
  values(): Promise<Block>;
}

/** @param model the slice of a variable; undefined for a coordinate */
async function partOf(
  { slice }: LabelledVariable,
  model: SliceModel | undefined,
  selection: Selection,
  context: GatewayContext,
): Promise<PartReading> {
  const isSingle = slice.shape.length === 0;
  if (model === undefined) {
    const part = isSingle ? slice : slice.select(selection);
    return { slice: part, values: () => context.budget.read(part, context.signal) };
  }
  const part = isSingle ? model : await sliceByStep(model, { select: selection }, context);
  return { slice: part.slice, values: () => part.read(context) };
}

/** A strong ETag, for one URL: of the metadata and stored objects of all inputs. */
function etagOf({ inputs }: LazySlice, versions: ObjectVersions | undefined): string | undefined {
  if (versions === undefined) return undefined;
  return digestOf(JSON.stringify([inputs.map(({ array }) => array.cacheKey), [...versions]]));
}

function headersOf(
  mediaType: string,
  etag: string | undefined,
  { slices: [first], expires }: ComputedStore,
  { policyOf }: LinkServerParts,
): Record<string, string> {
  const policy = first === undefined ? undefined : policyOf(first.recipe.store);
  return {
    'content-type': mediaType,
    'cache-control': linkCacheControl(etag, expires, policy),
    ...(etag === undefined ? {} : { etag }),
  };
}

function noKey(): NotFoundError {
  return new NotFoundError('no metadata document or chunk of the slice has this key');
}
