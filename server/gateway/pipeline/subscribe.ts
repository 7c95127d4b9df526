/**
 * Execute step for subscriptions. Every event is executed like a separate request; subscribers with the same
 * operation and rights share the result.
 */
import {
  createSourceEventStream,
  type ExecutionResult,
  GraphQLError,
  validateSubscriptionArgs,
} from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import { randomUUID } from 'node:crypto';
import { IN_PROCESS, type RequestMemory } from '../../memory/budget.js';
import type { RequestBudget } from '../../resolvers/budget.js';
import type { GatewayContext } from '../../resolvers/context.js';
import type { PartWithErrors, ResultPart } from '../../transport/graphql-response.js';
import { shareText } from '../../transport/json/shared-text.js';
import type { RequestedOperation } from './choose-operation.js';
import { executeWhole } from './execute.js';
import type { Recorded, RecordOperation } from './record-operations.js';
import { createSharedEvents, type EventMaking, type EventUse } from './shared-events.js';

/** Several results. Errors are in the form that clients may see, and iterating never fails. */
export interface ResultStream extends AsyncIterable<ResultPart> {
  /** `events` of a subscription; `parts` of one result, with `@defer` or `@stream`. */
  readonly kind: 'events' | 'parts';
}

export function isResultStream(result: object): result is ResultStream {
  return isAsyncIterable(result) && 'kind' in result;
}

/** @throws Error if the subscription cannot start */
export type Subscribe = (
  operation: RequestedOperation,
  context: GatewayContext,
  observe: Recorded['observe'],
) => Promise<ExecutionResult | ResultStream>;

export interface SubscriberParts {
  /** A new context for an event, without cached values and charges. */
  readonly renew: (
    context: GatewayContext,
    event: { readonly signal: AbortSignal; readonly memory: RequestMemory },
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
    operation: RequestedOperation,
    subscription: GatewayContext,
    change: object,
    use: EventUse,
  ): EventMaking<ExecutedEvent> {
    const controller = new AbortController();
    const memory = subscription.gateway.memory.open(subscription.client ?? IN_PROCESS);
    const context = renew(subscription, { signal: controller.signal, memory });
    const make = async (): Promise<ExecutedEvent> => {
      const result = await executeWhole(operation, context, change);
      // Its text is created once for all subscribers, and its memory is released with that of the event.
      if (result.data !== undefined && result.data !== null)
        shareText(result.data, { isShared: () => use.takers > 1, hold: (bytes) => memory.add(bytes) });
      return {
        result: memory.refusal === undefined ? result : refused(memory.refusal),
        budget: context.budget,
      };
    };
    const end = (): void => {
      controller.abort(new DOMException('all subscribers have disconnected', 'AbortError'));
      memory.end();
    };
    return { outcome: make(), end };
  }

  return async (operation, context, observe) => {
    const start = performance.now();
    const subscription = validateSubscriptionArgs({ ...operation, contextValue: context });
    const changes =
      'schema' in subscription ? await createSourceEventStream(subscription) : { errors: subscription };
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
    const results = mapUntilNext(changes[Symbol.asyncIterator](), async (value) => {
      const eventStart = performance.now();
      const change = typeof value === 'object' && value !== null ? value : {};
      const { event, release } = await shared.take(change, key, (use) =>
        executeEvent(operation, context, change, use),
      );
      record(operation.definition, { observe, budget: event.budget }, eventStart, event.result);
      return { value: event.result, release };
    });
    return shownResults('events', results, show);
  };
}

function refused(error: Error): ExecutionResult {
  return { errors: [new GraphQLError(error.message, { originalError: error })] };
}

/** A unique key if the variables cannot be converted to JSON, so that such events are not shared. */
function parametersOf({ operationName, variableValues }: RequestedOperation): string {
  try {
    return JSON.stringify([operationName ?? null, variableValues ?? null]);
  } catch {
    return randomUUID();
  }
}

/** Converts errors to the form that clients may see. If the iteration fails, the last result reports it. */
export function shownResults(
  kind: ResultStream['kind'],
  results: AsyncIterator<ResultPart, undefined>,
  show: (error: unknown) => GraphQLError,
): ResultStream {
  let failed = false;
  const shown: AsyncIterator<ResultPart, undefined> = {
    async next() {
      if (failed) return { value: undefined, done: true };
      try {
        const next = await results.next();
        return next.done === true ? next : { value: shownPart(next.value, show), done: false };
      } catch (error) {
        failed = true;
        const value = { errors: [show(error)], ...(kind === 'parts' ? { hasNext: false } : {}) };
        return { value, done: false };
      }
    },
    return: async () => (await results.return?.()) ?? { value: undefined, done: true },
  };
  return { kind, [Symbol.asyncIterator]: () => shown };
}

function shownPart(part: ResultPart, show: (error: unknown) => GraphQLError): ResultPart {
  const shown = withShownErrors(part, show);
  const { incremental, completed } = part;
  if (incremental === undefined && completed === undefined) return shown;
  return {
    ...shown,
    ...(incremental && { incremental: incremental.map((each) => withShownErrors(each, show)) }),
    ...(completed && { completed: completed.map((each) => withShownErrors(each, show)) }),
  };
}

function withShownErrors<T extends PartWithErrors>(part: T, show: (error: unknown) => GraphQLError): T {
  return part.errors === undefined ? part : { ...part, errors: part.errors.map(show) };
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
