/** A store some of whose objects are read only after the test has opened them. */
import type { KeyStore } from '../../server/zarr/index.js';

export interface GatedStore {
  readonly store: KeyStore;
  /** Lets reads of the held objects continue. */
  open(): void;
}

/** @param isHeld whether reads of the object wait */
export function gateStore(inner: KeyStore, isHeld: (key: string) => boolean): GatedStore {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const store: KeyStore = {
    ...inner,
    async getMany(requests, each, options) {
      if (requests.some(({ key }) => isHeld(key))) await opened;
      return inner.getMany(requests, each, options);
    },
  };
  return { store, open: () => open() };
}
