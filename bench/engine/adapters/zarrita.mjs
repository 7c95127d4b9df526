/** zarrita on local files, with default options. */
import { importPeer } from '../../folders.mjs';
import { runAdapter } from './operations.mjs';

const zarr = await importPeer('zarrita');
const { default: FileSystemStore } = await importPeer('@zarrita/storage', './fs');

await runAdapter({
  open(store, codec) {
    const root = zarr.root(new FileSystemStore(store));
    return codec.endsWith('v2')
      ? zarr.open.v2(root, { kind: 'array' })
      : zarr.open.v3(root, { kind: 'array' });
  },
  async read(array, dims) {
    const selection = dims.map((dim) => (Array.isArray(dim) ? zarr.slice(dim[0], dim[1]) : dim));
    const values = await zarr.get(array, selection);
    return typeof values === 'object' ? values.data : values;
  },
  async countArrays(store, codec) {
    if (codec.endsWith('-listed')) return undefined;
    const listed = await zarr.withConsolidatedMetadata(new FileSystemStore(store), { format: codec });
    const root = await zarr.open(listed, { kind: 'group' });
    let count = 0;
    for (const node of listed.contents()) {
      if (node.kind !== 'array') continue;
      const array = await zarr.open(root.resolve(node.path), { kind: 'array' });
      if (array.shape.length > 0 && array.dtype !== '') count++;
    }
    return count;
  },
});
