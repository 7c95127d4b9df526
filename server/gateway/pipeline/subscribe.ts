/** Execute step for subscriptions. Every event is executed like a separate request. */
import { randomUUID } from 'node:crypto';
import { createSourceEventStream, execute, type ExecutionResult, GraphQLError } from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import type { MemoryLease } from '../../memory/lease.js';
import type { RequestBudget } from '../../resolvers/budget.js';
import type { GatewayContext } from '../../resolvers/context.js';
import { IN_PROCESS } from '../request-memory.js';
import { argumentsOf } from './execute.js';
import type { Operation } from './operation.js';
import type { Recorded, RecordOperation } from './record.js';
import { createSharedEvents, type EventMaking } from './shared-events.js';

/** Results of a subscription. Errors are in the form that clients may see, and iterating never fails. */
export type ResultStream = AsyncIterable<ExecutionResult>;

/** @throws Error if the subscription cannot start */
export type Subscribe = (
  operation: Operation,
  context: GatewayContext,
  observe: Recorded['observe'],
) => Promise<ExecutionResult | ResultStream>;

export interface SubscriberParts {
  /** A new context for an event, without cached values and charges. */
  readonly renew: (
    context: GatewayContext,
    event: { readonly signal: AbortSignal; readonly memory: MemoryLease },
  ) => GatewayContext;
  readonly record: RecordOperation;
  /** The form of an error that clients may see. */
  readonly show: (error: unknown) => GraphQLError;
}

interface ExecutedEvent {
  readonly result: ExecutionResult;
  /** The budget that the event was charged to. */
  readonly budget: RequestBudget;
}

/** Subscribers with the same operation and rights share their events. The subscription and each event are recorded. */
export function createSubscriber({ renew, record, show }: SubscriberParts): Subscribe {
  const shared = createSharedEvents<ExecutedEvent>();

  /** The memory is reserved until every subscriber has sent the event. */
  function executeEvent(
    operation: Operation,
    subscription: GatewayContext,
    change: object,
  ): EventMaking<ExecutedEvent> {
    const controller = new AbortController();
    const memory = subscription.gateway.memory.open(subscription.client ?? IN_PROCESS);
    const context = renew(subscription, { signal: controller.signal, memory });
    const make = async (): Promise<ExecutedEvent> => {
      const result = await execute({
        ...argumentsOf(operation),
        rootValue: change,
        contextValue: context,
      });
      return {
        result: memory.refusal === undefined ? result : refused(memory.refusal),
        budget: context.budget,
      };
    };
    const end = (): void => {
      controller.abort(new DOMException('all subscribers have left', 'AbortError'));
      memory.end();
    };
    return { made: make(), end };
  }

  return async (operation, context, observe) => {
    const start = performance.now();
    const changes = await createSourceEventStream({ ...argumentsOf(operation), contextValue: context });
    record(
      operation.definition,
      { observe, budget: context.budget },
      start,
      isAsyncIterable(changes) ? {} : changes,
    );
    if (!isAsyncIterable(changes)) return changes;
    const key = {
      document: operation.document,
      parameters: parametersOf(operation),
      rights: context.rights,
    };
    const results = mapUntilNext(changes[Symbol.asyncIterator](), async (given) => {
      const eventStart = performance.now();
      const change = typeof given === 'object' && given !== null ? given : {};
      const { event, release } = await shared.take(change, key, () =>
        executeEvent(operation, context, change),
      );
      record(operation.definition, { observe, budget: event.budget }, eventStart, event.result);
      return { value: event.result, release };
    });
    return shownResults(results, show);
  };
}

function refused(error: Error): ExecutionResult {
  return { errors: [new GraphQLError(error.message, { originalError: error })] };
}

/** A unique key if the variables cannot be converted to JSON, so that such events are not shared. */
function parametersOf({ definition, variables }: Operation): string {
  try {
    return JSON.stringify([definition.name?.value ?? null, variables ?? null]);
  } catch {
    return randomUUID();
  }
}

/** Converts errors to the form that clients may see. If the iteration fails, the last result reports it. */
function shownResults(
  results: AsyncIterator<ExecutionResult, undefined>,
  show: (error: unknown) => GraphQLError,
): ResultStream {
  let failed = false;
  const shown: AsyncIterator<ExecutionResult, undefined> = {
    async next() {
      if (failed) return { value: undefined, done: true };
      try {
        const next = await results.next();
        if (next.done === true) return next;
        const { errors } = next.value;
        const value = errors === undefined ? next.value : { ...next.value, errors: errors.map(show) };
        return { value, done: false };
      } catch (error) {
        failed = true;
        return { value: { errors: [show(error)] }, done: false };
      }
    },
    return: async () => (await results.return?.()) ?? { value: undefined, done: true },
  };
  return { [Symbol.asyncIterator]: () => shown };
}

interface Taken<U> {
  readonly value: U;
  release(): void;
}

/**
 * Maps an async iterator. Each value is released when the next one is requested, because it has been sent
 * by then. Unlike a generator, the result can be ended while it waits.
 */
function mapUntilNext<T, U>(
  from: AsyncIterator<T>,
  take: (value: T) => Promise<Taken<U>>,
): AsyncIterator<U, undefined> {
  let hasEnded = false;
  let release = (): void => {};
  return {
    async next() {
      release();
      const next = await from.next();
      if (next.done === true) return { value: undefined, done: true };
      const taken = await take(next.value);
      release = () => taken.release();
      if (hasEnded) release();
      return { value: taken.value, done: false };
    },
    async return() {
      hasEnded = true;
      release();
      await from.return?.();
      return { value: undefined, done: true };
    },
  };
}
