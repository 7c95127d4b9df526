/** Pagination of lists (Relay's cursor connections, forwards). */
import { InputError, LimitError, type NodeEntry } from '../../zarr/index.js';
import type { PageInfo, ZarrNodeConnectionResolvers, ZarrNodeEdgeResolvers } from '../generated/types.js';
import type { GatewayLimits } from '../limits.js';
import type { NodeConnectionModel, NodeEntryModel, StoreModel } from '../models.js';
import { modelOf } from './node-loader.js';

/** @throws InputError for a negative count, LimitError for one beyond `maxFirst` */
export function checkCount(name: string, count: number, limits: GatewayLimits): void {
  if (count < 0) throw new InputError(`"${name}" is ${count}; it must not be negative`);
  if (count > limits.maxFirst)
    throw new LimitError(
      `"${name}" requests ${count} entries; at most ${limits.maxFirst} are allowed; request several pages`,
      {
        excess: [{ limit: 'maxFirst', allowed: limits.maxFirst, needed: count }],
      },
    );
}

export function printCursor(position: string): string {
  return Buffer.from(position, 'utf8').toString('base64url');
}

/** @throws InputError for text that `printCursor` did not write */
export function parseCursor(cursor: string): string {
  const position = Buffer.from(cursor, 'base64url').toString('utf8');
  if (position === '' || printCursor(position) !== cursor)
    throw new InputError('"after" is not a cursor; use the endCursor of the previous page');
  return position;
}

export interface NodeListing {
  /** The entries from the start of the page, lazily and in order. */
  readonly entries: AsyncIterable<NodeEntry>;
  readonly first: number;
  readonly hasPreviousPage: boolean;
  totalCount(): Promise<number | undefined>;
}

/**
 * Total size of metadata documents, in bytes, after which a page ends early, because entries hold their
 * documents until the response is written.
 */
const MAX_PAGE_BYTES = 16 * 2 ** 20;

/** Collects the first entries as a page. Reads one more entry to determine whether there is a next page. */
export async function pageOfNodes(store: StoreModel, listing: NodeListing): Promise<NodeConnectionModel> {
  const entries: NodeEntryModel[] = [];
  let hasNextPage = false;
  let bytes = 0;
  for await (const entry of listing.entries) {
    hasNextPage = entries.length === listing.first || (entries.length > 0 && bytes > MAX_PAGE_BYTES);
    if (hasNextPage) break;
    bytes += entry.bytes;
    entries.push(entryModel(store, entry));
  }
  return {
    entries,
    hasNextPage,
    hasPreviousPage: listing.hasPreviousPage,
    totalCount: () => listing.totalCount(),
  };
}

function entryModel(store: StoreModel, entry: NodeEntry): NodeEntryModel {
  let opening: ReturnType<NodeEntryModel['open']> | undefined;
  // A promise, so that an error while opening one node does not fail the page.
  const open = () => Promise.resolve(entry).then((opened) => modelOf(store, opened.open()));
  return { cursor: printCursor(entry.path), entry, open: () => (opening ??= open()) };
}

interface Page {
  readonly entries: readonly { readonly cursor: string }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

export function pageInfoOf({ entries, hasNextPage, hasPreviousPage }: Page): PageInfo {
  const [startCursor, endCursor] = [entries[0]?.cursor, entries.at(-1)?.cursor];
  return { hasNextPage, hasPreviousPage, startCursor, endCursor };
}

export const nodeConnectionResolvers: ZarrNodeConnectionResolvers = {
  edges: ({ entries }) => entries,
  nodes: ({ entries }) => entries.map((entry) => entry.open()),
  pageInfo: pageInfoOf,
  totalCount: (connection) => connection.totalCount(),
};

export const nodeEdgeResolvers: ZarrNodeEdgeResolvers = {
  node: (entry) => entry.open(),
};
