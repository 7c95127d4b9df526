/** Lists nodes below a path as one page: the members of a group, or the results of a search. */
import { type NodeEntry, withContext } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { NodeConnectionModel, StoreModel } from '../models.js';
import { checkCount, pageOfNodes, parseCursor } from './paging.js';
import { filterNodes, type NodeConditions, type NodeFilter, parseNodeFilter } from './node-filter.js';

export interface ListingOptions {
  /** The group or folder to list. */
  readonly base: string;
  readonly recursive: boolean;
  readonly refresh: boolean;
  /** Whether to include `base` itself, and nodes below folders without metadata. */
  readonly everything: boolean;
  readonly first: number;
  readonly after: string | null | undefined;
}

/** @throws InputError, LimitError for invalid arguments; errors from listing the store */
export async function listNodes(
  store: StoreModel,
  conditions: NodeConditions,
  options: ListingOptions,
  context: GatewayContext,
): Promise<NodeConnectionModel> {
  const { base, first } = options;
  try {
    checkCount('first', first, context.gateway.limits);
    const after = typeof options.after === 'string' ? parseCursor(options.after) : undefined;
    const filter = parseNodeFilter(conditions, base);
    return await pageOfNodes(store, {
      entries: filterNodes(entriesOf(store, { ...options, filter }, after, context), filter),
      first,
      hasPreviousPage: after !== undefined,
      totalCount: () => countNodes(store, options, filter, context),
    });
  } catch (error) {
    throw withContext(error, { store: store.name, path: base });
  }
}

async function* entriesOf(
  store: StoreModel,
  options: ListingOptions & { readonly filter: NodeFilter },
  after: string | undefined,
  context: GatewayContext,
): AsyncGenerator<NodeEntry> {
  const { base, recursive, refresh, everything } = options;
  const { where } = options.filter;
  const { signal } = context;
  if (everything && after === undefined) {
    const self = await context.nodes.find(store, base);
    if (self !== undefined) {
      const { path, name, kind } = self.node;
      if (where.matches(path, kind)) yield { path, name, kind, bytes: 0, open: () => self.node };
    }
  }
  const start = after === undefined ? {} : { after };
  const looked = async (): Promise<void> => {
    context.budget.chargeListedNodes(1);
    await context.pause();
  };
  const walked = { signal, recursive, refresh, throughFolders: everything, where, looked, ...start };
  yield* store.hierarchy.walk(base, walked);
}

/** Counts nodes; undefined if counting would require further requests. */
async function countNodes(
  store: StoreModel,
  options: ListingOptions,
  filter: NodeFilter,
  context: GatewayContext,
): Promise<number | undefined> {
  const { base, recursive, refresh, everything } = options;
  if (!filter.namesOnly) return undefined;
  const { where } = filter;
  const below = await store.hierarchy.count(base, { signal: context.signal, recursive, refresh, where });
  if (below === undefined || !everything) return below;
  const self = await context.nodes.find(store, base);
  return self !== undefined && where.matches(self.node.path, self.node.kind) ? below + 1 : below;
}
