/** Execute step for clients that can read a result in parts: operations with `@defer` and `@stream`. */
import {
  type DirectiveNode,
  type ExecutionResult,
  experimentalExecuteIncrementally,
  type GraphQLError,
  Kind,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import type { GatewayContext } from '../../resolvers/context.js';
import type { Identified, PartWithErrors, ResultPart } from '../../transport/graphql-response.js';
import { InputError } from '../../zarr/index.js';
import { withCost } from './cost.js';
import type { RequestedOperation } from './choose-operation.js';
import type { Recorded, RecordOperation } from './record-operations.js';
import { type ResultStream, shownResults } from './subscribe.js';

/**
 * Maximum number of parts. graphql starts all of them in one turn of the event loop, so an operation that could have
 * more is executed as if it had no `@defer` and `@stream`.
 */
export const MAX_PARTS = 500;

/** Memory of a part in the executor, in bytes (measured: 1300 to 1800). */
const PART_BYTES = 2048;

export interface PartsOptions {
  readonly observe: Recorded['observe'];
  readonly record: RecordOperation;
  /** The form of an error that clients may see. */
  readonly show: (error: unknown) => GraphQLError;
}

/**
 * Executes a query. It is recorded once, when its last part is computed or the client has left.
 * @param most maximum number of parts
 * @returns the result, or its parts if the operation defers some of it
 * @throws BusyError, AbortedError if the operation did not start, or if memory was denied to the first part
 */
export async function executeInParts(
  operation: RequestedOperation,
  context: GatewayContext,
  most: number,
  { observe, record, show }: PartsOptions,
): Promise<ExecutionResult | ResultStream> {
  const { budget, memory, signal, operationMemory } = context;
  const start = performance.now();
  const enableEarlyExecution = isStreaming(operation);
  const granted = budget.reserveFields(signal);
  if (granted !== undefined) await granted;
  await memory.take(most * PART_BYTES, { signal });
  const executed = await experimentalExecuteIncrementally({
    ...operation,
    contextValue: context,
    enableEarlyExecution,
  });
  const errors: GraphQLError[] = [];
  const finish = (): void => record(operation.definition, { observe, budget }, start, { errors });
  if (!('initialResult' in executed)) {
    if (memory.refusal !== undefined) throw memory.refusal;
    const result = operation.cost === undefined ? executed : withCost(executed, budget.spent());
    errors.push(...(result.errors ?? []));
    finish();
    return result;
  }
  const { initialResult, subsequentResults } = executed;
  if (memory.refusal !== undefined) {
    await subsequentResults.return();
    throw memory.refusal;
  }
  const parts = partsOf(initialResult, subsequentResults, {
    passed(part) {
      errors.push(...errorsOf(part));
      return part.hasNext === false && operation.cost !== undefined
        ? { ...part, extensions: { ...part.extensions, cost: budget.spent() } }
        : part;
    },
    // In a later turn: until then, parts that start now have taken the values that they share with this one.
    sent: (part) => void setImmediate(() => operationMemory.sent(part)),
    ended: finish,
  });
  return shownResults('parts', parts, show);
}

interface PartEvents {
  /** Called before a part is sent. */
  readonly passed: (part: ResultPart) => ResultPart;
  readonly sent: (part: ResultPart) => void;
  /** Called once, after the last part or when the client has left. */
  readonly ended: () => void;
}

/** A part has been sent when the next one is requested. */
function partsOf(
  first: ResultPart,
  others: AsyncGenerator<ResultPart, void>,
  { passed, sent, ended }: PartEvents,
): AsyncIterator<ResultPart, undefined> {
  let ready: ResultPart[] = [first];
  let last: ResultPart | undefined;
  let hasEnded = false;
  const end = (): void => {
    if (!hasEnded) ended();
    hasEnded = true;
  };
  const take = (part: ResultPart): IteratorResult<ResultPart, undefined> => {
    last = part;
    const value = passed(part);
    if (part.hasNext === false) end();
    return { value, done: false };
  };
  return {
    async next() {
      const left = last;
      last = undefined;
      try {
        const following = ready.length === 0 ? others.next() : undefined;
        if (left !== undefined) sent(left);
        const next = await following;
        if (next?.done !== true) ready.push(...(next === undefined ? [] : separated(next.value)));
        const part = ready.shift();
        if (part !== undefined) return take(part);
      } catch (error) {
        end();
        throw error;
      }
      end();
      return { value: undefined, done: true };
    },
    async return() {
      end();
      ready = [];
      await others.return();
      return { value: undefined, done: true };
    },
  };
}

/**
 * Splits a part that has several deferred results, which graphql joins if they are ready at the same time: a client
 * reads the first one before the others arrive, and its memory is released before theirs.
 */
function separated(part: ResultPart): ResultPart[] {
  const { incremental = [], pending = [], completed = [], ...rest } = part;
  if (incremental.length <= 1) return [part];
  let [announced, finished] = [pending, completed];
  return incremental.map((each, i): ResultPart => {
    const later = incremental.slice(i + 1);
    const isLast = later.length === 0;
    // Announced with its first data, or at the end; finished with its last data.
    const isOwn = ({ id }: Identified): boolean => isLast || id === each.id;
    const isFinished = (one: Identified): boolean => isOwn(one) && later.every(({ id }) => id !== one.id);
    const [ownPending, ownCompleted] = [announced.filter(isOwn), finished.filter(isFinished)];
    announced = announced.filter((one) => !ownPending.includes(one));
    finished = finished.filter((one) => !ownCompleted.includes(one));
    return {
      ...(isLast ? rest : { hasNext: true }),
      ...(ownPending.length > 0 && { pending: ownPending }),
      incremental: [each],
      ...(ownCompleted.length > 0 && { completed: ownCompleted }),
    };
  });
}

function errorsOf(part: ResultPart): GraphQLError[] {
  const { incremental = [], completed = [] } = part;
  const all: readonly PartWithErrors[] = [part, ...incremental, ...completed];
  return all.flatMap((each) => each.errors ?? []);
}

/**
 * Whether the operation has a list with `@stream`. Its items must then be computed before they are requested:
 * otherwise graphql computes them one after the other. Deferred fragments start together after the first part.
 * @throws InputError for a negative `initialCount`
 */
function isStreaming({ document, variableValues = {} }: RequestedOperation): boolean {
  let streams = false;
  visit(document, {
    Directive(node) {
      if (node.name.value !== 'stream') return;
      streams = true;
      checkInitialCount(node, variableValues);
    },
  });
  return streams;
}

function checkInitialCount(
  { arguments: args }: DirectiveNode,
  variables: Readonly<Record<string, unknown>>,
): void {
  const argument = args?.find(({ name }) => name.value === 'initialCount');
  if (argument === undefined || argument.value.kind === Kind.NULL) return;
  const count = Number(valueFromASTUntyped(argument.value, { ...variables }));
  if (count < 0) throw new InputError(`"initialCount" of @stream is ${count}; it must not be negative`);
}
