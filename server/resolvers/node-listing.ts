/** Lists nodes below a path as one page: members of a group, and what a search of a store finds. */
import { atPlace, type NodeEntry } from '../zarr/index.js';
import type { GatewayContext } from './context.js';
import type { NodeConnectionModel, StoreModel } from './models.js';
import { filterNodes, type NodeConditions, type NodeFilter, parseNodeFilter } from './node-filter.js';
import { checkCount, pageOfNodes, parseCursor } from './paging.js';

export interface ListingOptions {
  /** The group or folder below which to look. */
  readonly base: string;
  readonly recursive: boolean;
  readonly refresh: boolean;
  /** Also below folders without metadata, and `base` itself. */
  readonly everything: boolean;
  readonly first: number;
  readonly after: string | null | undefined;
}

/** @throws InputError, LimitError for wrong arguments; what listing the store throws */
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
      entries: filterNodes(entriesOf(store, options, after, context), filter),
      first,
      hasPreviousPage: after !== undefined,
      totalCount: () => countNodes(store, options, filter, context),
    });
  } catch (error) {
    throw atPlace(error, { store: store.name, path: base });
  }
}

async function* entriesOf(
  store: StoreModel,
  options: ListingOptions,
  after: string | undefined,
  context: GatewayContext,
): AsyncGenerator<NodeEntry> {
  const { base, recursive, refresh, everything } = options;
  const { signal } = context;
  if (everything && after === undefined) {
    const self = await context.nodes.find(store, base);
    if (self !== undefined) {
      const { path, name, kind } = self.node;
      yield { path, name, kind, open: () => self.node };
    }
  }
  const place = after === undefined ? {} : { after };
  const walked = { signal, recursive, refresh, throughFolders: everything, ...place };
  for await (const entry of store.hierarchy.walk(base, walked)) {
    context.budget.chargeListedNodes(1);
    await context.breathe();
    yield entry;
  }
}

/** Only where it takes no more than is known already. */
async function countNodes(
  store: StoreModel,
  options: ListingOptions,
  filter: NodeFilter,
  context: GatewayContext,
): Promise<number | undefined> {
  const { base, recursive, refresh, everything } = options;
  const known = await store.hierarchy.count(base, { signal: context.signal, recursive, refresh });
  if (known === undefined || !filter.namesOnly) return undefined;
  if (filter.passesAll && !everything) return known;
  let count = 0;
  for await (const entry of entriesOf(store, options, undefined, context)) if (filter.passes(entry)) count++;
  return count;
}
