import { withContext, type JsonObject } from '../../zarr/index.js';
import { seesEverything } from '../access/caller-rights.js';
import type { GatewayContext } from '../context.js';
import type { NodeResolvers, ZarrNodeResolvers } from '../generated/types.js';
import { printGlobalId } from './global-id.js';
import { type GroupModel, type IdentifiedModel, isGroupModel, type NodeModel } from '../models.js';
import { parentPath } from './node-loader.js';
import { visibleDocuments } from '../access/visible-documents.js';

export const nodeResolvers: NodeResolvers = {
  __resolveType: (model) => identifiedTypeOf(model),
};

export const zarrNodeResolvers: ZarrNodeResolvers = {
  __resolveType: (model) => typeNameOf(model),
};

function identifiedTypeOf(model: IdentifiedModel) {
  if ('hierarchy' in model) return 'Store';
  if ('cut' in model) return 'Dataset';
  if ('variable' in model) return 'Variable';
  return 'dataset' in model ? 'DatasetDimension' : typeNameOf(model);
}

function typeNameOf(model: NodeModel): 'ZarrGroup' | 'ZarrArray' {
  return isGroupModel(model) ? 'ZarrGroup' : 'ZarrArray';
}

/** Resolvers of the interface ZarrNode, shared by both of its types. */
export const sharedNodeFields = {
  id: ({ store, node }: NodeModel) => printGlobalId({ kind: 'node', store: store.name, path: node.path }),
  path: ({ node }: NodeModel) => node.path,
  name: ({ node }: NodeModel) => node.name,
  zarrFormat: ({ node }: NodeModel) => node.meta.zarrFormat,
  attributes: ({ node }: NodeModel) => node.meta.attributes,
  attribute: ({ node }: NodeModel, { name }: { readonly name: string }) =>
    Object.hasOwn(node.meta.attributes, name) ? node.meta.attributes[name] : null,
  metadata: (model: NodeModel, _: unknown, context: GatewayContext) => documentsOf(model, context),
  version: ({ node }: NodeModel) => node.version,
  parent: (model: NodeModel, _: unknown, context: GatewayContext) => parentOf(model, context),
};

/** Runs `ask`, and adds the location of the node to errors. */
export async function withNodeContext<T>({ store, node }: NodeModel, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw withContext(error, { store: store.name, path: node.path });
  }
}

/** Created once per request, even if several aliases select it. */
const visible = new WeakMap<GatewayContext, WeakMap<JsonObject, JsonObject>>();

function documentsOf({ store, node }: NodeModel, context: GatewayContext): JsonObject {
  const { rights } = context;
  const { documents } = node.meta;
  if (seesEverything(rights)) return documents;
  const ofRequest = visible.get(context) ?? new WeakMap<JsonObject, JsonObject>();
  visible.set(context, ofRequest);
  const made =
    ofRequest.get(documents) ??
    visibleDocuments(documents, node.path, (path) => rights.mayRead(store.name, path));
  ofRequest.set(documents, made);
  return made;
}

async function parentOf(
  { store, node }: NodeModel,
  context: GatewayContext,
): Promise<GroupModel | undefined> {
  const path = parentPath(node.path);
  const parent = path === undefined ? undefined : await context.nodes.find(store, path);
  return parent !== undefined && isGroupModel(parent) ? parent : undefined;
}
