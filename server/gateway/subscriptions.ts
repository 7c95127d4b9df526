/** Subscriptions: how their events are executed, and how they leave. */
import {
  createSourceEventStream,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { GatewayContext } from '../resolvers/context.js';
import type { RecordOperation } from './operation-records.js';
import type { CallerNotes } from './options.js';
import { chooseMediaType } from '../transport/accept.js';
import { eventStreamMediaType, eventStreamResponse } from '../transport/event-stream.js';
import { resultMediaTypes, type SingleResult, startResponse } from '../transport/result-response.js';

type ShowError = (error: unknown) => GraphQLError;

/**
 * Every event is a request of its own: with nothing remembered of nodes as they were, and nothing spent. The
 * subscription and each of its events are recorded.
 * @param renew makes the context of an event out of that of the subscription
 */
export function useFreshEvents(
  renew: (context: GatewayContext) => GatewayContext,
  record: RecordOperation,
): Plugin<CallerNotes & GatewayContext> {
  return {
    onSubscribe({ args: { contextValue }, setSubscribeFn }) {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const start = performance.now();
        const events = await createSourceEventStream(args);
        record(args, contextValue, start, isAsyncIterable(events) ? {} : events);
        if (!isAsyncIterable(events)) return events;
        return mapIterator(events[Symbol.asyncIterator](), async (rootValue) => {
          const context = { ...contextValue, ...renew(contextValue) };
          const eventStart = performance.now();
          const result = await execute({ ...args, rootValue, contextValue: context });
          record(args, context, eventStart, result);
          return result;
        });
      });
    },
  };
}

/** Results as server-sent events: streams of results always, others for clients who prefer it. */
export function useEventStreams(show: ShowError): Plugin {
  return {
    onResultProcess(payload) {
      const { request, result } = payload;
      if (Array.isArray(result)) return;
      const accept = request.headers.get('accept');
      const offered = isAsyncIterable(result) ? [] : resultMediaTypes;
      const chosen = chooseMediaType(accept, [...offered, eventStreamMediaType]);
      if (chosen === eventStreamMediaType) {
        const results = isAsyncIterable(result) ? result[Symbol.asyncIterator]() : only(result);
        const status = isAsyncIterable(result) ? 200 : statusOf(result, show);
        const shown = shownResults(results, show);
        payload.setResultProcessor((_, { Response }) => eventStreamResponse(shown, status, Response), chosen);
      } else if (isAsyncIterable(result)) {
        const results = result[Symbol.asyncIterator]();
        payload.setResultProcessor(async (_, { Response }) => {
          await results.return?.();
          return eventsOnly(Response);
        }, eventStreamMediaType);
      }
    },
  };
}

function eventsOnly(ResponseClass: typeof Response): Response {
  const message = `a subscription is answered as server-sent events; ask with "Accept: ${eventStreamMediaType}"`;
  return new ResponseClass(JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_INPUT' } }] }), {
    status: 406,
    headers: { 'content-type': 'application/json; charset=utf-8', vary: 'Accept' },
  });
}

/** A result that failed as a whole has the status of its errors, if they say one. */
function statusOf(result: ExecutionResult, show: ShowError): number {
  return startResponse({ ...result, errors: result.errors?.map(show) }, 'application/json').status;
}

/** With errors as clients may see them; where the results fail, their last one says so. */
function shownResults(results: AsyncIterator<ExecutionResult>, show: ShowError): AsyncIterator<SingleResult> {
  let failed = false;
  return {
    async next() {
      if (failed) return { value: undefined, done: true };
      try {
        const next = await results.next();
        if (next.done === true) return next;
        return { value: { ...next.value, errors: next.value.errors?.map(show) }, done: false };
      } catch (error) {
        failed = true;
        return { value: { errors: [show(error)] }, done: false };
      }
    },
    return: async () => (await results.return?.()) ?? { value: undefined, done: true },
  };
}

async function* only(result: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield await Promise.resolve(result);
}

/** Can be left while it waits, unlike a generator. */
function mapIterator<T, U>(
  from: AsyncIterator<T>,
  map: (value: T) => U | Promise<U>,
): AsyncIterableIterator<U, undefined> {
  return {
    async next() {
      const next = await from.next();
      return next.done === true
        ? { value: undefined, done: true }
        : { value: await map(next.value), done: false };
    },
    async return() {
      await from.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
