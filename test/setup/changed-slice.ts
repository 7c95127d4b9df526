import type { LazySlice } from '../../server/zarr/index.js';

/** A slice with some other members, for example a method that counts its calls. */
export function changedSlice<S extends LazySlice>(slice: S, changes: Partial<S>): S {
  return new Proxy(slice, {
    get(target, key) {
      if (key in changes) return Reflect.get(changes, key);
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
