/** The fields `Query._entities` and `Query._service` of a subgraph. */
import { isRecord } from '../../../wire/guards.js';
import { InputError } from '../../zarr/index.js';
import { ForbiddenError } from '../access/caller-rights.js';
import type { GatewayContext } from '../context.js';
import type { IdentifiedModel } from '../models.js';
import { identifiedTypeOf } from '../nodes/node.js';
import { checkCount } from '../nodes/paging.js';
import { nodeById } from '../query.js';
import { type SubgraphOptions, subgraphSdl, typeNames } from './subgraph.js';

export interface ServedSubgraph extends SubgraphOptions {
  /** Whether clients may query the text of the schema. */
  readonly introspection: boolean;
}

export function entityResolvers(subgraph: ServedSubgraph) {
  const rename = typeNames(subgraph);
  let sdl: string | undefined;
  return {
    Query: {
      _entities(
        _: unknown,
        { representations }: { readonly representations: readonly unknown[] },
        context: GatewayContext,
      ): Promise<IdentifiedModel>[] {
        checkCount('representations', representations.length, context.gateway.limits);
        return representations.map((given) => entityOf(given, rename, context));
      },
      _service: () => ({
        sdl() {
          if (subgraph.introspection) return (sdl ??= subgraphSdl(subgraph));
          throw new ForbiddenError(
            'queries of the schema are not allowed; compose the output of "zarrql schema --federation"',
          );
        },
      }),
    },
    _Entity: { __resolveType: (model: IdentifiedModel) => identifiedTypeOf(model) },
  };
}

/** @throws InputError for an invalid representation, or an id of another type; errors from `nodeById` */
async function entityOf(
  given: unknown,
  rename: (name: string) => string,
  context: GatewayContext,
): Promise<IdentifiedModel> {
  const { __typename: type, id } = isRecord(given) ? given : {};
  if (typeof type !== 'string' || typeof id !== 'string')
    throw new InputError('a representation requires "__typename" and "id" as text');
  const model = await nodeById(id, context);
  const found = rename(identifiedTypeOf(model));
  if (found !== type)
    throw new InputError(`the id belongs to the type ${found}, not to ${JSON.stringify(type.slice(0, 100))}`);
  return model;
}
