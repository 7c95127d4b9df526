/** Nodes as JSON, with the names of the GraphQL schema. */
import { isZarrError, numpyDescr, numpyTypestr, type StorageUse, type ZarrArray } from '../zarr/index.js';
import type { TreeNode } from './node-tree.js';

/** Undefined members are omitted. Integers beyond 2^53 - 1 are bigints, which JSON writes as strings. */
export function nodeJson({ path, name, kind, node }: TreeNode, storage: StorageUse | undefined): object {
  if (isZarrError(node)) return { path, name, kind, error: { code: node.code, message: node.message } };
  const shared = { path, name, kind, zarrFormat: node.meta.zarrFormat, attributes: node.meta.attributes };
  if (node.kind === 'group') return { ...shared, consolidated: node.consolidated };
  return { ...shared, ...arrayJson(node), ...(storage === undefined ? {} : { storage }) };
}

function arrayJson(array: ZarrArray): object {
  const { meta, shape, chunkShape, chunkCounts, shardShape, dimensionNames } = array;
  const { dtype, chain } = meta;
  return {
    shape,
    nbytes:
      dtype.itemSize === null
        ? null
        : shape.reduce((product, size) => product * BigInt(size), BigInt(dtype.itemSize)),
    dtype: {
      name: meta.dtypeName,
      numpy: dtype.name === 'struct' ? numpyDescr(dtype) : (numpyTypestr(dtype) ?? null),
      itemSize: dtype.itemSize,
    },
    fillValue: meta.fillJson,
    order: meta.order,
    chunkShape,
    shardShape: shardShape ?? null,
    dimensions: shape.map((size, d) => ({
      name: dimensionNames[d] ?? null,
      size,
      chunkSize: chunkShape[d] ?? 0,
      chunkCount: chunkCounts[d] ?? 0,
    })),
    codecs: meta.codecs,
    unsupported: 'unsupported' in chain ? chain.unsupported : undefined,
  };
}
