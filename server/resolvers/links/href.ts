/** Links to the values of a slice as files, pictures, legends and map tiles. */
import type { RecipeSource, SliceRecipe } from '../../analysis/recipe.js';
import { MAX_TOKEN_CHARACTERS, signToken, type TokenClaims } from '../../transport/href/token.js';
import type { FileForm } from '../../transport/forms/form.js';
import { fileForm, type FileFormat } from '../../transport/forms/forms.js';
import {
  assertReadable,
  type ErrorContext,
  exceededOf,
  InputError,
  type LazySlice,
  LimitError,
  type Limits,
  streamedCost,
} from '../../zarr/index.js';
import type { GatewayContext, HrefSettings } from '../context.js';
import { requestTooLarge } from '../../memory/busy-error.js';
import { bytesOfFile } from '../../memory/needs.js';
import { REQUEST_BYTES } from '../../memory/sizes.js';
import { chargedOutput } from '../charge.js';
import type { GatewayLimits } from '../limits.js';
import type { SliceModel } from '../models.js';
import { readablePaths } from '../access/link-rights.js';
import { parentPath } from '../nodes/node-loader.js';
import { legendForm, pictureForm } from '../../pictures/picture-form.js';
import type { LegendSubject } from '../../pictures/legend/draw-legend.js';
import type { Painting } from '../../pictures/paint/painting.js';
import type { PictureStyle } from '../../pictures/picture-style.js';
import type { TileStyle } from '../../pictures/tiles/tile-claims.js';

/** What links require: settings and limits, the caller's rights, and the memory that the request has needed so far. */
interface LinkContext {
  readonly gateway: Pick<GatewayContext['gateway'], 'hrefs' | 'limits'> & {
    readonly memory: Pick<GatewayContext['gateway']['memory'], 'maxRequestBytes'>;
  };
  readonly rights: GatewayContext['rights'];
  readonly budget: Pick<GatewayContext['budget'], 'preparedBytes'>;
}

/** The signed content of a link. */
interface HrefClaims {
  /** Time of expiry, in seconds since 1970. */
  readonly expires: number;
  readonly recipe: SliceRecipe;
  readonly format: FileFormat | 'PNG' | 'LEGEND';
  /** Style of the picture. Required for the format PNG. */
  readonly picture?: PictureStyle;
  /** Colours of the legend. Required for the format LEGEND. */
  readonly painting?: Painting;
  /** Paths of the arrays to read; omitted if the recipe's array is the only one. */
  readonly inputs?: readonly string[];
}

/**
 * Creates a link to the values of a slice as a file. Reads nothing.
 * @throws ForbiddenError unless the caller may read every array involved; UnsupportedError if the file form
 *   does not support the data type; LimitError if the download exceeds a limit; InputError if the selection
 *   is too long for a link
 */
export function hrefOf(model: SliceModel, format: FileFormat, context: LinkContext): string {
  const form = fileForm(format);
  const inputs = assertLinkable(model, form, context);
  const settings = context.gateway.hrefs;
  const expires = Math.floor((Date.now() + settings.lifetimeMs) / 1000);
  return linkTo(model, { expires, recipe: model.recipe, format, ...inputs }, form, settings);
}

/**
 * Creates a link to a picture. Repeated calls return the same link for some time, so that caches work.
 * Reads nothing.
 * @param model the values to draw
 * @throws errors from `hrefOf`
 */
export function hrefOfPicture(model: SliceModel, picture: PictureStyle, context: LinkContext): string {
  return linkToPicture(model, pictureForm(picture), { format: 'PNG', picture }, context);
}

/**
 * Creates a link to the legend of a picture, as `hrefOfPicture` does.
 * @param model the values in the picture
 * @throws errors from `hrefOf`, except LimitError
 */
export function hrefOfLegend(model: SliceModel, legend: LegendSubject, context: LinkContext): string {
  return linkToPicture(model, legendForm(legend), { format: 'LEGEND', painting: legend.painting }, context);
}

