/**
 * Runs urql on this package's client: `exchanges: [cacheExchange, zarrqlExchange(client)]` instead of `fetchExchange`.
 */
import {
  makeErrorResult,
  makeResult,
  type AnyVariables,
  type Exchange,
  type Operation,
  type OperationResult,
} from '@urql/core';
import { print } from 'graphql';
import { filter, make, mergeMap, pipe, takeUntil, type Source } from 'wonka';
import { objectTypes, possibleTypes } from '../generated/cache-types.js';
import { errorsOf, type GraphQLSender } from './graphql-errors.js';

/** A structural copy of graphcache's type `KeyGenerator`. */
type KeyGenerator = (data: { readonly id?: unknown }) => string | null;

/**
 * `keys` normalises every object by its `id`. Objects without an `id`, or selected without it, are stored within their
 * parent. `possibleTypes` lets graphcache match fragments on interfaces exactly.
 */
export const graphcacheOptions = {
  keys: Object.fromEntries(objectTypes.map((name): [string, KeyGenerator] => [name, keyOf])),
  possibleTypes,
};

function keyOf({ id }: Parameters<KeyGenerator>[0]): string | null {
  return typeof id === 'string' ? id : null;
}

/**
 * Sends all operations, including subscriptions, with the client: values of queries and mutations arrive as NDArrays if
 * the gateway supports CBOR, and reads are retried. The `url` and `fetchOptions` of the urql client are not used.
 *
 * @example
 * new Client({ url, exchanges: [cacheExchange, zarrqlExchange(client)] });
 */
export function zarrqlExchange(client: GraphQLSender): Exchange {
  return () => (operations) =>
    pipe(
      operations,
      filter(({ kind }) => kind !== 'teardown'),
      mergeMap((operation) =>
        pipe(
          resultsOf(client, operation),
          takeUntil(
            pipe(
              operations,
              filter(({ kind, key }) => kind === 'teardown' && key === operation.key),
            ),
          ),
        ),
      ),
    );
}

function resultsOf(
  client: GraphQLSender,
  operation: Operation<unknown, AnyVariables>,
): Source<OperationResult> {
  return make<OperationResult>((observer) => {
    const controller = new AbortController();
    const run = async () => {
      try {
        for await (const result of fetchResults(client, operation, controller.signal)) observer.next(result);
      } catch (error) {
        const cause = error instanceof Error ? error : new Error(String(error));
        if (!controller.signal.aborted) observer.next(makeErrorResult(operation, cause));
      }
      observer.complete();
    };
    // Never rejects: failures are results.
    run().catch(() => undefined);
    return () => controller.abort();
  });
}

async function* fetchResults(
  client: GraphQLSender,
  operation: Operation<unknown, AnyVariables>,
  signal: AbortSignal,
): AsyncGenerator<OperationResult, void> {
  const text = print(operation.query);
  const variables: Readonly<Record<string, unknown>> = { ...operation.variables };
  const responses =
    operation.kind === 'subscription'
      ? client.subscribe(text, variables, { signal })
      : [await client.query(text, variables, { signal })];
  for await (const { data, errors } of responses)
    yield makeResult(operation, { data: data ?? null, ...errorsOf(errors) });
}
