import { errorCodes } from '../../wire/error-codes.js';
import { nextTurn, NotFoundError } from '../zarr/index.js';
import type { GatewayContext } from './context.js';
import type { GatewayResolvers, QueryResolvers } from './generated/types.js';
import { jobOf, jobsOf } from './jobs/job.js';
import { parseGlobalId } from './nodes/global-id.js';
import { variableOf } from './datasets/dataset.js';
import { datasetById, dimensionOf, partById } from './datasets/dataset-id.js';
import type { IdentifiedModel } from './models.js';
import { checkCount } from './nodes/paging.js';
import { requestedSlice } from './slices/slice-model.js';
import { pageOfStores } from './nodes/node.js';
import { storeAt } from './versions/store-versions.js';

export const gatewayResolvers: GatewayResolvers = { errorCodes: () => errorCodes };

/** Number of slices whose fields are executed in one turn of the event loop, so that their reads are joined. */
const AT_ONCE = 128;

export const queryResolvers: QueryResolvers = {
  gateway: (_, __, context) => context.gateway,
  stores: (_, args, context) => pageOfStores(args, context),
  store: (_, { name, at }, context) => (at ? storeAt(name, at, context) : context.pinned(name)),
  job: (_, { id }, context) => jobOf(id, context),
  jobs: (_, { first }, context) => jobsOf(first, context),
  node: (_, { id }, context) => nodeById(id, context),
  nodes(_, { ids }, context) {
    checkCount('ids', ids.length, context.gateway.limits);
    return ids.map((id) => nodeById(id, context));
  },
  slices(_, { requests }, context) {
    checkCount('requests', requests.length, context.gateway.limits);
    let turn: Promise<void> | undefined;
    return requests.map((request, i) => {
      if (i > 0 && i % AT_ONCE === 0) turn = turn === undefined ? nextTurn() : turn.then(nextTurn);
      return turn === undefined
        ? requestedSlice(request, context)
        : turn.then(() => requestedSlice(request, context));
    });
  },
};

/** @throws NotFoundError for an id without an object; errors from opening it */
export async function nodeById(id: string, context: GatewayContext): Promise<IdentifiedModel> {
  const parsed = parseGlobalId(id);
  if (parsed === undefined) throw new NotFoundError(`"${id.slice(0, 100)}" is not an id of this gateway`);
  if (parsed.kind === 'dataset') return datasetById(parsed, context);
  if (parsed.kind === 'variable' || parsed.kind === 'dimension') {
    const { dataset, name } = await partById(parsed, context);
    return parsed.kind === 'variable' ? variableOf(dataset, name) : dimensionOf(dataset, name);
  }
  const store = await context.pinned(parsed.store);
  return parsed.kind === 'store' ? store : context.nodes.node(store, parsed.path);
}