function linkToPicture(
  model: SliceModel,
  form: FileForm,
  picture: Pick<HrefClaims, 'format' | 'picture' | 'painting'>,
  context: LinkContext,
): string {
  const inputs = assertLinkable(model, form, context);
  const settings = context.gateway.hrefs;
  const expires = expiryInPeriods(Date.now(), settings.lifetimeMs);
  return linkTo(model, { expires, recipe: model.recipe, ...picture, ...inputs }, form, settings);
}

/**
 * Creates the path of tiles, to which their coordinates are appended. Repeated calls return the same path for
 * some time. Reads nothing.
 * @throws InputError if the operations are too long for a link
 */
export function tilesPathOf(
  { slice, recipe }: SliceModel,
  tiles: TileStyle,
  { gateway: { hrefs: settings } }: Pick<GatewayContext, 'gateway'>,
): string {
  const expires = expiryInPeriods(Date.now(), settings.lifetimeMs);
  const claims = { expires, recipe, format: 'TILES', tiles };
  return `${settings.publicUrl}${settings.tilesPath}${signClaims(claims, slice, settings)}/`;
}

/** Signs a link to a file of several slices. @throws InputError if it is too long */
export function linkToSet(
  claims: Readonly<Record<string, unknown>>,
  name: string,
  where: ErrorContext,
  settings: HrefSettings,
): string {
  const expires = Math.floor((Date.now() + settings.lifetimeMs) / 1000);
  return `${settings.publicUrl}${settings.path}${signClaims({ expires, ...claims }, { where }, settings)}/${name}`;
}

/** Number of periods in the lifetime of a link. Within a period, the link stays the same. */
const PERIODS = 4;

/**
 * The end of the current period: between three quarters of a lifetime and a lifetime from now, for lifetimes of
 * at least four seconds.
 * @returns seconds since 1970
 */
function expiryInPeriods(nowMs: number, lifetimeMs: number): number {
  const periodMs = Math.max(1000, lifetimeMs / PERIODS);
  return Math.floor((Math.floor((nowMs + lifetimeMs) / periodMs) * periodMs) / 1000);
}

/**
 * Checks that the caller may create the link. Returns the arrays to list in it.
 * @throws errors from `hrefOf`
 */
function assertLinkable(
  model: SliceModel,
  form: FileForm,
  { gateway: { limits, memory }, rights, budget }: LinkContext,
): Pick<HrefClaims, 'inputs'> {
  const { store, slice, recipe } = model;
  const inputs = readablePaths(model, (path) => rights.mayRead(store.name, path));
  assertReadable(slice);
  assertMayDownload(slice, form, limits);
  assertFits(slice, form, memory.maxRequestBytes, budget.preparedBytes() + labelBytes(model, form));
  form.open(slice, {});
  return inputs.length === 1 && inputs[0] === recipe.path ? {} : { inputs };
}

/** Upper bound on the memory of the labels that a table of decoded values shows, in bytes. */
function labelBytes({ slice, source }: SliceModel, form: FileForm): number {
  if (form.name !== 'CSV' || (source.decode === undefined && source.compute === undefined)) return 0;
  return slice.origin.shape.reduce((sum, size) => sum + size * LABEL_BYTES, 0);
}

/** A stored label, its key, and its value while it is compared. */
const LABEL_BYTES = 40;

/**
 * Checks that a download fits in the memory of one request: otherwise it would be rejected whenever the link is followed.
 * @param prepared memory of the positions and labels of the slice
 * @throws LimitError if it does not fit
 */
function assertFits(slice: LazySlice, form: FileForm, allowed: number, prepared: number): void {
  if (form.readsNoValues === true) return;
  const needed = REQUEST_BYTES + prepared + bytesOfFile(slice, form);
  if (needed > allowed) throw requestTooLarge(allowed, needed);
}

function linkTo(
  { slice, recipe }: SliceModel,
  claims: HrefClaims,
  form: FileForm,
  settings: HrefSettings,
): string {
  const token = signClaims({ ...claims }, slice, settings);
  return `${settings.publicUrl}${settings.path}${token}/${fileName(recipe, form)}`;
}

