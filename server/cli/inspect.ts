import { defined } from '../../wire/guards.js';
import { resultText } from '../transport/json/result-text.js';
import type { BodyPiece } from '../transport/time-sliced-body.js';
import { isZarrError, type StorageUse, numpyDescr, numpyTypestr, type ZarrArray } from '../zarr/index.js';
import { arrayLines, treeLine } from './inspect-text.js';
import { type LocatedNode, locateNode } from './locate-node.js';
import { nodeTree, type TreeNode } from './node-tree.js';
import { writeOutput } from './output.js';
import { printableJson } from './printable.js';
import { runCommand } from './run-command.js';

export interface InspectOptions {
  /** Maximum number of levels below the node. @default all */
  readonly depth?: number;
  readonly json?: boolean;
  /** Whether to add the stored size of each array, which requires one listing per array. */
  readonly sizes?: boolean;
  /** Whether to list the store and read the metadata of each node, even if there is consolidated metadata. */
  readonly refresh?: boolean;
}

/**
 * `zarrql inspect`: prints the nodes at an address. Nodes with invalid metadata are listed with their
 * error; the exit code is then 1.
 */
export function inspect(address: string, options: InspectOptions): Promise<void> {
  return runCommand(async () => {
    const located = await locateNode(address);
    try {
      await writeOutput(
        options.json === true ? jsonPieces(located, options) : textPieces(located, options),
        undefined,
      );
    } finally {
      await located.hierarchy.store.close();
    }
  });
}

async function* textPieces(located: LocatedNode, options: InspectOptions): AsyncGenerator<string> {
  const { node, hierarchy } = located;
  const label = node.path === '/' ? hierarchy.store.label : `${hierarchy.store.label}${node.path}`;
  if (node.kind === 'array') {
    yield arrayLines(node, label, options.sizes === true ? await node.storage() : undefined);
    return;
  }
  for await (const { entry, storage } of nodes(located, options)) yield treeLine(entry, label, storage);
}

async function* jsonPieces(located: LocatedNode, options: InspectOptions): AsyncGenerator<BodyPiece> {
  yield `{"store":${printableJson(JSON.stringify(located.hierarchy.store.label))},"nodes":[`;
  let separator = '\n';
  for await (const { entry, storage } of nodes(located, options)) {
    yield separator;
    for (const piece of resultText(nodeJson(entry, storage)))
      yield typeof piece === 'string' ? printableJson(piece) : piece;
    separator = ',\n';
  }
  yield '\n]}\n';
}

async function* nodes(
  { hierarchy, node }: LocatedNode,
  { depth = Infinity, sizes = false, refresh = false }: InspectOptions,
): AsyncGenerator<{ readonly entry: TreeNode; readonly storage: StorageUse | undefined }> {
  for await (const entry of nodeTree(hierarchy, node, { depth, refresh })) {
    if (isZarrError(entry.node)) process.exitCode = 1;
    const array = sizes && !isZarrError(entry.node) && entry.node.kind === 'array' ? entry.node : undefined;
    yield { entry, storage: await array?.storage() };
  }
}

/**
 * Converts a node to JSON. Undefined members are omitted. Integers beyond 2^53 - 1 are bigints, which JSON
 * writes as strings.
 */
function nodeJson({ path, name, kind, node }: TreeNode, storage: StorageUse | undefined): object {
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
      chunkSize: defined(chunkShape[d]),
      chunkCount: defined(chunkCounts[d]),
      chunkLengths: array.chunkLengths(d),
    })),
    codecs: meta.codecs,
    unsupported: 'unsupported' in chain ? chain.unsupported : undefined,
  };
}
