/** Attributes of multiscale images, and their parser. */
import { parseMultiscales } from '../../../server/dataset/multiscales.js';
import { createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';

/** Parses the images of a group "p" with the given attributes. */
export async function multiscalesOf(attributes: object, text = JSON.stringify(attributes)) {
  const store = createMemoryStore({ label: 'm' });
  await store.set('p/zarr.json', Buffer.from(`{"zarr_format":3,"node_type":"group","attributes":${text}}`));
  return parseMultiscales(await openHierarchy(store).group('p'));
}

export const axes = (...names: string[]) => names.map((name) => ({ name, type: 'space' }));

const axis = (name: string, type: string) => ({ name, type, unit: undefined });

export const tczyx = [
  axis('t', 'time'),
  axis('c', 'channel'),
  axis('z', 'space'),
  axis('y', 'space'),
  axis('x', 'space'),
];
