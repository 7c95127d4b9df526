/** The stores of a gateway as jobs see them, with the rights of the caller who started the job. */
import { locationOf } from '../../jobs/location.js';
import type { JobStore, JobStores } from '../../jobs/stores.js';
import { NotFoundError } from '../../zarr/index.js';
import { assertMayWrite, type CallerRights, visibleStore } from '../access/caller-rights.js';
import type { GatewayParts } from '../context.js';
import type { StoreModel } from '../models.js';
import { assertServedWritable } from '../mutations/mutation-target.js';
import { baseName, snapshotOf } from '../nodes/store-name.js';

export function gatewayStores({ stores }: Pick<GatewayParts, 'stores'>, rights: CallerRights): JobStores {
  const find = (name: string): StoreModel => {
    const store = visibleStore(stores, rights, baseName(name));
    if (store === undefined) throw new NotFoundError('no store has this name', { where: { store: name } });
    return store;
  };
  return {
    async source(name, signal) {
      const store = find(name);
      const { history } = store;
      if (history === undefined)
        return { ...namedStore(store), location: await locationOf(store.hierarchy.store) };
      const snapshot = snapshotOf(name) ?? (await history.resolve(undefined, { signal }));
      return { ...namedStore(history.at(snapshot)), isFixed: true };
    },
    async destination({ store: name, path }) {
      const store = find(name);
      assertMayWrite(rights, store.name, path);
      assertServedWritable(store);
      const location = await locationOf(store.hierarchy.store);
      return { ...namedStore(store), location, begin: beginOf(store) };
    },
  };
}

function namedStore({ name, hierarchy }: StoreModel): Pick<JobStore, 'name' | 'hierarchy'> {
  return { name, hierarchy };
}

function beginOf({ history }: StoreModel): JobStore['begin'] {
  if (history?.begin === undefined) return undefined;
  const begin = history.begin.bind(history);
  return async (options) => {
    const changes = await begin(options);
    return {
      hierarchy: changes.store.hierarchy,
      commit: (message) => changes.commit(message),
      discard: () => changes.discard(),
    };
  };
}
