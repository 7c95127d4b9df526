import type { JobStatus } from '../jobs/job-service.js';
import { NotFoundError, parseNodePath, type StoredChange } from '../zarr/index.js';
import type { ChangeModel } from './models.js';
import { printGlobalId } from './nodes/global-id.js';
import type { ChangeEvent, ChangeInterest } from './changes/change-feed.js';
import { jobOf, visibleJob } from './jobs/job.js';
import { watchJob } from './jobs/job-feed.js';
import type { GatewayContext } from './context.js';
import type {
  ChangeKind,
  Resolvers,
  SubscriptionChangesArgs,
  SubscriptionResolvers,
} from './generated/types.js';

export const subscriptionResolvers: SubscriptionResolvers = {
  changes: {
    subscribe: (_, { store, path, after }, context) =>
      context.gateway.changes.subscribe(
        { ...interestOf(store, path, context), after: after ?? undefined },
        context.signal,
      ),
    // Resolved again for every event, because the caller's permissions may change.
    resolve: async (change: ChangeEvent, { store }: SubscriptionChangesArgs, context: GatewayContext) => ({
      store: await context.pinned(store),
      change,
    }),
  },
  jobProgress: {
    async subscribe(_, { id }, context) {
      const { jobs } = context.gateway;
      const status = await jobOf(id, context);
      if (jobs === undefined) throw new NotFoundError('the gateway runs no jobs');
      return watchJob(jobs, status, context.signal);
    },
    // As above: rights are checked for every event.
    resolve: (status: JobStatus, _: unknown, context: GatewayContext) => visibleJob(status, context),
  },
};

/** @throws NotFoundError for a node that the caller may not read; InputError for an invalid path */
function interestOf(name: string, path: string, context: GatewayContext): ChangeInterest {
  const store = context.store(name).name;
  const canonical = parseNodePath(path);
  const { mayRead, mayEnter } = context.rights;
  const interest: ChangeInterest = {
    client: context.client,
    store,
    path: canonical,
    canRead: (changed) => mayRead(store, changed),
    canTraverse: (entered) => mayEnter(store, entered),
  };
  if (interest.canTraverse(canonical)) return interest;
  throw new NotFoundError('no node at this path', { where: { store, path: canonical } });
}

const kinds: Readonly<Record<StoredChange['kind'], ChangeKind>> = {
  created: 'CREATED',
  updated: 'UPDATED',
  data: 'DATA',
  resized: 'RESIZED',
  deleted: 'DELETED',
};

const changeFields = {
  id: ({ change }: ChangeModel) => change.id,
  kind: ({ change }: ChangeModel) => kinds[change.kind],
  path: ({ change }: ChangeModel) => change.path,
  node: ({ store, change }: ChangeModel, _: unknown, { nodes }: GatewayContext) =>
    nodes.find(store, change.path),
};

const changeTypes = {
  created: 'CreatedChange',
  updated: 'UpdatedChange',
  data: 'DataChange',
  resized: 'ResizedChange',
  deleted: 'DeletedChange',
} as const;

export const changeResolvers = {
  Change: { __resolveType: ({ change }) => changeTypes[change.kind] },
  CreatedChange: changeFields,
  UpdatedChange: changeFields,
  DataChange: { ...changeFields, region: ({ change }) => change.region },
  ResizedChange: changeFields,
  DeletedChange: {
    ...changeFields,
    deletedId: ({ store, change }) => printGlobalId({ kind: 'node', store: store.name, path: change.path }),
  },
} satisfies Resolvers;
