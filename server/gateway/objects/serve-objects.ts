/**
 * Zarr over HTTP: metadata documents and chunks of the nodes that the caller may read, under the keys that Zarr clients
 * use. Bytes are passed on as they are stored. Conditional requests and ranges follow RFC 9110.
 */
import { createHash } from 'node:crypto';
import type { GraphQLError } from 'graphql';
import { createContext, type GatewayContext } from '../../resolvers/context.js';
import { type CallerRights, rightsOf, seesEverything } from '../../resolvers/access/caller-rights.js';
import { rawResponse, type RawResponse } from '../../transport/response.js';
import { streamedBody } from '../../transport/time-sliced-body.js';
import { get, inTurns, LimitError, noCost, visibleText } from '../../zarr/index.js';
import { problem, problemOf } from '../link-problem.js';
import type { CallerOptions, ZarrRequest } from '../options.js';
import { cacheControlFor, type LinkServerParts, matchesEtag } from '../pipeline/cache-control.js';
import { operationFailure } from '../pipeline/record-operations.js';
import { byteRangeOf } from '../byte-range.js';
import type { RequestMemory } from '../../memory/budget.js';
import { serveComputed } from './computed-store.js';
import { etagOfContent, etagOfDigest } from '../digest.js';
import { decodedPart } from './object-key.js';
import { noObject, findObject, type FoundObject } from './find-object.js';
import { headOf, openPart } from './read-object.js';
import { openZarrLink, type ZarrLink } from './zarr-link.js';

/** Maximum size, in bytes, of a document with consolidated metadata from which hidden nodes are removed. */
const MAX_FILTERED_BYTES = 64 * 2 ** 20;
/** Memory for that, as a multiple of its size: the text, its index and the copy. */
const FILTERED_FACTOR = 4;

/** Work of each further array that is looked up for a key, which counts like a further request. */
const LOOKUP_WORK = 2 ** 20;

/** What a request may read. */
type Allowed = Pick<CallerOptions, 'shared' | 'charge' | 'loans'> & {
  readonly rights: CallerRights;
  readonly link: ZarrLink | undefined;
};

type Request = ZarrRequest & { readonly memory: RequestMemory };

/** @param show converts an error to the form that clients may see */
export function createObjectServer(
  parts: LinkServerParts,
  show: (error: unknown) => GraphQLError,
): (request: Request, caller: CallerOptions) => Promise<RawResponse> {
  return async (request, caller) => {
    try {
      const { path, signal, memory } = request;
      const slash = path.indexOf('/');
      const name = slash < 0 ? path : path.slice(0, slash);
      const opened = name.startsWith('~') ? openZarrLink(name.slice(1), parts.hrefs.keys) : undefined;
      if (opened !== undefined && 'slices' in opened)
        return await serveComputed(request, path.slice(slash + 1), opened, parts, caller.charge);
      const link = opened;
      const rights = link === undefined ? rightsOf(caller) : link.rights;
      const options = { rights, namesNear: false, signal, memory, client: caller.client };
      const context = createContext(parts, options);
      const key = slash < 0 ? '' : path.slice(slash + 1);
      const lookedUp = (): void => caller.charge?.({ ...noCost, fields: 0, work: LOOKUP_WORK });
      const found = await findObject(placeOf(name, key, request, link), context, lookedUp);
      const allowed = { rights, link, shared: caller.shared, charge: caller.charge, loans: caller.loans };
      return await respond(request, found, allowed, parts, context);
    } catch (error) {
      return problemOf(error, show, (shown) => request.observeFailure?.(operationFailure(error, shown)));
    }
  };
}

/** The store, version and key that a request names. */
function placeOf(
  name: string,
  key: string,
  { query }: Pick<ZarrRequest, 'query'>,
  link: ZarrLink | undefined,
): Parameters<typeof findObject>[0] {
  if (link === undefined) {
    const version = new URLSearchParams(query).get('at') ?? undefined;
    // No store has an empty name.
    return { name: decodedPart(name) ?? '', version, path: key };
  }
  const top = link.path === '/' ? '' : `${link.path.slice(1).split('/').map(encodeURIComponent).join('/')}/`;
  return { name: link.store, version: undefined, path: `${top}${key}` };
}

async function respond(
  request: Request,
  found: FoundObject,
  allowed: Allowed,
  parts: LinkServerParts,
  context: GatewayContext,
): Promise<RawResponse> {
  const { store, document } = found;
  const isFiltered =
    (document === 'zarr.json' || document === '.zmetadata') && !seesEverything(allowed.rights);
  const { headers, memory, method, signal } = request;
  const reading = { store: store.hierarchy.store, key: found.key, memory, signal, loans: allowed.loans };
  if (isFiltered) return filtered(request, found, document, allowed, parts, context);
  const isChunk = document === undefined;
  const range = isChunk ? byteRangeOf(headers.get('range')) : undefined;
  const isConditional = headers.get('if-none-match') !== null || headers.get('if-range') !== null;
  const head = isConditional || method === 'HEAD' ? await headOf(reading) : undefined;
  if (head === undefined && (isConditional || method === 'HEAD')) return missing(found, context);
  const headersAt = (version: string | undefined): Record<string, string> => ({
    'content-type': isChunk ? 'application/octet-stream' : 'application/json',
    ...(isChunk ? { 'accept-ranges': 'bytes' } : {}),
    ...validators(etagOf(found, version), found, allowed, parts),
  });
  if (head !== undefined) {
    const own = headersAt(head.version);
    if (own['etag'] !== undefined && matchesEtag(headers.get('if-none-match'), own['etag']))
      return { status: 304, headers: own, body: null };
    if (method === 'HEAD')
      return { status: 200, headers: { ...own, 'content-length': String(head.total) }, body: null };
  }
  const part = await openPart(
    reading,
    appliesTo(headers.get('if-range'), found, head?.version) ? range : undefined,
  );
  if (part === undefined) return missing(found, context);
  if ('unsatisfiable' in part)
    return problem('the range contains no byte of the object', 'BAD_INPUT', 416, {
      'content-range': `bytes */${part.unsatisfiable}`,
    });
  const { from, to, total, version, pieces } = part;
  allowed.charge?.({ ...noCost, fields: 0, decodedBytes: to - from });
  const isPart = range !== undefined && appliesTo(headers.get('if-range'), found, version);
  const own = {
    ...headersAt(version),
    'content-length': String(to - from),
    ...(isPart ? { 'content-range': `bytes ${from}-${to - 1}/${total}` } : {}),
  };
  return { status: isPart ? 206 : 200, headers: own, body: await streamedBody(pieces()) };
}

