/**
 * Runs urql on this package's client: `exchanges: [cacheExchange, zarrqlExchange(client)]` instead of `fetchExchange`.
 */
import { makeErrorResult, makeResult } from '@urql/core';
import type { AnyVariables, Exchange, Operation, OperationResult } from '@urql/core';
import { print } from 'graphql';
import { filter, make, mergeMap, pipe, takeUntil } from 'wonka';
import type { Source } from 'wonka';
import { errorsOf } from './graphql-errors.js';
import type { GraphQLSender } from './graphql-errors.js';

export { graphcacheOptions } from './graphcache.js';

/**
 * Sends all operations, including subscriptions, with the client: values arrive as NDArrays via CBOR, and reads are
 * retried. The `url` and `fetchOptions` of the urql client are not used.
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
        for await (const result of answersOf(client, operation, controller.signal)) observer.next(result);
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

async function* answersOf(
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
