/** Selects the operation of a document that a request runs. */
import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { InputError } from '../../zarr/index.js';
import { badRequest } from '../http-errors.js';
import type { KnownDocument } from './documents.js';

/** The value of `extensions.cost`: the cost in addition to the result, or without reading any values. */
export type CostRequest = true | 'only' | undefined;

/** The operation that a request runs, with the arguments of graphql's functions. */
export interface RequestedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly known: KnownDocument;
  readonly operationName: string | undefined;
  readonly variableValues: Readonly<Record<string, unknown>> | undefined;
  readonly definition: OperationDefinitionNode;
  readonly cost: CostRequest;
}

/** How an operation arrived. `batch`: by POST, in an array. */
export type OperationTransport = 'GET' | 'POST' | 'batch' | 'process';

/**
 * @throws GraphQLError if the document has no such operation, or if a GET request would change data; InputError for
 * subscriptions from within the process or in a batch
 */
export function chooseOperation(
  document: DocumentNode,
  operationName: string | undefined,
  transport: OperationTransport,
): OperationDefinitionNode {
  const definition = getOperationAST(document, operationName);
  if (definition === null || definition === undefined) throw noOperation(operationName);
  const kind = definition.operation;
  if (kind === OperationTypeNode.MUTATION && transport === 'GET') throw mutationByGet();
  if (kind === OperationTypeNode.SUBSCRIPTION && transport === 'process')
    throw new InputError('subscriptions are available over HTTP only, as server-sent events');
  if (kind === OperationTypeNode.SUBSCRIPTION && transport === 'batch')
    throw new InputError('a batch must not contain subscriptions; send the subscription alone');
  return definition;
}

function noOperation(name: string | undefined): GraphQLError {
  return badRequest(
    name === undefined
      ? 'the document must have exactly one operation, or "operationName" must name one of several'
      : `the document has no operation "${name.slice(0, 100)}"; set "operationName" to one of its operations`,
  );
}

/** Creates the error for a mutation by GET, which must be safe (RFC 9110). */
function mutationByGet(): GraphQLError {
  const http = { status: 405, headers: { allow: 'POST' } };
  return new GraphQLError('mutations require POST', { extensions: { code: 'BAD_INPUT', http } });
}
