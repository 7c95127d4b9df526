/** Paginated listings and changes of a store as asynchronous sequences. */
import { RequestError, TransportError, rejectMalformed, type GatewayError } from '../errors.js';
import {
  MembersDocument,
  SearchDocument,
  StoresDocument,
  type AttributeMatch,
  type NodeFieldsFragment,
  type NodeKind,
  type PageFieldsFragment,
  ChangesDocument,
  type ChangeKind,
} from '../generated/operations.js';
import { isList, isRecord } from '../json/json.js';
import { type Connection, type PartialResult, requireResult } from '../transport/connection.js';
import type { RequestOptions } from '../transport/document.js';
import type { NodeLocation } from '../writing/mutations.js';
import { parseNodeSummary, type NodeSummary, type StoreInfo } from './info.js';

export interface ListOptions extends RequestOptions {
  /** Entries per page. @default 100 */
  readonly pageSize?: number | undefined;
}

export interface NodeListOptions extends ListOptions {
  /**
   * Called for each node that cannot be opened; the listing continues. If undefined, the first such error
   * is thrown after the other nodes of its page.
   */
  readonly onError?: ((error: GatewayError) => void) | undefined;
}

export interface MembersOptions extends NodeListOptions {
  readonly kind?: NodeKind | undefined;
  /** Pattern of paths: `*` does not match a slash, `**` does. */
  readonly match?: string | undefined;
  /** Whether to list all levels below. @default false */
  readonly recursive?: boolean | undefined;
  /** Whether to list the store instead of using consolidated metadata. @default false */
  readonly refresh?: boolean | undefined;
}

export interface SearchOptions extends NodeListOptions {
  readonly kind?: NodeKind | undefined;
  readonly match?: string | undefined;
  /** Only arrays of this data type. */
  readonly dtype?: string | undefined;
  /** Only arrays with a dimension of this name. */
  readonly dimension?: string | undefined;
  /** Only nodes with this attribute, optionally with a given value. */
  readonly attribute?: AttributeMatch | undefined;
}

interface Page<T> {
  readonly pageInfo: PageFieldsFragment;
  readonly nodes: readonly T[];
}

const DEFAULT_PAGE_SIZE = 100;

/** Maximum number of pages, so that a faulty gateway cannot cause an infinite loop. */
export const MAX_PAGES = 100_000;

export function endlessListing(): TransportError {
  return new TransportError('BAD_RESPONSE', `the listing did not end after ${MAX_PAGES} pages`);
}

export function listStores(connection: Connection, options: ListOptions = {}): AsyncIterable<StoreInfo> {
  return pages(async function* (after) {
    const variables = { first: options.pageSize ?? DEFAULT_PAGE_SIZE, after };
    const { stores } = await connection.requestJson(StoresDocument, variables, options);
    yield* rejectMalformed(() => [...stores.nodes]);
    return stores.pageInfo;
  });
}

export function listMembers(
  connection: Connection,
  store: string,
  path: string,
  options: MembersOptions = {},
): AsyncIterable<NodeSummary> {
  const { kind, match, recursive = false, refresh = false, pageSize: first = DEFAULT_PAGE_SIZE } = options;
  return pages(async function* (after) {
    const variables = { store, path, kind, match, recursive, refresh, first, after };
    const result = await connection.queryJson(MembersDocument, variables, options);
    return yield* nodesOf(result, (data) => data.store?.group?.members, options);
  });
}

export function listSearch(
  connection: Connection,
  store: string,
  options: SearchOptions = {},
): AsyncIterable<NodeSummary> {
  const { kind, match, dtype, dimension, attribute, pageSize: first = DEFAULT_PAGE_SIZE } = options;
  return pages(async function* (after) {
    const variables = { store, kind, match, dtype, dimension, attribute, first, after };
    const result = await connection.queryJson(SearchDocument, variables, options);
    return yield* nodesOf(result, (data) => data.store?.search, options);
  });
}

/** Fetches pages until the last one. A repeated cursor also ends the listing. */
async function* pages<T>(
  readPage: (after: string | undefined) => AsyncGenerator<T, PageFieldsFragment>,
): AsyncGenerator<T, void> {
  let after: string | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    const page = yield* readPage(after);
    const next = rejectMalformed(() => (page.hasNextPage ? page.endCursor : null));
    if (next === null || next === after) return;
    after = next;
  }
  throw endlessListing();
}

async function* nodesOf<R>(
  result: PartialResult<R>,
  pageOf: (data: R) => Page<NodeFieldsFragment | null> | null | undefined,
  options: NodeListOptions,
): AsyncGenerator<NodeSummary, PageFieldsFragment> {
  const page = result.data === null || result.data === undefined ? undefined : pageOf(result.data);
  const [first, ...others] = result.errors;
  if (!page && first !== undefined) throw new RequestError([first, ...others], result.data);
  const { nodes, pageInfo } = requireResult(page, 'the listing');
  for (const node of rejectMalformed(() => [...nodes])) if (node !== null) yield parseNodeSummary(node);
  if (first !== undefined && options.onError === undefined)
    throw new RequestError([first, ...others], result.data);
  for (const error of result.errors) options.onError?.(error);
  return pageInfo;
}

export interface Change {
  /** Identifies the change; see `after` of `changes`. */
  readonly id: string;
  readonly kind: ChangeKind;
  /** Path of the node. */
  readonly path: string;
  /** For DATA: a region that contains all written values, one range per dimension. Else null. */
  readonly region: readonly { readonly start: number; readonly stop: number }[] | null;
}

export interface ChangesOptions extends Pick<RequestOptions, 'signal'> {
  /**
   * The `id` of the last change of an earlier iteration, which may have been served by another replica: changes after
   * it follow. LIMIT_EXCEEDED if some of them are no longer known.
   */
  readonly after?: string | undefined;
}

const kinds: readonly ChangeKind[] = ['CREATED', 'UPDATED', 'DATA', 'RESIZED', 'DELETED'];

export async function* watchChanges(
  connection: Connection,
  { store, path }: NodeLocation,
  { signal, after }: ChangesOptions = {},
): AsyncGenerator<Change, void> {
  const variables = { store, path, ...(after === undefined ? {} : { after }) };
  for await (const { data, errors } of connection.subscribe(ChangesDocument, variables, { signal })) {
    const [first, ...others] = errors;
    if (first !== undefined) throw new RequestError([first, ...others], data);
    yield parseChange(data?.['changes']);
  }
}

function parseChange(change: unknown): Change {
  const kind = isRecord(change) ? kinds.find((name) => name === change['kind']) : undefined;
  if (
    !isRecord(change) ||
    kind === undefined ||
    typeof change['path'] !== 'string' ||
    typeof change['id'] !== 'string'
  )
    throw new TransportError('BAD_RESPONSE', 'malformed change event in the subscription');
  const { id, path, region } = change;
  return { id, kind, path, region: isList(region) ? region.map(parseRange) : null };
}

function parseRange(range: unknown): { start: number; stop: number } {
  const { start, stop } = isRecord(range) ? range : {};
  return { start: Number(start), stop: Number(stop) };
}
