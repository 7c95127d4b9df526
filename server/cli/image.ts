import { createGateway } from '../gateway.js';
import { type Gateway, fullAccess } from '../gateway/options.js';
import { checkColourMap } from '../pictures/palette.js';
import { InputError, isZarrError, type JsonValue, type KeyStore, NotFoundError } from '../zarr/index.js';
import { isVariableNode, parseSliceOptions } from './array-slice.js';
import { locateNode, type ReadingOptions } from './locate-node.js';
import { assertNew, writeOutput } from './output.js';
import { CommandFailure, runCommand, UsageError } from './run-command.js';

export interface ImageOptions extends ReadingOptions {
  /** Selection in NumPy's basic indexing notation. @default everything */
  readonly select?: string;
  /** Reductions, applied in order: `mean:time,lat`. */
  readonly reduce?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  /** The values of the first and the last colour: `MIN,MAX`. */
  readonly range?: string;
  readonly colorMap?: string;
  readonly log?: boolean;
  readonly method?: string;
  /** Path of the file to write. @default stdout */
  readonly output?: string;
  /** Whether existing files are replaced. @default false */
  readonly overwrite?: boolean;
  /** Path of the legend's file; no legend if omitted. */
  readonly legend?: string;
}

const DOCUMENT = `
  query Image($request: SliceRequest!, $width: Int, $height: Int, $range: ValueRange, $map: ColorMapInput, $scale: ColorScale!, $method: CoarsenMethod) {
    slices(requests: [$request]) {
      image(width: $width, height: $height, range: $range, colorMap: $map, scale: $scale, method: $method) { href legend { href } }
    }
  }`;

/**
 * `zarrql image`: draws a slice as a PNG file, as the gateway does. Draws decoded values if the array is a
 * variable of a dataset, otherwise stored values.
 */
export function image(address: string, options: ImageOptions): Promise<void> {
  return runCommand(async () => {
    if (options.output === undefined && process.stdout.isTTY)
      throw new UsageError(
        'a picture is binary, which a terminal cannot display; add --output FILE, or use a pipe',
      );
    const { reductions } = parseSliceOptions(options);
    const variables = {
      width: options.width ?? null,
      height: options.height ?? null,
      range: rangeOf(options.range),
      map: options.colorMap === undefined ? null : { name: colorMapOf(options.colorMap) },
      scale: options.log === true ? 'LOG' : 'LINEAR',
      method: options.method?.toUpperCase() ?? null,
    };
    await assertNew(options.output, options.overwrite);
    await assertNew(options.legend, options.overwrite);
    const located = await locateNode(address, options);
    const { hierarchy, node } = located;
    const gateway = gatewayOf(hierarchy.store, options);
    try {
      const request = {
        store: NAME,
        path: node.path,
        select: { text: options.select ?? '...' },
        steps: reductions.map((reduce) => ({ reduce })),
      };
      const decode = await isVariableNode(located);
      const { href, legend } = await linksOf(gateway, { ...variables, request: { ...request, decode } });
      if (options.legend !== undefined && legend === undefined)
        throw new UsageError('an RGB picture has no legend; omit --legend');
      await writeOutput([await fileOf(gateway, href)], options.output);
      if (legend !== undefined && options.legend !== undefined)
        await writeOutput([await fileOf(gateway, legend)], options.legend);
    } finally {
      await gateway.close();
    }
  });
}

const NAME = 'store';

/** Creates a gateway with higher limits than the defaults, for use by one command. */
function gatewayOf(store: KeyStore, { netcdfShuffle, trustConsolidated }: ReadingOptions): Gateway {
  const limits = {
    maxOutputBytes: 2 ** 32,
    maxDecodedBytes: 2 ** 40,
    maxReducedBytes: 2 ** 50,
    maxWork: Number.MAX_SAFE_INTEGER,
    maxHrefBytes: 2 ** 50,
    maxChunks: 1e9,
  };
  return createGateway({ stores: [{ name: NAME, store, netcdfShuffle, trustConsolidated }], limits });
}

interface PictureLinks {
  readonly href: string;
  readonly legend: string | undefined;
}

async function linksOf(
  gateway: Gateway,
  variables: Readonly<Record<string, unknown>>,
): Promise<PictureLinks> {
  const { data, errors = [] } = await gateway.execute({ document: DOCUMENT, variables }, fullAccess);
  const [error] = errors;
  if (error !== undefined) {
    const cause: unknown = error.originalError;
    if (isZarrError(cause)) throw cause;
    throw new InputError(error.message);
  }
  const slices: unknown = data?.['slices'];
  const picture: unknown = Array.isArray(slices) ? Reflect.get(Object(slices[0]), 'image') : undefined;
  const href = hrefIn(picture);
  return href === undefined ? noPicture() : { href, legend: hrefIn(Reflect.get(Object(picture), 'legend')) };
}

function hrefIn(json: unknown): string | undefined {
  const href: unknown = Reflect.get(Object(json), 'href');
  return typeof href === 'string' ? href : undefined;
}

function noPicture(): never {
  throw new NotFoundError('the gateway returned no picture of this array');
}

async function fileOf(gateway: Gateway, href: string): Promise<Uint8Array> {
  const response = await gateway.fetch(new Request(new URL(href, 'http://localhost')), fullAccess);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status === 200) return bytes;
  const body: unknown = JSON.parse(Buffer.from(bytes).toString());
  const errors: unknown = Reflect.get(Object(body), 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const message = String(Reflect.get(Object(first), 'message'));
  const code: unknown = Reflect.get(Object(Reflect.get(Object(first), 'extensions')), 'code');
  // The link is valid, so only its arguments can be at fault, or else the store.
  throw code === 'BAD_INPUT' || code === 'BAD_SELECTION'
    ? new InputError(message)
    : new CommandFailure(message);
}

/** @throws UsageError unless the text has two parts. The gateway checks that they are numbers or dates. */
function rangeOf(text: string | undefined): { readonly min: JsonValue; readonly max: JsonValue } | null {
  if (text === undefined) return null;
  const [min = '', max = '', ...others] = text.split(',').map((part) => part.trim());
  if (min === '' || max === '' || others.length > 0)
    throw new UsageError(`--range ${JSON.stringify(text)} must be two numbers or dates: 0,30`);
  const end = (part: string): JsonValue => (Number.isFinite(Number(part)) ? Number(part) : part);
  return { min: end(min), max: end(max) };
}

/** @throws InputError for an unknown name */
function colorMapOf(name: string): string {
  checkColourMap({ name });
  return name.toUpperCase();
}
