/**
 * Files behind links: values of a slice, streamed part by part, with ETag, ranges and caching. The link grants the
 * right to read; its store must still be configured.
 */
import { createHash } from 'node:crypto';
import type { GraphQLError } from 'graphql';
import * as z from 'zod';
import { parseRecipe, type SliceRecipe } from '../analysis/recipe.js';
import { createContext, type GatewayContext, type GatewayParts } from '../resolvers/context.js';
import { ForbiddenError } from '../resolvers/access/caller-rights.js';
import { linkRights, readablePaths } from '../resolvers/access/link-rights.js';
import { assertMayDownload, downloadBytes, fileName } from '../resolvers/links/href.js';
import type { SliceModel } from '../resolvers/models.js';
import { subjectOf } from '../resolvers/pictures/picture.js';
import { labelTexts } from '../dataset/labels/label-texts.js';
import { operationScope, sliceFromRecipe } from '../resolvers/slices/slice-model.js';
import { legendForm, pictureForm } from '../pictures/picture-form.js';
import { legendSubjectOf, parseLegendPainting } from '../pictures/legend/stops.js';
import { parseStyle } from '../pictures/picture-style.js';
import type { FileForm, FileOptions, SliceFile } from '../transport/forms/form.js';
import { fileForm, isFileFormat } from '../transport/forms/forms.js';
import { readInParts } from '../transport/href/read-in-parts.js';
import { openToken } from '../transport/href/token.js';
import { rawResponse, type RawResponse } from '../transport/response.js';
import { streamedBody } from '../transport/time-sliced-body.js';
import type { RequestMemory } from '../memory/budget.js';
import { bytesOfFile } from '../memory/needs.js';
import {
  guardSlice,
  InputError,
  type JsonObject,
  type LazySlice,
  type Limits,
  type ObjectVersions,
  printJson,
  type SliceStreamOptions,
  versionsOfInputs,
} from '../zarr/index.js';
import { parseByteRange } from './byte-range.js';
import { ExpiredError, problem, problemOf } from './link-problem.js';
import { operationFailure } from './pipeline/record-operations.js';
import { linkCacheControl, type LinkServerParts, matchesEtag } from './pipeline/cache-control.js';
import type { CachePolicy, FileRequest } from './options.js';
import { serveSetFile } from './set-files.js';
import { parseSignedSet, type SignedSet } from './signed-set.js';

interface OpenedHref extends Omit<Link, 'formOf'> {
  readonly form: FileForm;
  readonly slice: LazySlice;
  readonly file: SliceFile;
  readonly name: string;
  /** See `recipeKey`. */
  readonly key: string;
  readonly decodedBy: JsonObject | undefined;
  /** Versions of the metadata of all arrays that are read. */
  readonly metadata: readonly (string | undefined)[];
}

/**
 * Serves only files behind links.
 * @param show converts an error to the form that clients may see
 */
export function createFileServer(
  parts: LinkServerParts,
  show: (error: unknown) => GraphQLError,
): (request: FileRequest & { readonly memory: RequestMemory }) => Promise<RawResponse> {
  return async (request) => {
    try {
      const { signal, memory } = request;
      const link = readLink(request, parts);
      if ('slices' in link) return await serveSetFile(request, link, parts);
      // Anyone may follow a link, so errors must not reveal more than the link does.
      const options = { rights: linkRights(link.recipe, link.inputs), namesNear: false, signal, memory };
      const context = createContext(parts, options);
      const opened = await openLink(link, parts, context);
      return await respond(request, opened, parts, context);
    } catch (error) {
      return problemOf(error, show, (shown) => request.observeFailure?.(operationFailure(error, shown)));
    }
  };
}

/** The token of a link; undefined for paths that are not links. @param folder the path of all files */
export function fileTokenOf(path: string, folder: string): string | undefined {
  return path.startsWith(folder) ? path.slice(folder.length).split('/')[0] : undefined;
}

/** The contents of a link whose signature and time are valid. */
interface Link {
  readonly recipe: SliceRecipe;
  /** Paths of the arrays that it may read. */
  readonly inputs: readonly string[];
  /** Returns the form of the file. The form of a legend includes the title and units of the slice. */
  readonly formOf: (model: SliceModel) => FileForm;
  /** Time of expiry, in seconds since 1970. */
  readonly expires: number;
}

