import { InputError } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { StoreModel } from '../models.js';
import { checkCount, parseCursor, printCursor } from './paging.js';

/** The type StoreConnection, with all fields resolved. */
export interface StorePage {
  readonly edges: readonly { readonly cursor: string; readonly node: StoreModel }[];
  readonly nodes: readonly StoreModel[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | undefined;
    readonly endCursor: string | undefined;
  };
  readonly totalCount: number;
}

/** Stores in configuration order; a cursor is a store's name. @throws InputError, LimitError */
export function pageOfStores(
  args: { readonly first: number; readonly after?: string | null | undefined },
  context: GatewayContext,
): StorePage {
  checkCount('first', args.first, context.gateway.limits);
  const { stores } = context;
  const start = typeof args.after === 'string' ? placeAfter(args.after, stores) : 0;
  const nodes = stores.slice(start, start + args.first).map(({ name }) => context.store(name));
  const edges = nodes.map((node) => ({ cursor: printCursor(node.name), node }));
  return {
    edges,
    nodes,
    pageInfo: {
      hasNextPage: start + nodes.length < stores.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor,
      endCursor: edges.at(-1)?.cursor,
    },
    totalCount: stores.length,
  };
}

function placeAfter(cursor: string, stores: readonly StoreModel[]): number {
  const name = parseCursor(cursor);
  const place = stores.findIndex((store) => store.name === name);
  if (place < 0) throw new InputError('"after" refers to an unknown store');
  return place + 1;
}
