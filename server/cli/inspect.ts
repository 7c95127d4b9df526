import { resultText } from '../transport/json/result-text.js';
import { isZarrError, type StorageUse } from '../zarr/index.js';
import { nodeJson } from './inspect-json.js';
import { arrayLines, treeLine } from './inspect-text.js';
import { type LocatedNode, locateNode } from './locate-node.js';
import { nodeTree, type TreeNode } from './node-tree.js';
import { writeOutput } from './output.js';
import { runCommand } from './run-command.js';

export interface InspectOptions {
  /** Levels below the node. @default all */
  readonly depth?: number;
  readonly json?: boolean;
  /** Adds the stored size of each array. Requires one listing per array. */
  readonly sizes?: boolean;
  /** Lists the store and reads the metadata of each node, even if there is consolidated metadata. */
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
  for await (const { one, storage } of nodes(located, options)) yield treeLine(one, label, storage);
}

async function* jsonPieces(located: LocatedNode, options: InspectOptions): AsyncGenerator<string> {
  yield `{"store":${JSON.stringify(located.hierarchy.store.label)},"nodes":[`;
  let separator = '\n';
  for await (const { one, storage } of nodes(located, options)) {
    yield separator;
    yield* resultText(nodeJson(one, storage));
    separator = ',\n';
  }
  yield '\n]}\n';
}

async function* nodes(
  { hierarchy, node }: LocatedNode,
  { depth = Infinity, sizes = false, refresh = false }: InspectOptions,
): AsyncGenerator<{ readonly one: TreeNode; readonly storage: StorageUse | undefined }> {
  for await (const one of nodeTree(hierarchy, node, { depth, refresh })) {
    if (isZarrError(one.node)) process.exitCode = 1;
    const array = sizes && !isZarrError(one.node) && one.node.kind === 'array' ? one.node : undefined;
    yield { one, storage: await array?.storage() };
  }
}
