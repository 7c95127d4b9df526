/**
 * Stores whose chunks are computed on request: slices behind a signed URL as a Zarr v3 store. Each chunk is read within
 * the limits of a request, from one state of the arrays.
 */
import { createContext, type GatewayContext } from '../../resolvers/context.js';
import type { SliceModel } from '../../resolvers/models.js';
import { sliceByStep } from '../../resolvers/slices/slice-model.js';
import type { LabelledVariable } from '../../transport/labelled-set.js';
import { rawResponse, type RawResponse } from '../../transport/response.js';
import {
  type Block,
  type LazySlice,
  noCost,
  NotFoundError,
  printJson,
  type Selection,
  versionsOfInputs,
} from '../../zarr/index.js';
import type { CallerOptions, ZarrRequest } from '../options.js';
import { linkCacheControl, type LinkServerParts, matchesEtag } from '../pipeline/cache-control.js';
import { chunkBox, chunkBytes, computedDocuments } from '../../transport/zarr/computed-documents.js';
import { etagOfContent } from '../digest.js';
import { etagOfInputs, openSignedSet, rightsOfSet, type SignedSet } from '../signed-set.js';
import { parseObjectKey } from './object-key.js';
import type { RequestMemory } from '../../memory/budget.js';

type Request = ZarrRequest & { readonly memory: RequestMemory };

/** @throws NotFoundError for other keys; errors from opening and reading the slices */
export async function serveComputed(
  request: Request,
  key: string,
  store: SignedSet,
  parts: LinkServerParts,
  charge: CallerOptions['charge'],
): Promise<RawResponse> {
  const { signal, memory } = request;
  const context = createContext(parts, { rights: rightsOfSet(store), namesNear: false, signal, memory });
  const parsed = parseObjectKey(key);
  if (parsed === undefined) throw noKey();
  const [only] = parsed.chunks;
  const wanted = parsed.document?.name === 'zarr.json' ? undefined : only;
  // A chunk needs its variable only, unless it belongs to a coordinate, which may be one of any variable.
  const needed = store.slices.filter(({ name }) => wanted === undefined || wanted.path === `/${name}`);
  const slices = needed.length > 0 ? needed : store.slices;
  const { models, set } = await openSignedSet(store, slices, context);
  if (wanted === undefined) {
    const document = computedDocuments(set).get(parsed.key);
    if (document === undefined) throw noKey();
    const body = Buffer.from(printJson(document), 'utf8');
    const headers = headersOf('application/json', etagOfContent(body), store, parts);
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
  const model = models.find(({ name }) => name === variable.name)?.model;
  const dims = box.ranges.map(({ start, stop }) => ({ kind: 'slice' as const, start, stop }));
  const part = await partOf(variable, model, { kind: 'dims', dims }, context);
  const versions = await versionsOfInputs(part.slice, { signal });
  const own = headersOf('application/octet-stream', etagOfInputs([part.slice], versions), store, parts);
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

function headersOf(
  mediaType: string,
  etag: string | undefined,
  { slices: [first], expires }: SignedSet,
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
