/**
 * GraphiQL as a single page of nine megabytes that makes no requests to other origins. Created on first use. The
 * panel of stores next to GraphiQL: one script, which the build writes to dist/explorer.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GraphQLSchema } from 'graphql';
import type { StoreModel } from '../resolvers/models.js';
import { byteLengthOf, type RawResponse } from '../transport/response.js';
import { exampleOf } from '../typed/example.js';
import { matchesEtag } from './pipeline/cache-control.js';
import { exampleDocument, shapeOf } from './graphiql-examples.js';
import type { GraphiqlOptions, PageRequest } from './options.js';

/** Stores for the examples on the page. */
export interface VisibleStores {
  /** The stores that the caller may read, used in the examples. */
  readonly stores: readonly StoreModel[];
  /** The schema of the requested store; undefined if the caller may not read it. */
  readonly storeSchema?: GraphQLSchema | undefined;
}

/**
 * Creates responses with the page. Parts that are the same for all callers are created once and never copied.
 * The options of the page contain names of stores and arrays, escaped so that they cannot end the script.
 */
export function createGraphiqlPage({
  title = 'zarrql',
  defaultQuery,
  explorer,
}: GraphiqlOptions): (request: PageRequest & VisibleStores) => Promise<RawResponse> {
  let fixed: Promise<FixedParts> | undefined;
  const shownTitle = Buffer.from(title.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));

  async function optionsOf({
    query,
    store,
    stores,
    storeSchema,
  }: PageRequest & VisibleStores): Promise<Record<string, unknown>> {
    const options = { title, isHeadersEditorEnabled: true, shouldPersistHeaders: false };
    if (defaultQuery !== undefined && store === undefined) return { ...options, defaultQuery };
    // A URL with a query opens that query instead of the examples.
    if (new URLSearchParams(query).has('query')) return options;
    if (store !== undefined) {
      if (storeSchema === undefined) return options;
      const model = stores.find(({ name }) => name === store);
      return { ...options, defaultQuery: await exampleOf(storeSchema, (path) => shapeOf(model, path)) };
    }
    return { ...options, defaultQuery: await exampleDocument(stores) };
  }

  return async (request) => {
    const shown = inScript(await optionsOf(request));
    const place = inScript({ store: request.store, explorer });
    const { begin, middle, hashes, callName, panel } = await (fixed ??= renderFixedParts());
    const call = `window.zarrqlPage = ${place}; ${callName}(window.document.querySelector('#root'), (Object.assign(JSON, nativeJson), ${shown}));`;
    const body = [begin, shownTitle, middle, Buffer.from(`<script>${call}</script>`), panel];
    const scripts = [...hashes, hashOf(call)];
    const etag = `"${hashOf(JSON.stringify([title, scripts])).slice(0, 27)}"`;
    const headers = {
      etag,
      // The page shares its URL with results, and its examples depend on the stores.
      vary: 'Accept',
      'cache-control': 'private, no-cache',
      'content-security-policy': policyOf(scripts),
    };
    if (matchesEtag(request.ifNoneMatch, etag)) return { status: 304, headers, body: null };
    const length = String(byteLengthOf(body));
    return {
      status: 200,
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-length': length },
      body,
    };
  };
}

/** A value as text that cannot end the script. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** The page, split at the title and at the last script, which starts GraphiQL. */
interface FixedParts {
  readonly begin: Buffer;
  readonly middle: Buffer;
  /** Hashes of the page's scripts. */
  readonly hashes: readonly string[];
  /** Name of the function that starts the page. */
  readonly callName: string;
  /** The script of the panel of stores, and the end of the page. */
  readonly panel: Buffer;
}

async function renderFixedParts(): Promise<FixedParts> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const title = randomUUID();
  const page = renderGraphiQL({ title });
  const callName = 'YogaGraphiQL.renderYogaGraphiQL';
  const [begin, rest] = page.split(new RegExp(`(?<=<title>)${title}`));
  const call = rest?.lastIndexOf(`${callName}(`) ?? -1;
  const script = rest?.indexOf('<script>') ?? -1;
  if (begin === undefined || rest === undefined || call < 0 || script < 0 || script > call)
    throw new TypeError('the GraphiQL page has no placeholder for its title and options');
  // The panel needs the editor's API.
  const library = rest.slice(script + '<script>'.length, call).replace('globalAPI: false', 'globalAPI: true');
  const panel = readGraphiqlPanel();
  const end = '</body></html>\n';
  const middle = `${rest.slice(0, script)}<script>${KEEP_NATIVE_JSON}</script><script>${library}</script>`;
  return {
    begin: Buffer.from(begin),
    middle: Buffer.from(middle),
    hashes: [KEEP_NATIVE_JSON, library, ...(panel === undefined ? [] : [panel])].map(hashOf),
    callName,
    panel: Buffer.from(panel === undefined ? end : `<script>${panel}</script>${end}`),
  };
}

/**
 * The page replaces JSON.parse with an implementation that treats numbers such as -1e34 as long integers
 * and fails. This gateway sends long integers as strings, so the browser's implementation is correct. It is
 * restored before the page starts.
 */
const KEEP_NATIVE_JSON = 'const nativeJson = { parse: JSON.parse, stringify: JSON.stringify };';

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/**
 * Allows the page's scripts, the editor's workers (created from blobs) and styles, and requests to the gateway. Images
 * from other origins are blocked, so that viewing a result discloses nothing.
 */
function policyOf(scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map((hash) => `'sha256-${hash}'`).join(' ')} blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The built script, which is next to dist/server even if this program runs from its sources. */
const BUILT = fileURLToPath(
  new URL(
    `${import.meta.url.endsWith('.ts') ? '../../dist' : '../..'}/explorer/graphiql-panel.js`,
    import.meta.url,
  ),
);

/** @returns undefined if the panel was not built; GraphiQL then has none */
function readGraphiqlPanel(path = BUILT): string | undefined {
  if (!existsSync(path)) return undefined;
  // In an HTML page, this text would end the script.
  return readFileSync(path, 'utf8').replaceAll('</script', String.raw`<\/script`);
}
