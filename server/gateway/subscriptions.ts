/** Subscriptions: how their events are executed, and how they leave. */
import {
  createSourceEventStream,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
} from 'graphql';
import { randomUUID } from 'node:crypto';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { GatewayContext } from '../resolvers/context.js';
import type { RecordOperation } from './operation-records.js';
import type { CallerNotes } from './options.js';
import { IN_PROCESS } from './execute.js';
import { createSharedEvents } from './shared-events.js';
import { chooseMediaType } from '../transport/accept.js';
import { eventStreamMediaType, eventStreamResponse } from '../transport/event-stream.js';
import { resultMediaTypes, type SingleResult, startResponse } from '../transport/result-response.js';

type ShowError = (error: unknown) => GraphQLError;

type SubscriptionContext = CallerNotes & GatewayContext;

/** An executed event, with what it was charged to. */
interface ExecutedEvent {
  readonly result: ExecutionResult;
  readonly budget: GatewayContext['budget'];
}

/**
 * Every event is a request of its own: with nothing remembered of nodes as they were, and nothing spent. Subscribers who
 * get the same share it. The subscription and each of its events are recorded.
 * @param renew makes the context of an event out of that of the subscription
 */
export function useFreshEvents(
  renew: (context: SubscriptionContext) => GatewayContext,
  record: RecordOperation,
): Plugin<SubscriptionContext> {
  const shared = createSharedEvents<ExecutedEvent>();

  /** Its memory is held until the last subscriber has taken it; the first one's leaving does not end it. */
  function makeEvent(args: ExecutionArgs, subscription: SubscriptionContext, change: object) {
    const stop = new AbortController();
    const memory = subscription.gateway.memory.open(subscription.client ?? IN_PROCESS);
    const { signal } = stop;
    const fresh = renew({ ...subscription, signal, memory });
    const make = async (): Promise<ExecutedEvent> => {
      const contextValue = { ...subscription, ...fresh };
      const result = await execute({ ...args, rootValue: change, contextValue });
      return {
        result: memory.refusal === undefined ? result : refused(memory.refusal),
        budget: fresh.budget,
      };
    };
    const end = (): void => {
      stop.abort(new DOMException('the subscribers are gone', 'AbortError'));
      memory.end();
    };
    return { made: make(), end };
  }

  return {
    onSubscribe({ args: { contextValue }, setSubscribeFn }) {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const start = performance.now();
        const events = await createSourceEventStream(args);
        record(args, contextValue, start, isAsyncIterable(events) ? {} : events);
        if (!isAsyncIterable(events)) return events;
        const key = { document: args.document, parameters: parametersOf(args), rights: contextValue.rights };
        return mapTaken(events[Symbol.asyncIterator](), async (change) => {
          const eventStart = performance.now();
          const about = typeof change === 'object' && change !== null ? change : {};
          const { event, release } = await shared.take(about, key, () =>
            makeEvent(args, contextValue, about),
          );
          record(args, { ...contextValue, budget: event.budget }, eventStart, event.result);
          return { value: event.result, release };
        });
      });
    },
  };
}

function refused(error: Error): ExecutionResult {
  return { errors: [new GraphQLError(error.message, { originalError: error })] };
}

/** Names are unique where there is no text for the variables, so that such events are not shared. */
function parametersOf({ operationName, variableValues }: ExecutionArgs): string {
  try {
    return JSON.stringify([operationName ?? null, variableValues ?? null]);
  } catch {
    return randomUUID();
  }
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

interface Taken<U> {
  readonly value: U;
  release(): void;
}

/**
 * Can be left while it waits, unlike a generator. A value is released when the next one is asked for: by then it has
 * been sent.
 */
function mapTaken<T, U>(
  from: AsyncIterator<T>,
  take: (value: T) => Promise<Taken<U>>,
): AsyncIterableIterator<U, undefined> {
  let isLeft = false;
  let release = (): void => {};
  return {
    async next() {
      release();
      const next = await from.next();
      if (next.done === true) return { value: undefined, done: true };
      const taken = await take(next.value);
      release = () => taken.release();
      if (isLeft) release();
      return { value: taken.value, done: false };
    },
    async return() {
      isLeft = true;
      release();
      await from.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
