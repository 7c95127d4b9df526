/** Files of several slices with their coordinates, behind links: tables and NetCDF. They are streamed from one state. */
import { createContext } from '../resolvers/context.js';
import { setNeed } from '../resolvers/links/set-href.js';
import { fileNameOfSet } from '../resolvers/links/href.js';
import { setForm, isSetFormat } from '../transport/sets/set-forms.js';
import { readInParts } from '../transport/href/read-in-parts.js';
import type { RawResponse } from '../transport/response.js';
import { streamedBody } from '../transport/time-sliced-body.js';
import { InputError, type LazySlice, type ObjectVersions, versionsOfInputs } from '../zarr/index.js';
import type { RequestMemory } from '../memory/budget.js';
import type { FileRequest } from './options.js';
import { linkCacheControl, type LinkServerParts, matchesEtag } from './pipeline/cache-control.js';
import { etagOfInputs, openSignedSet, rightsOfSet, type SignedSet } from './signed-set.js';

/** @throws errors from opening the slices; LimitError, BusyError; errors from reading the first values */
export async function serveSetFile(
  request: FileRequest & { readonly memory: RequestMemory },
  signed: SignedSet,
  parts: LinkServerParts,
): Promise<RawResponse> {
  const { signal, memory } = request;
  if (!isSetFormat(signed.format))
    throw new InputError('the link contains an unknown format; request a new link');
  const context = createContext(parts, { rights: rightsOfSet(signed), namesNear: false, signal, memory });
  const { set } = await openSignedSet(signed, signed.slices, context);
  const form = setForm(signed.format);
  const file = form.open(set, signed);
  const need = setNeed(set, file, parts.limits);
  const slices = [...set.coordinates, ...set.variables].map(({ slice }) => slice);
  const versions = await versionsOf(slices, signal);
  const etag = etagOfInputs(slices, versions);
  const [first] = signed.slices;
  const policy = first === undefined ? undefined : parts.policyOf(first.recipe.store);
  const headers = {
    'content-type': form.mediaType,
    'content-disposition': `attachment; filename="${fileNameOfSet(signed.slices, form)}"`,
    'cache-control': linkCacheControl(etag, signed.expires, policy),
    'accept-ranges': 'none',
    ...(etag === undefined ? {} : { etag }),
  };
  if (etag !== undefined && matchesEtag(request.headers.get('if-none-match'), etag))
    return { status: 304, headers, body: null };
  if (request.method === 'HEAD') return { status: 200, headers, body: null };
  request.charge?.(need.readBytes);
  await memory.take(need.memoryBytes, { signal });
  const readOf = () =>
    readInParts({ limits: parts.limits, signal, maxBytes: parts.limits.maxHrefBytes, versions });
  return { status: 200, headers, body: await streamedBody(file.pieces(readOf), () => memory.passed()) };
}

/** The versions of the objects of all slices; undefined if those of one are unknown. */
async function versionsOf(
  slices: readonly LazySlice[],
  signal: AbortSignal,
): Promise<ObjectVersions | undefined> {
  const all = new Map<string, string | undefined>();
  for (const slice of slices) {
    const versions = await versionsOfInputs(slice, { signal });
    if (versions === undefined) return undefined;
    for (const [name, version] of versions) all.set(name, version);
  }
  return all;
}