/** @throws ForbiddenError for an invalid signature; ExpiredError; InputError for invalid contents */
function readLink({ token }: FileRequest, { hrefs }: GatewayParts): Link | SignedSet {
  const opened = openToken(token, hrefs.keys, Date.now() / 1000);
  if (opened.kind === 'expired') throw new ExpiredError();
  if (opened.kind === 'forged')
    throw new ForbiddenError('the link was not signed with a key of this gateway; request a new link');
  const set = parseSignedSet(opened.claims, opened.expires);
  if (set !== undefined) return set;
  const recipe = parseRecipe(opened.claims['recipe']);
  const inputs = parseInputs(opened.claims['inputs'] ?? [recipe.path]);
  return { recipe, inputs, formOf: parseForm(opened.claims), expires: opened.expires };
}

async function openLink(link: Link, { limits }: GatewayParts, context: GatewayContext): Promise<OpenedHref> {
  const { recipe, inputs, formOf, expires } = link;
  const model = await sliceFromRecipe(recipe, context);
  const form = formOf(model);
  // The metadata may have changed since the link was created, and may refer to other arrays.
  const paths = readablePaths(model, (path) => inputs.includes(path));
  const nodes = await Promise.all(paths.map((path) => context.nodes.array(model.store, path)));
  const metadata = nodes.map(({ node }) => node.version);
  assertMayDownload(model.slice, form, limits);
  const { slice, ...labels } = await withLabels(model, form, context);
  const file = form.open(slice, labels);
  const name = fileName(recipe, form);
  const { decodedBy } = model;
  return { recipe, inputs, form, expires, slice, file, name, key: model.key(), decodedBy, metadata };
}

/**
 * The labels that a table of decoded values shows. The slice then depends on their values: its version changes with them.
 * @throws errors from reading coordinates
 */
async function withLabels(
  model: SliceModel,
  form: FileForm,
  context: GatewayContext,
): Promise<{ readonly slice: LazySlice } & Pick<FileOptions, 'labels' | 'beside'>> {
  const { slice, source } = model;
  if (form.name !== 'CSV' || (source.decode === undefined && source.compute === undefined)) return { slice };
  const { texts, beside, known } = await labelTexts(slice, operationScope(model, context));
  const hasNone = texts.every((text) => text === undefined) && beside.every(({ length }) => length === 0);
  return hasNone ? { slice } : { slice: guardSlice(slice, known), labels: texts, beside };
}

function parseInputs(inputs: unknown): readonly string[] {
  const parsed = inputsForm.safeParse(inputs);
  if (parsed.success) return parsed.data;
  throw new InputError('the link contains an invalid list of arrays; request a new link');
}

const inputsForm = z.array(z.string());

function parseForm({
  format,
  picture,
  painting,
}: Readonly<Record<string, unknown>>): (model: SliceModel) => FileForm {
  if (format === 'LEGEND') {
    const parsed = parseLegendPainting(painting);
    return (model) => legendForm(legendSubjectOf(subjectOf(model), parsed));
  }
  const form =
    format === 'PNG' ? pictureForm(parseStyle(picture)) : isFileFormat(format) ? fileForm(format) : undefined;
  if (form === undefined) throw new InputError('the link contains an unknown format; request a new link');
  return () => form;
}

async function respond(
  request: FileRequest,
  opened: OpenedHref,
  { limits, policyOf }: LinkServerParts,
  context: GatewayContext,
): Promise<RawResponse> {
  const { signal, memory } = context;
  const { slice, file, form } = opened;
  const versions = form.readsNoValues === true ? noVersions : await versionsOfInputs(slice, { signal });
  const etag = versions === undefined ? undefined : etagOf(opened, versions);
  const headers = headersOf(opened, etag, policyOf(opened.recipe.store));
  if (etag !== undefined && matchesEtag(request.headers.get('if-none-match'), etag))
    return { status: 304, headers, body: null };

  const total = file.byteLength;
  const range = total === undefined ? undefined : rangeOf(request, total, etag);
  if (range === 'unsatisfiable')
    return problem('the range contains no byte of the file', 'BAD_INPUT', 416, {
      'content-range': `bytes */${total}`,
    });
  const { from, to } = range ?? { from: 0, to: total ?? 0 };
  if (total !== undefined) headers['content-length'] = String(to - from);
  if (range !== undefined) headers['content-range'] = `bytes ${from}-${to - 1}/${total}`;
  const status = range === undefined ? 200 : 206;
  if (request.method === 'HEAD') return { status, headers, body: null };
  if (form.readsNoValues === true) {
    // A legend is drawn without reading values, so it is neither charged nor kept in the result cache.
    await memory.take(form.ownBytes?.(slice) ?? 0, { signal });
    return drawnPicture(opened, headers, versions, undefined, context);
  }
  request.charge?.(plannedBytes(opened, limits, total === undefined ? 1 : (to - from) / Math.max(1, total)));
  await memory.take(bytesOfFile(slice, form), { signal });
  if (opened.form.isPicture === true) return drawnPicture(opened, headers, versions, etag, context);
  const read = readInParts({ limits, signal, maxBytes: limits.maxHrefBytes, versions });
  // The first piece is created before the status is sent, so that a file that cannot be read gets an error status.
  return { status, headers, body: await streamedBody(file.pieces(read, from, to), () => memory.passed()) };
}

