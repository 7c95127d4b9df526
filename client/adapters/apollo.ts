/** Runs Apollo Client on this package's client: `new ApolloClient({ cache, link: zarrqlLink(client) })`. */
import { ApolloLink, Observable } from '@apollo/client';
import { print } from 'graphql';
import { errorsOf } from './graphql-errors.js';
import type { GraphQLSender } from './graphql-errors.js';

export { zarrqlCache } from './apollo-cache.js';

/**
 * A terminating link that also supports subscriptions. Values arrive as NDArrays via CBOR, and Apollo's cache stores
 * them unchanged. Reads are retried.
 *
 * @example
 * new ApolloClient({ cache: new InMemoryCache(zarrqlCache), link: zarrqlLink(client) });
 */
export function zarrqlLink(client: GraphQLSender): ApolloLink {
  return new ApolloLink(
    ({ query, variables }) =>
      new Observable<ApolloLink.Result>((observer) => {
        const controller = new AbortController();
        const run = async () => {
          const text = print(query);
          const options = { signal: controller.signal };
          const isSubscription = query.definitions.some(
            (definition) => 'operation' in definition && definition.operation === 'subscription',
          );
          const results = isSubscription
            ? client.subscribe(text, variables, options)
            : [await client.query(text, variables, options)];
          for await (const { data, errors } of results)
            observer.next({ data: recordOf(data), ...errorsOf(errors) });
          observer.complete();
        };
        run().catch((error: unknown) => {
          if (!controller.signal.aborted) observer.error(error);
        });
        return () => controller.abort();
      }),
  );
}

function recordOf(data: unknown): Record<string, unknown> | null {
  return typeof data === 'object' && data !== null ? { ...data } : null;
}
