/** Runs Apollo Client on this package's client: `new ApolloClient({ cache, link: zarrqlLink(client) })`. */
import {
  ApolloLink,
  Observable,
  type FieldFunctionOptions,
  type InMemoryCacheConfig,
  type StoreObject,
  type TypePolicy,
} from '@apollo/client';
import { print } from 'graphql';
import { listFields, objectTypes, possibleTypes } from '../generated/cache-types.js';
import { errorsOf, type GraphQLSender } from './graphql-errors.js';

type Item = StoreObject | null;

/**
 * Lets several queries select different fields of the same objects. Without these policies, the cache
 * replaces objects without an `id`, and mounted queries refetch each other.
 */
export const zarrqlCache = {
  possibleTypes,
  typePolicies: Object.fromEntries(
    [...new Set([...objectTypes, ...Object.keys(listFields)])].map((type) => [type, policyOf(type)]),
  ),
} satisfies InMemoryCacheConfig;

function policyOf(type: string): TypePolicy {
  const fields = (listFields[type] ?? []).map((name) => [name, { merge: mergeLists }] as const);
  // Apollo merges root types by default.
  return { ...(objectTypes.includes(type) && { merge: true }), fields: Object.fromEntries(fields) };
}

/** Merges lists of equal length item by item unless a common scalar field differs; otherwise replaces the list. */
function mergeLists(
  existing: readonly Item[] | null | undefined,
  incoming: readonly Item[] | null,
  options: FieldFunctionOptions,
): readonly Item[] | null {
  if (!existing || !incoming || existing.length !== incoming.length) return incoming;
  const isSame = incoming.every((item, i) => agree(existing[i] ?? null, item, options));
  if (!isSame) return incoming;
  return incoming.map((item, i) => {
    const old = existing[i];
    return old && item ? options.mergeObjects(old, item) : item;
  });
}

function agree(a: Item, b: Item, { isReference, readField }: FieldFunctionOptions): boolean {
  if (a === null || b === null) return a === b;
  if (isReference(a) && isReference(b)) return a.__ref === b.__ref;
  const names = Object.keys(isReference(a) ? b : a);
  return names.every((name) => {
    const [before, after] = [readField(name, a), readField(name, b)];
    return typeof before === 'object' || before === undefined || after === undefined || before === after;
  });
}

/**
 * A terminating link that also supports subscriptions. Values of queries and mutations arrive as NDArrays if the
 * gateway supports CBOR, and Apollo's cache stores them unchanged. Reads are retried.
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