/** The versions for files that do not depend on values. */
const noVersions: ObjectVersions = new Map();

/**
 * Maximum decoded size, in bytes, of a picture whose chunks are cached. The chunks of larger pictures are
 * reduced in the decoding threads, which halves the time.
 */
const MAX_KEPT_BYTES = 8 * 2 ** 20;

/** Pictures are small and requested often, so they are cached as long as the values are unchanged. */
async function drawnPicture(
  { slice, file }: OpenedHref,
  headers: Readonly<Record<string, string>>,
  versions: ObjectVersions | undefined,
  etag: string | undefined,
  { results, signal, gateway: { limits } }: GatewayContext,
): Promise<RawResponse> {
  const draw = async (
    stop: AbortSignal | undefined,
    onVersion?: SliceStreamOptions['onVersion'],
  ): Promise<readonly Uint8Array[]> => {
    const keepChunks = slice.cost().decodedBytes <= MAX_KEPT_BYTES;
    const maxBytes = limits.maxHrefBytes;
    const read = readInParts({ limits, signal: stop, maxBytes, versions, onVersion, keepChunks });
    const pieces: Uint8Array[] = [];
    for await (const piece of file.pieces(read, 0, 0))
      pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
    return pieces;
  };
  const pieces =
    etag === undefined
      ? await draw(signal)
      : await results.pictures.get({ key: etag, inputs: slice.inputs, versions, run: draw }, signal);
  return rawResponse(pieces, 200, headers);
}

/** @param share fraction of the file; at least one chunk is decoded for it */
function plannedBytes({ slice, form }: OpenedHref, limits: Limits, share: number): number {
  const bytes = downloadBytes(slice, form, limits);
  return Math.min(bytes, Math.max(bytes * share, slice.cost().chunkBytes));
}

function headersOf(
  { form, file, name, expires }: OpenedHref,
  etag: string | undefined,
  policy: CachePolicy | undefined,
): Record<string, string> {
  return {
    'content-type': form.mediaType,
    'content-disposition': `${form.isPicture === true ? 'inline' : 'attachment'}; filename="${name}"`,
    ...(form.isPicture === true ? { 'cross-origin-resource-policy': 'cross-origin' } : {}),
    'cache-control': linkCacheControl(etag, expires, policy),
    'accept-ranges': file.byteLength === undefined ? 'none' : 'bytes',
    ...(etag === undefined ? {} : { etag }),
  };
}

/** A strong ETag of the slice, its decoding, the metadata of every array read and every stored object. */
function etagOf({ form, key, slice, decodedBy, metadata }: OpenedHref, versions: ObjectVersions): string {
  const about = [
    form.name,
    form.variant ?? null,
    key,
    slice.dtypeName,
    slice.shape,
    metadata.map((version) => version ?? null),
  ];
  const hash = createHash('sha256')
    .update(JSON.stringify(about))
    .update(printJson(decodedBy ?? null));
  for (const [name, version] of versions) hash.update(JSON.stringify([name, version ?? null]));
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}

/** The requested range. With `If-Range`, it applies only to the client's version. */
function rangeOf(
  request: FileRequest,
  total: number,
  etag: string | undefined,
): ReturnType<typeof parseByteRange> {
  const condition = request.headers.get('if-range');
  if (condition !== null && condition.trim() !== etag) return undefined;
  return parseByteRange(request.headers.get('range'), total);
}
