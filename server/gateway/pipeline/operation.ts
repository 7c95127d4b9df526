/** The operation of a document that a request runs. */
import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { InputError } from '../../zarr/index.js';
import { badRequest } from './bad-request.js';

/** The value of `extensions.cost`: the cost in addition to the result, or without reading any values. */
export type CostRequest = true | 'only' | undefined;

export interface Operation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly cost: CostRequest;
}

/** How a request arrived. */
export type Transport = 'GET' | 'POST' | 'process';

/**
 * @throws GraphQLError if the document has no such operation, or if a GET request would change data; InputError for
 * subscriptions from within the process
 */
export function selectOperation(
  document: DocumentNode,
  operationName: string | undefined,
  transport: Transport,
): OperationDefinitionNode {
  const definition = getOperationAST(document, operationName);
  if (definition === null || definition === undefined) throw noOperation(operationName);
  const kind = definition.operation;
  if (kind === OperationTypeNode.MUTATION && transport === 'GET') throw mutationByGet();
  if (kind === OperationTypeNode.SUBSCRIPTION && transport === 'process')
    throw new InputError('subscriptions are available over HTTP only, as server-sent events');
  return definition;
}

function noOperation(name: string | undefined): GraphQLError {
  const message =
    name === undefined
      ? 'the document has no operation or more than one'
      : `the document has no operation "${name.slice(0, 100)}"`;
  return badRequest(`${message}; set "operationName" to one of its operations`);
}

/** RFC 9110: GET is safe. */
function mutationByGet(): GraphQLError {
  const http = { status: 405, headers: { allow: 'POST' } };
  return new GraphQLError('mutations require POST', { extensions: { code: 'BAD_INPUT', http } });
}
