/** GraphiQL as one page that loads nothing from elsewhere. Nine megabytes, so it is loaded when somebody opens it. */
import { randomUUID } from 'node:crypto';
import type { GraphiQLOptions, Plugin } from 'graphql-yoga';
import type { StoreModel } from '../resolvers/models.js';
import { prefersPage } from '../transport/result-response.js';
import { exampleDocument } from './graphiql-examples.js';
import type { GraphiqlOptions } from './options.js';

/** Whether the page is what a request is answered by. @param accept its header */
export function isPageRequest(method: string, accept: string | null): boolean {
  return (method === 'GET' || method === 'HEAD') && prefersPage(accept);
}

/** The page stands at the address of answers, so caches have to tell them apart; what it shows of stores changes with them. */
export function usePageHeaders(): Plugin {
  return {
    onResponse({ response: { headers } }) {
      if (headers.get('content-type') !== 'text/html') return;
      headers.set('vary', 'Accept');
      headers.set('cache-control', 'private, no-cache');
    },
  };
}

/** What the page begins with. @param stores that whoever opens it may read */
export async function graphiqlOptions(
  { title = 'zarrql', defaultQuery }: GraphiqlOptions,
  request: Pick<Request, 'url'>,
  stores: readonly StoreModel[],
): Promise<GraphiQLOptions> {
  const options = { title, isHeadersEditorEnabled: true, shouldPersistHeaders: false };
  if (defaultQuery !== undefined) return { ...options, defaultQuery };
  // A query in the address is what its sender wants to be seen.
  if (new URL(request.url).searchParams.has('query')) return options;
  return { ...options, defaultQuery: await exampleDocument(stores) };
}

/**
 * Renders the page; what is the same for everybody is made once. Names of stores and arrays stand in the options, so
 * they are written such that nothing in them ends the script.
 */
export function createGraphiqlRenderer(): (
  options: GraphiQLOptions | undefined,
) => Promise<Uint8Array<ArrayBuffer>> {
  let fixed: Promise<FixedParts> | undefined;
  return async (options = {}) => {
    const { begin, middle, end } = await (fixed ??= renderFixedParts());
    const title = Buffer.from(options.title?.replaceAll('&', '&amp;').replaceAll('<', '&lt;') ?? '');
    const shown = JSON.stringify(options).replaceAll('<', String.raw`\u003c`);
    const argument = Buffer.from(`(Object.assign(JSON, nativeJson), ${shown})`);
    return new Uint8Array(Buffer.concat([begin, title, middle, argument, end]));
  };
}

/** The page around its title and its options. */
interface FixedParts {
  readonly begin: Buffer;
  readonly middle: Buffer;
  readonly end: Buffer;
}

async function renderFixedParts(): Promise<FixedParts> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const title = randomUUID();
  const page = renderGraphiQL({ title });
  const [begin, middle, end] = page.split(new RegExp(`(?<=<title>)${title}|\\{"title":"${title}"\\}`));
  if (begin === undefined || middle === undefined || end === undefined)
    throw new TypeError('the page of GraphiQL has no place for its title and options');
  const kept = middle.replace('</title>', () => `</title>${keepNativeJson}`);
  return { begin: Buffer.from(begin), middle: Buffer.from(kept), end: Buffer.from(end) };
}

/**
 * The page puts a JSON.parse of its own in the place of the browser's, which fails on numbers such as -1e34 (it takes them
 * for long integers). Long integers are text here, so the browser's is right; it is put back before the page starts.
 */
const keepNativeJson = `<script>
  const nativeJson = { parse: JSON.parse, stringify: JSON.stringify };
</script>`;
