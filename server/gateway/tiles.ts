/**
 * Map tiles behind links, and their description as TileJSON. As with files, the link grants permission to
 * read.
 */
import { createHash } from 'node:crypto';
import type { GraphQLError } from 'graphql';
import type { Computation } from '../analysis/result-cache.js';
import { parseRecipe, type SliceRecipe } from '../analysis/recipe.js';
import { drawTile, emptyTile, slicesOfTile } from '../pictures/tiles/draw-tile.js';
import {
  planTile,
  degreesPerPixel,
  isTile,
  type TileAddress,
  TILE_SIZE,
} from '../pictures/tiles/plan-tile.js';
import { levelFor, parseTileStyle, type TileLevel, type TileStyle } from '../pictures/tiles/tile-claims.js';
import { tileJson } from '../pictures/tiles/tile-json.js';
import { bytesOfDownload } from '../memory/needs.js';
import { createContext, type GatewayContext } from '../resolvers/context.js';
import { ForbiddenError } from '../resolvers/access/caller-rights.js';
import { linkRights, readablePaths } from '../resolvers/access/link-rights.js';
import type { SliceModel } from '../resolvers/models.js';
import { planOfTile, type TileGrid, tileGridOf } from '../resolvers/pictures/tile-grid.js';
import { sliceFromRecipe } from '../resolvers/slices/slice-model.js';
import { captionOf } from '../pictures/subject.js';
import { subjectOf } from '../resolvers/pictures/picture.js';
import { openToken } from '../transport/href/token.js';
import { readInParts } from '../transport/href/read-in-parts.js';
import { rawResponse, type RawResponse } from '../transport/response.js';
import {
  assertWithinLimits,
  type LazySlice,
  type ObjectVersions,
  printJson,
  versionsOfInputs,
} from '../zarr/index.js';
import { ExpiredError, problem, problemOf } from './link-problem.js';
import type { TileRequest } from './options.js';
import {
  type PolicyOf,
  linkCacheControl,
  type LinkServerParts,
  matchesEtag,
} from './pipeline/cache-control.js';
import { operationFailure } from './pipeline/record-operations.js';

interface TileLink {
  readonly recipe: SliceRecipe;
  readonly style: TileStyle;
  /** Time of expiry, in seconds since 1970. */
  readonly expires: number;
}

/** The slice of one level, opened with the rights of the link. */
interface OpenedLevel {
  readonly model: SliceModel;
  readonly grid: TileGrid;
  readonly context: GatewayContext;
  /** Versions of the metadata of all arrays that are read. */
  readonly metadata: readonly (string | undefined)[];
}