/** Whether a range applies: always, or with `If-Range`, to the version that the client has. */
function appliesTo(condition: string | null, found: FoundObject, version: string | undefined): boolean {
  return condition === null || condition.trim() === etagOf(found, version);
}

async function missing(found: FoundObject, { signal }: GatewayContext): Promise<never> {
  await found.confirmMissing?.(signal);
  throw noObject(found.store);
}

/** Sends a document without the nodes that the caller may not see. */
async function filtered(
  { memory, signal, headers, method }: Request,
  found: FoundObject,
  name: 'zarr.json' | '.zmetadata',
  allowed: Allowed,
  parts: LinkServerParts,
  context: GatewayContext,
): Promise<RawResponse> {
  const { store, key, path } = found;
  const head = await headOf({ store: store.hierarchy.store, key, memory, signal });
  if (head === undefined) return missing(found, context);
  if (head.total > MAX_FILTERED_BYTES)
    throw new LimitError(
      'the consolidated metadata is too large to remove the nodes that the caller may not read',
      {
        excess: [{ limit: 'maxFilteredBytes', allowed: MAX_FILTERED_BYTES, needed: head.total }],
        where: { store: store.name, path },
      },
    );
  await memory.take(FILTERED_FACTOR * head.total, { signal });
  const value = await get(store.hierarchy.store, key, { signal, maxBytes: head.total });
  if (value === undefined) return missing(found, context);
  const canRead = (node: string): boolean => allowed.rights.mayRead(store.name, node);
  const { pieces, etag } = await inTurns(
    collected(visibleText(value.bytes, name, path.slice(1), canRead)),
    signal,
  );
  allowed.charge?.({ ...noCost, fields: 0, decodedBytes: value.bytes.length });
  // The visible text determines the validator, so that it tells nothing about hidden nodes.
  const own = { 'content-type': 'application/json', ...validators(etag, found, allowed, parts) };
  if (matchesEtag(headers.get('if-none-match'), etag)) return { status: 304, headers: own, body: null };
  const response = rawResponse(pieces, 200, own);
  return method === 'HEAD' ? { ...response, body: null } : response;
}

/** Size of the parts of a document that are sent, in bytes. */
const PART_BYTES = 2 ** 16;

/** Joins the pieces to parts, and computes their digest, in steps. */
function* collected(
  text: Iterable<Uint8Array | undefined>,
): Generator<void, { readonly pieces: readonly Uint8Array[]; readonly etag: string }, void> {
  const hash = createHash('sha256');
  const pieces: Uint8Array[] = [];
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for (const whole of text) {
    if (whole === undefined) yield;
    else
      for (let from = 0; from < whole.length; from += PART_BYTES) {
        const piece = whole.subarray(from, from + PART_BYTES);
        waiting.push(piece);
        bytes += piece.length;
        if (bytes < PART_BYTES) continue;
        pieces.push(joined());
        yield;
      }
  }
  pieces.push(joined());
  return { pieces, etag: etagOfDigest(hash) };

  function joined(): Uint8Array {
    const part = Buffer.concat(waiting);
    hash.update(part);
    [waiting, bytes] = [[], 0];
    return part;
  }
}

/** `ETag` and `Cache-Control`. */
function validators(
  etag: string | undefined,
  { store }: FoundObject,
  { link, shared }: Allowed,
  { policyOf }: LinkServerParts,
): Record<string, string> {
  const policy = policyOf(store.name);
  const left = link === undefined ? Infinity : Math.max(0, Math.floor(link.expires - Date.now() / 1000));
  const isPublic = policy?.public === true && (link !== undefined || shared === true);
  const control =
    etag === undefined
      ? 'private, no-store'
      : policy?.immutable === true
        ? `${isPublic ? 'public' : 'private'}, max-age=${Math.min(YEAR_SECONDS, left)}, immutable`
        : cacheControlFor([store.name], isPublic, policyOf);
  return { 'cache-control': control, ...(etag === undefined ? {} : { etag }) };
}

const YEAR_SECONDS = 31_536_000;

/** A strong ETag; undefined for an object without a version. */
function etagOf({ store, key }: FoundObject, version: string | undefined): string | undefined {
  return version === undefined ? undefined : etagOfContent(JSON.stringify([store.name, key, version]));
}
