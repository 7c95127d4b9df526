/** Metadata documents of groups and arrays, one of them invalid. */
import { arrayDocument } from '../gateway-client.js';

export const group = { zarr_format: 3, node_type: 'group', attributes: {} };

/** By key. Only `bad/zarr.json` is invalid. */
export const nodeTree = {
  'zarr.json': { ...group, attributes: { title: 'top', 'a.b': null, big: 1 } },
  'a/zarr.json': group,
  'a/temp/zarr.json': arrayDocument('float32', [2, 3], {
    dimension_names: ['time', null],
    attributes: { units: 'K', n: 1 },
  }),
  'a/b/zarr.json': group,
  'a/b/temp/zarr.json': arrayDocument('int64', [4], { attributes: { units: 'm', n: { x: [1, 2] } } }),
  'a-b/zarr.json': group,
  'folder/hidden/zarr.json': arrayDocument('uint8', [1]),
  'bad/zarr.json': arrayDocument('uint8', [-1]),
};
