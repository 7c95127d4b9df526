/** URLs under which a node, and the nodes below it, are a Zarr store that needs no credentials. */
import { chunkShapeFor, storedForm } from '../../transport/zarr/computed-documents.js';
import type { LabelledVariable } from '../../transport/labelled-set.js';
import { assertWithinLimits, type ErrorContext, InputError, withContext } from '../../zarr/index.js';
import { MAX_TOKEN_CHARACTERS, signToken } from '../../transport/href/token.js';
import { seesEverything } from '../access/caller-rights.js';
import type { GatewayContext } from '../context.js';
import type { NodeModel } from '../models.js';
import { baseName, nameAt } from '../nodes/store-name.js';
import type { NamedModel } from './labelled-set.js';
import { setClaims } from './set-claims.js';

/** The argument of the fields `zarrUrl`, in seconds. */
interface Lifetime {
  readonly expires?: number | null | undefined;
}

/**
 * Signs the rights of the caller below a node. A caller that may not see every node signs the list of those that it sees
 * now, so that the URL never shows more.
 * @throws InputError for an invalid lifetime, or if the list is too long for a URL; errors from listing the nodes
 */
export async function zarrUrlOf(
  model: NodeModel,
  { expires }: Lifetime,
  context: GatewayContext,
): Promise<string> {
  const { store, node } = model;
  const { path } = node;
  const claims = {
    format: 'ZARR',
    store: store.snapshot === undefined ? store.name : nameAt(baseName(store.name), store.snapshot),
    path,
    ...(seesEverything(context.rights) ? {} : { nodes: await visiblePaths(model, context) }),
  };
  const hint =
    'the group has too many nodes for one URL, which lists the nodes that the caller may read; request the URLs of groups below it';
  return signedUrl(claims, expires, hint, { store: store.name, path }, context);
}

/**
 * Signs slices, whose chunks are computed when they are requested, with their coordinates.
 * @throws InputError for an invalid lifetime, or if the steps are too long for a URL; UnsupportedError for types that
 * tools do not read; LimitError if a chunk exceeds a limit; ForbiddenError; errors from the coordinates
 */
export async function zarrUrlOfSlices(
  models: readonly NamedModel[],
  { expires }: Lifetime,
  context: GatewayContext,
): Promise<string> {
  const { set, claims: signed } = await setClaims(models, context);
  for (const variable of [...set.variables, ...set.coordinates]) assertStorable(variable, context);
  const claims = { format: 'ZARR_SLICES', ...signed };
  const hint =
    'the operations and variables are too long for one URL; use ranges or steps, or fewer variables';
  return signedUrl(claims, expires, hint, models[0]?.model.slice.where ?? {}, context);
}

function assertStorable(variable: LabelledVariable, { gateway: { limits } }: GatewayContext): void {
  storedForm(variable.name, variable.slice.dtype);
  const { slice } = variable;
  if (slice.shape.includes(0)) return;
  const dims = chunkShapeFor(variable).map((stop) => ({ kind: 'slice' as const, stop }));
  const chunk = slice.shape.length === 0 ? slice : slice.select({ kind: 'dims', dims });
  assertWithinLimits(chunk.cost(), limits);
}

function signedUrl(
  claims: Readonly<Record<string, unknown>>,
  expires: Lifetime['expires'],
  tooLong: string,
  where: ErrorContext,
  { gateway: { hrefs } }: Pick<GatewayContext, 'gateway'>,
): string {
  const longest = Math.floor(hrefs.lifetimeMs / 1000);
  const seconds = expires ?? longest;
  if (seconds < 1 || seconds > longest)
    throw new InputError(
      `"expires" is ${seconds}; expected seconds from 1 to ${longest}, the lifetime of links`,
    );
  const token = signToken({ expires: Math.ceil(Date.now() / 1000) + seconds, ...claims }, hrefs.keys[0]);
  if (token.length > MAX_TOKEN_CHARACTERS) throw new InputError(tooLong, { where });
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