function signClaims(
  claims: TokenClaims & Readonly<Record<string, unknown>>,
  { where }: Pick<LazySlice, 'where'>,
  { keys }: HrefSettings,
): string {
  const token = signToken(claims, keys[0]);
  if (token.length > MAX_TOKEN_CHARACTERS)
    throw new InputError(
      `the link would need a token of ${token.length} characters; ` +
        `at most ${MAX_TOKEN_CHARACTERS} are allowed, because long lists of indices do not fit in a URL, ` +
        'and neither do large geometries; use ranges or steps, or request "values"',
      { where },
    );
  return token;
}

/**
 * Checks the limits of a download. The limit on decoded bytes is `maxHrefBytes` plus the limit of an ordinary
 * request.
 * @throws LimitError if the download exceeds a limit
 */
export function assertMayDownload(slice: LazySlice, form: FormCost, limits: GatewayLimits): void {
  if (form.readsNoValues === true) return;
  const { outputBytes, allocatedBytes, decodedBytes, reducedBytes, work, chunkBytes } = streamedCost(
    slice,
    limits,
  );
  const excess = exceededOf([
    {
      limit: 'maxHrefBytes',
      allowed: limits.maxHrefBytes,
      needed: chargedOutput(slice, outputBytes ?? allocatedBytes),
    },
    {
      limit: 'maxHrefBytes',
      allowed: limits.maxHrefBytes + limits.maxDecodedBytes,
      needed: decodedBytes * passesOver(slice, form),
    },
    { limit: 'maxDecodedBytes', allowed: limits.maxDecodedBytes, needed: chunkBytes },
    { limit: 'maxReducedBytes', allowed: limits.maxReducedBytes, needed: reducedBytes },
    { limit: 'maxWork', allowed: limits.maxWork, needed: work },
  ]);
  const [first] = excess;
  if (first === undefined) return;
  throw new LimitError(
    `the download is too large: ${first.limit} allows ` +
      `${first.allowed}${first.limit === 'maxWork' ? '' : ' bytes'}, but ${first.needed} are needed; ` +
      'select fewer elements, or create several links',
    { excess, where: slice.where },
  );
}

/**
 * Planned cost of a whole download: the decoded bytes, or the written bytes if there are more (points, fill
 * values).
 */
export function downloadBytes(slice: LazySlice, form: FormCost, limits: Limits): number {
  const { outputBytes, allocatedBytes, decodedBytes, reducedBytes, work } = streamedCost(slice, limits);
  const output = chargedOutput(slice, outputBytes ?? allocatedBytes);
  return Math.max(decodedBytes * passesOver(slice, form) + reducedBytes + work, output);
}

/** What a form says about the cost of a file. */
type FormCost = Pick<FileForm, 'readsNoValues' | 'passes'>;

function passesOver({ dtype }: LazySlice, form: FormCost): number {
  return form.passes?.(dtype) ?? 1;
}

/**
 * The array's name (the store's, for a root array), made safe for every system, with the form's extension.
 */
export function fileName({ store, path }: RecipeSource, { extension }: Pick<FileForm, 'extension'>): string {
  const name = path.split('/').at(-1);
  const plain = (name === undefined || name === '' ? store : name)
    .replace(/[^A-Za-z0-9_.-]/g, '_')
    .replace(/^\.+/, '_');
  return `${plain.slice(0, 100)}${extension}`;
}

/** The name of the only variable, or of the group of several. */
export function fileNameOfSet(
  slices: readonly { readonly recipe: SliceRecipe }[],
  form: Pick<FileForm, 'extension'>,
): string {
  const [first, ...others] = slices;
  if (first === undefined) throw new TypeError('a link has at least one slice');
  const { store, path } = first.recipe;
  return fileName({ store, path: others.length === 0 ? path : (parentPath(path) ?? path) }, form);
}