const pngHeaders = { 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' };

/** Serves only map tiles. @param show converts an error to the form that clients may see */
export function createTileServer(
  parts: LinkServerParts,
  show: (error: unknown) => GraphQLError,
): (request: TileRequest) => Promise<RawResponse> {
  return async (request) => {
    try {
      const link = readLink(request, parts);
      if (request.path === 'tile.json') return await describe(request, link, parts);
      const tile = parseTile(request.path);
      if (tile === undefined)
        return problem(
          `unknown tile ${JSON.stringify(request.path.slice(0, 100))}; expected a path such as "3/4/2.png"`,
          'NOT_FOUND',
          404,
        );
      return await respond(request, link, tile, parts);
    } catch (error) {
      return problemOf(error, show, (shown) => request.observeFailure?.(operationFailure(error, shown)));
    }
  };
}

/** The token of tiles and the rest of the path; undefined for other paths. @param folder the path of all tiles */
export function tilePathOf(
  path: string,
  folder: string,
): { readonly token: string; readonly path: string } | undefined {
  if (!path.startsWith(folder)) return undefined;
  const [token = '', ...rest] = path.slice(folder.length).split('/');
  return { token, path: rest.join('/') };
}

interface RequestedTile extends TileAddress {
  readonly pixels: number;
}

function parseTile(path: string): RequestedTile | undefined {
  const match = /^(\d{1,2})\/(\d{1,8})\/(\d{1,8})(@2x)?\.png$/.exec(path);
  if (match === null) return undefined;
  const [z = 0, x = 0, y = 0] = match.slice(1, 4).map(Number);
  const pixels = match[4] === undefined ? TILE_SIZE : 2 * TILE_SIZE;
  return isTile({ z, x, y }) ? { z, x, y, pixels } : undefined;
}

/** @throws ForbiddenError for an invalid signature or a link of another kind; ExpiredError; InputError for bad contents */
function readLink({ token }: TileRequest, { hrefs }: LinkServerParts): TileLink {
  const opened = openToken(token, hrefs.keys, Date.now() / 1000);
  if (opened.kind === 'expired') throw new ExpiredError();
  if (opened.kind === 'forged')
    throw new ForbiddenError('the link was not signed with a key of this gateway; request a new link');
  if (opened.claims['format'] !== 'TILES')
    throw new ForbiddenError('the link is not a link to tiles; use the URL as the gateway returned it');
  return {
    recipe: parseRecipe(opened.claims['recipe']),
    style: parseTileStyle(opened.claims['tiles']),
    expires: opened.expires,
  };
}

async function openLevel(
  { signal, memory, charge }: TileRequest,
  { recipe: own }: TileLink,
  { path, inputs = [path] }: TileLevel,
  parts: LinkServerParts,
): Promise<OpenedLevel> {
  const recipe = { ...own, path };
  // Anyone may follow a link, so errors must not reveal more than the link does.
  const options = { rights: linkRights(recipe, inputs), namesNear: false, signal, memory };
  const context = createContext(parts, options);
  const model = await sliceFromRecipe(recipe, context);
  // The metadata may have changed since the link was created, and may refer to other arrays.
  const paths = readablePaths(model, (input) => inputs.includes(input));
  const nodes = await Promise.all(paths.map((path) => context.nodes.array(model.store, path)));
  const grid = await tileGridOf(model, context);
  if (!grid.paths.every((path) => inputs.includes(path)))
    throw new ForbiddenError('the link does not permit reading the coordinates; request a new link', {
      store: recipe.store,
    });
  // Every tile needs the coordinates, including empty and unchanged ones.
  charge?.(grid.latitudes.edges.byteLength + grid.longitudes.edges.byteLength);
  return { model, grid, context, metadata: nodes.map(({ node }) => node.version) };
}

async function respond(
  request: TileRequest,
  link: TileLink,
  tile: RequestedTile,
  parts: LinkServerParts,
): Promise<RawResponse> {
  const { style } = link;
  const { pixels } = tile;
  const level = await openLevel(request, link, levelFor(style, degreesPerPixel(tile.z, pixels)), parts);
  const { model, grid, context } = level;
  const { signal, memory } = context;
  const plan = await planOfTile(grid, tile, pixels);
  if (plan === undefined)
    return respondWith(request, link, `"empty-${pixels}"`, parts.policyOf, async () => [
      await emptyTile(pixels),
    ]);
  const slices = slicesOfTile(model.slice, plan, grid.axes, style.method);
  for (const slice of slices) assertWithinLimits(slice.cost(), parts.limits);
  const inputs = slices.flatMap((slice) => slice.inputs);
  const versions = await versionsOfInputs({ inputs }, { signal });
  const etag = versions === undefined ? undefined : etagOf(link, tile, level, versions);
  return respondWith(request, link, etag, parts.policyOf, async () => {
    request.charge?.(slices.reduce((sum, slice) => sum + plannedBytes(slice), 0));
    const needed = slices.map((slice) => bytesOfDownload(slice));
    await memory.take(Math.max(...needed) + pixels * pixels * BYTES_PER_PIXEL, { signal });
    const draw: Computation<readonly Uint8Array[]>['run'] = async (stop, onVersion) => [
      await drawTile(
        slices,
        plan,
        grid.axes,
        style.painting,
        pixels,
        readInParts({
          limits: parts.limits,
          signal: stop,
          maxBytes: parts.limits.maxHrefBytes,
          versions,
          onVersion,
        }),
      ),
    ];
    if (etag === undefined) return draw(signal, () => undefined);
    return context.results.pictures.get({ key: etag, inputs, versions, run: draw }, signal);
  });
}

/** Memory per pixel: the codes of the values, and of the pixels. */
const BYTES_PER_PIXEL = 12;

function plannedBytes(slice: LazySlice): number {
  const { decodedBytes, reducedBytes, work, outputBytes, allocatedBytes } = slice.cost();
  return Math.max(decodedBytes + reducedBytes + work, outputBytes ?? allocatedBytes);
}

async function respondWith(
  request: TileRequest,
  { recipe, expires }: TileLink,
  etag: string | undefined,
  policyOf: PolicyOf,
  draw: () => Promise<readonly Uint8Array[]>,
): Promise<RawResponse> {
  const headers = {
    ...pngHeaders,
    'cache-control': linkCacheControl(etag, expires, policyOf(recipe.store)),
    ...(etag === undefined ? {} : { etag }),
  };
  if (etag !== undefined && matchesEtag(request.headers.get('if-none-match'), etag))
    return { status: 304, headers, body: null };
  if (request.method === 'HEAD') return { status: 200, headers, body: null };
  return rawResponse(await draw(), 200, headers);
}

/**
 * An ETag computed from the recipe, the style and grid of the tiles, and the versions of all stored
 * objects.
 */
function etagOf(
  { style }: TileLink,
  { z, x, y, pixels }: RequestedTile,
  { model, grid, metadata }: OpenedLevel,
  versions: ObjectVersions,
): string {
  const { painting, method } = style;
  const about = [
    'TILE',
    [z, x, y, pixels],
    painting,
    method,
    grid.key,
    model.key(),
    model.slice.dtypeName,
    metadata.map((version) => version ?? null),
  ];
  const hash = createHash('sha256')
    .update(JSON.stringify(about))
    .update(printJson(model.decodedBy ?? null));
  for (const [name, version] of versions) hash.update(JSON.stringify([name, version ?? null]));
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}

async function describe(request: TileRequest, link: TileLink, parts: LinkServerParts): Promise<RawResponse> {
  const [finest] = link.style.levels;
  const { model, grid } = await openLevel(request, link, finest, parts);
  const { title } = captionOf(subjectOf(model));
  const base = parts.hrefs.publicUrl === '' ? (request.origin ?? '') : parts.hrefs.publicUrl;
  const template = `${base}${parts.hrefs.tilesPath}${request.token}/{z}/{x}/{y}.png`;
  const isAllowed = (tile: TileAddress): boolean => {
    const level = levelFor(link.style, degreesPerPixel(tile.z, TILE_SIZE));
    if (level !== finest) return true;
    // A tile of cells of two dimensions may need all of them.
    if (grid.cells !== undefined) return model.slice.exceeded(parts.limits).length === 0;
    const plan = planTile(grid, tile, TILE_SIZE);
    if (plan === undefined) return true;
    const slices = slicesOfTile(model.slice, plan, grid.axes, link.style.method);
    return slices.every((slice) => slice.exceeded(parts.limits).length === 0);
  };
  const text = `${JSON.stringify(tileJson({ grid, title, template, isAllowed }))}\n`;
  const seconds = Math.max(0, Math.floor(link.expires - Date.now() / 1000));
  return rawResponse([Buffer.from(text)], 200, {
    'content-type': 'application/json; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': `private, max-age=${Math.min(seconds, 60)}`,
  });
}
