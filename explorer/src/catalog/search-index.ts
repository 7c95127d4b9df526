/** What the search compares with the typed words: paths, titles, units and other attributes of the nodes of a store. */
import { type JsonObject, type JsonValue, typedDocument } from 'zarrql-client';
import { client, tokenVersion } from '../gateway/client.js';

interface FoundNode {
  readonly path: string;
  readonly attributes?: JsonObject | null;
  /** Of an array. */
  readonly shape?: readonly (number | string | bigint)[];
}

interface SearchData {
  readonly store: {
    readonly search: {
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      readonly nodes: readonly (FoundNode | null)[];
    } | null;
  } | null;
}

interface SearchVariables {
  readonly store: string;
  readonly match: string | null;
  readonly first: number;
  readonly after: string | null;
}

const searchDocument = typedDocument<SearchData, SearchVariables>(
  'SearchNodes',
  'query SearchNodes($store: String!, $match: String, $first: Int!, $after: String) { ' +
    'store(name: $store) { search(match: $match, first: $first, after: $after) { ' +
    'pageInfo { hasNextPage endCursor } nodes { path ... on ZarrGroup { attributes } ... on ZarrArray { attributes shape } } } } }',
);

export interface Entry {
  readonly path: string;
  /** Undefined for a group. */
  readonly shape: readonly number[] | undefined;
  readonly title: string | undefined;
  /** In lower case. */
  readonly text: string;
}

export interface SearchIndex {
  readonly entries: readonly Entry[];
  /** Whether the store has more nodes than the index. */
  readonly isPartial: boolean;
}

const PAGE = 500;
/** Maximum number of nodes of a store in the index. */
const MAX_NODES = 5000;
/** Longer values of attributes, such as histories, are cut. */
const MAX_TEXT = 300;
/** How long an index is used, in ms. */
const MAX_AGE_MS = 60_000;

const indexes = new Map<string, { readonly until: number; readonly index: SearchIndex }>();

/** The index of a store, read again after a minute. */
export async function indexOf(store: string, signal: AbortSignal): Promise<SearchIndex> {
  // Another token may see other nodes.
  const key = `${tokenVersion.peek()} ${store}`;
  const known = indexes.get(key);
  if (known !== undefined && known.until > performance.now()) return known.index;
  const index = await readNodes(store, null, MAX_NODES, signal);
  indexes.set(key, { until: performance.now() + MAX_AGE_MS, index });
  return index;
}

/** The nodes whose path matches a pattern of the gateway, at most `most`. */
export async function readNodes(
  store: string,
  match: string | null,
  most: number,
  signal: AbortSignal,
): Promise<SearchIndex> {
  const entries: Entry[] = [];
  let after: string | null = null;
  for (;;) {
    const first = Math.min(PAGE, most - entries.length);
    const { nodes, next }: NodePage = await readPage({ store, match, first, after }, signal);
    entries.push(...nodes.map(entryOf));
    if (next === null || entries.length >= most) return { entries, isPartial: next !== null };
    after = next;
  }
}

interface NodePage {
  readonly nodes: readonly FoundNode[];
  /** Cursor of the next page; null after the last one. */
  readonly next: string | null;
}

/** Nodes that cannot be read are omitted. */
async function readPage(variables: SearchVariables, signal: AbortSignal): Promise<NodePage> {
  const { data, errors } = await client.query(searchDocument, variables, { signal });
  const found = data?.store?.search;
  if (found === null || found === undefined)
    throw errors[0] ?? new Error(`${variables.store} cannot be searched`);
  const { hasNextPage, endCursor } = found.pageInfo;
  return { nodes: found.nodes.filter((node) => node !== null), next: hasNextPage ? endCursor : null };
}

function entryOf({ path, attributes, shape }: FoundNode): Entry {
  const values = Object.entries(attributes ?? {});
  const title = ['title', 'long_name', 'standard_name'].map((name) => attributes?.[name]).find(isText);
  return {
    path,
    shape: shape?.map(Number),
    title,
    text: [path, ...values.flatMap(([name, value]) => [name, textOf(value)])].join('\n').toLowerCase(),
  };
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_TEXT) : '';
}

/** The entries that contain each of the words, those with a word in the path first. */
export function matchesOf(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = entries.filter(({ text }) => words.every((word) => text.includes(word)));
  const inPath = ({ path }: Entry) => words.some((word) => path.toLowerCase().includes(word));
  return [...matches.filter(inPath), ...matches.filter((entry) => !inPath(entry))];
}
