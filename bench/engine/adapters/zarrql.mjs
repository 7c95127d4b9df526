/** This project's engine, from dist/, without the cache of decoded chunks. */
import { engineEntry } from '../../folders.mjs';
import { runAdapter } from './operations.mjs';

const { createFilesystemStore, openHierarchy, openStoreFromUrl } = await import(engineEntry);
const zstd = [{ name: 'zstd', configuration: { level: 3, checksum: false } }];
const blosc = { cname: 'lz4', clevel: 5, shuffle: 'shuffle', typesize: 2, blocksize: 0 };
const codecs = {
  raw: [],
  zstd,
  shard: zstd,
  gzip: [{ name: 'gzip', configuration: { level: 5 } }],
  blosc: [{ name: 'blosc', configuration: blosc }],
};

function hierarchyOf(store) {
  // With cached bytes, only the first repetition would read anything.
  if (store.startsWith('s3://')) return openHierarchy(openStoreFromUrl('bench', store, { cacheBytes: 0 }));
  return openHierarchy(createFilesystemStore({ label: 'bench', root: store, writable: true }));
}

function dimSelection(dim) {
  if (dim === null) return { kind: 'slice' };
  if (typeof dim === 'number') return { kind: 'index', index: dim };
  return { kind: 'slice', start: dim[0], stop: dim[1] };
}

function requestOf(codec, shape) {
  const request = { shape, dtype: 'uint16', chunkShape: [64, 64, 64], fillValue: 0 };
  if (codec === 'blosc-v2')
    return {
      ...request,
      codecs: { compressor: { id: 'blosc', cname: 'lz4', clevel: 5, shuffle: 1 }, filters: null },
    };
  const chain = [{ name: 'bytes', configuration: { endian: 'little' } }, ...codecs[codec]];
  if (codec !== 'shard') return { ...request, codecs: chain };
  return { ...request, chunkShape: [32, 32, 32], shardShape: [256, 256, 256], codecs: chain };
}

await runAdapter({
  open: (store) => hierarchyOf(store).array('/'),
  async read(array, dims) {
    const { bytes } = await array.select({ kind: 'dims', dims: dims.map(dimSelection) }).read();
    return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  },
  // Threads write to shared memory directly.
  reader(array) {
    const slice = array.select({ kind: 'all' });
    const out = new Uint8Array(
      new SharedArrayBuffer(2 * array.shape.reduce((count, size) => count * size, 1)),
    );
    return async () => {
      await slice.read({ out });
      return new Uint16Array(out.buffer);
    };
  },
  async write(store, codec, shape, values) {
    const zarrFormat = codec === 'blosc-v2' ? 2 : 3;
    const array = await hierarchyOf(store).createArray('/', requestOf(codec, shape), { zarrFormat });
    await array.select({ kind: 'dims', dims: [] }).write({ shape, data: values });
  },
  async countArrays(store) {
    let count = 0;
    for await (const node of hierarchyOf(store).walk('/', { recursive: true })) {
      if (node.kind !== 'array') continue;
      const array = node.open();
      if (array.meta.shape.length > 0 && array.meta.dtypeName !== '') count++;
    }
    return count;
  },
});
