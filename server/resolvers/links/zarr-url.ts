/** URLs under which a node, and the nodes below it, are a Zarr store that needs no credentials. */
import { InputError, withContext } from '../../zarr/index.js';
import { MAX_TOKEN_CHARACTERS, signToken } from '../../transport/href/token.js';
import { seesEverything } from '../access/caller-rights.js';
import type { GatewayContext } from '../context.js';
import type { NodeModel } from '../models.js';
import { baseName, nameAt } from '../nodes/store-name.js';

/**
 * Signs the rights of the caller below a node. A caller that may not see every node signs the list of those that it sees
 * now, so that the URL never shows more.
 * @throws InputError for an invalid lifetime, or if the list is too long for a URL; errors from listing the nodes
 */
export async function zarrUrlOf(
  model: NodeModel,
  { expires }: { readonly expires?: number | null | undefined },
  context: GatewayContext,
): Promise<string> {
  const { store, node } = model;
  const { hrefs } = context.gateway;
  const longest = Math.floor(hrefs.lifetimeMs / 1000);
  const seconds = expires ?? longest;
  if (seconds < 1 || seconds > longest)
    throw new InputError(
      `"expires" is ${seconds}; expected seconds from 1 to ${longest}, the lifetime of links`,
    );
  const { path } = node;
  const claims = {
    expires: Math.floor(Date.now() / 1000) + seconds,
    format: 'ZARR',
    store: store.snapshot === undefined ? store.name : nameAt(baseName(store.name), store.snapshot),
    path,
    ...(seesEverything(context.rights) ? {} : { nodes: await visiblePaths(model, context) }),
  };
  const token = signToken(claims, hrefs.keys[0]);
  if (token.length > MAX_TOKEN_CHARACTERS)
    throw new InputError(
      'the group has too many nodes for one URL, which lists the nodes that the caller may read; request the URLs of groups below it',
      { where: { store: store.name, path } },
    );
  return `${hrefs.publicUrl}${hrefs.zarrPath}~${token}`;
}

async function visiblePaths({ store, node }: NodeModel, context: GatewayContext): Promise<readonly string[]> {
  const paths = [node.path];
  if (node.kind === 'array') return paths;
  const looked = async (): Promise<void> => {
    context.budget.chargeListedNodes(1);
    await context.pause();
  };
  const options = { signal: context.signal, recursive: true, complete: true, throughFolders: true, looked };
  try {
    for await (const { path } of store.hierarchy.walk(node.path, options)) {
      paths.push(path);
    }
  } catch (error) {
    throw withContext(error, { store: store.name, path: node.path });
  }
  return paths;
}
