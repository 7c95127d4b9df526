import type { StoredObject } from '../../server/zarr/store/store.js';

export const text = (value: string): Uint8Array => new TextEncoder().encode(value);
export const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

export async function collect(objects: AsyncIterable<StoredObject>): Promise<StoredObject[]> {
  const all: StoredObject[] = [];
  for await (const object of objects) all.push(object);
  return all;
}
