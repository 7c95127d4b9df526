import { exactSize, positionOf } from '../scalars/big-int.js';
import type { ArrayDimension, ZarrArrayResolvers } from '../generated/types.js';
import type { ArrayModel } from '../models.js';
import { withNodeContext, sharedNodeFields } from './node.js';
import { sliceOfArray } from '../slices/slice-model.js';

export const arrayResolvers: ZarrArrayResolvers = {
  ...sharedNodeFields,
  kind: () => 'ARRAY',
  shape: ({ node }) => node.meta.shape,
  ndim: ({ node }) => node.meta.shape.length,
  size: ({ node }) => exactSize(node.meta.shape),
  nbytes: ({ node: { meta } }) =>
    meta.dtype.itemSize === null ? null : exactSize(meta.shape, meta.dtype.itemSize),
  dtype: ({ node }) => ({ dtype: node.meta.dtype, name: node.meta.dtypeName }),
  fillValue: ({ node }) => node.meta.fillJson,
  warnings: ({ node }) => node.meta.warnings,
  order: ({ node }) => node.meta.order,
  chunkShape: ({ node }) => node.chunkShape,
  shardShape: ({ node }) => node.shardShape,
  dimensions: ({ node }) => node.meta.shape.map((size, d) => dimensionOf(node, size, d)),
  codecs: ({ node }) => node.meta.codecs,
  storage: (model, _, { signal }) => withNodeContext(model, () => model.node.storage({ signal })),
  chunk: (model, { index }, { signal }) =>
    withNodeContext(model, () => model.node.chunk(index.map(positionOf), { signal })),
  slice: (model, { select }, context) => sliceOfArray(model, select, context),
};

function dimensionOf(node: ArrayModel['node'], size: number, d: number): ArrayDimension {
  const name = node.dimensionNames[d] ?? null;
  return { name, size, chunkSize: node.chunkShape[d] ?? 0, chunkCount: node.chunkCounts[d] ?? 0 };
}
