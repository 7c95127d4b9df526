/**
 * The operations of a connection that carries several at a time. Each one is admitted, limited, logged and counted like a
 * request. Protocols differ in how they receive operations and in the form of their messages.
 */
import { setMaxListeners } from 'node:events';
import type { OperationRecord, ResultMessages } from '../../gateway/options.js';
import { BusyError } from '../../memory/busy-error.js';
import { type RequestMemory } from '../../memory/budget.js';
import { BODY_FACTOR, PARSED_BODY_FACTOR, REQUEST_BYTES } from '../../memory/sizes.js';
import { LimitError } from '../../zarr/index.js';
import type { ConnectedClient, OperationAdmission } from '../access-control.js';
import type { Exchange } from '../exchange.js';
import { createTimeLimit, type Running } from '../gateway-handler.js';
import type { HttpServerParts } from '../options.js';
import {
  abortProblem,
  busy,
  internalProblem,
  type Problem,
  problemErrors,
  shuttingDown,
  tooLargeProblem,
  tooManyOperations,
} from '../problem.js';
import type { LoggedExchange, LogRequest } from '../request-log.js';
import type { MessageWriter } from './message-writer.js';

/** Maximum length of the id of an operation. */
export const MAX_ID_LENGTH = 200;

export interface OperationsParts extends Pick<HttpServerParts, 'config' | 'gateway' | 'logger' | 'metrics'> {
  readonly running: Running;
  readonly log: LogRequest;
}

/** The messages of a protocol, as text. */
export interface MessageForm {
  /** The method of operations in the log and metrics. */
  readonly logged: string;
  /** The texts before and after a result. */
  next(id: string): readonly [string, string];
  /** The message of an operation that was not executed; it is the last one. */
  error(id: string, errors: string): string;
  complete(id: string): string;
}

/** An operation that has been admitted. Either `execute`, `fail` or `drop` ends it. */
export interface BegunOperation {
  readonly memory: RequestMemory;
  /** Fires when the operation is cancelled. */
  readonly signal: AbortSignal;
  /**
   * @param id must not be in use
   * @param bytes size of the parameters, for which no memory has been reserved yet
   */
  execute(id: string, parameters: Readonly<Record<string, unknown>>, bytes: number): Promise<void>;
  fail(id: string, problem: Problem): Promise<void>;
  /** Ends the operation without a message or log entry, because its request was rejected. */
  drop(): void;
}

/** @param exchange the request of the connection, whose route the log and metrics contain */
export function createOperations(
  exchange: Exchange,
  { config, gateway, logger, metrics, running, log }: OperationsParts,
  form: MessageForm,
  writer: Pick<MessageWriter, 'send'>,
) {
  const operations = new Map<string, AbortController>();
  let active = 0;
  let onIdle: (() => void) | undefined;

  /** Runs an operation, and logs and counts it. */
  async function during(
    run: Run,
    signal: AbortSignal | undefined,
    action: () => Promise<void>,
  ): Promise<void> {
    const started = performance.now();
    metrics.inFlight(1);
    try {
      await action();
    } finally {
      metrics.inFlight(-1);
      const aborted = signal?.aborted === true;
      const { path, route } = exchange;
      const { status = aborted ? 499 : 200, sentBytes, operations: executed } = run;
      const durationMs = performance.now() - started;
      const outcome = { path, status, durationMs, responseBytes: sentBytes, aborted, operations: executed };
      const record = { method: form.logged, ...outcome };
      metrics.request({ ...record, route });
      run.tooSlow = exchange.tooSlow;
      log(run, record, false);
    }
  }

  function leave(): void {
    active--;
    if (active === 0) onIdle?.();
  }

  async function fail(run: Run, problem: Problem, signal: AbortSignal | undefined): Promise<void> {
    run.status = problem.status;
    run.problemCode = problem.code;
    const errors = JSON.stringify(problemErrors(problem, run.id));
    run.sentBytes += await writer.send(form.error(run.operationId, errors), signal);
  }

  async function execute(
    run: Run,
    controller: AbortController,
    memory: RequestMemory,
    admission: OperationAdmission,
    parameters: Readonly<Record<string, unknown>>,
    bytes: number,
  ): Promise<void> {
    const { signal } = controller;
    const limit = createTimeLimit(config.requestTimeoutMs, () => {
      controller.abort(new DOMException('the operation exceeded its time limit', 'TimeoutError'));
      fail(run, abortProblem(signal.reason, config.requestTimeoutMs), undefined).catch((error: unknown) =>
        logger.error({ err: error, id: run.id }, 'operation failed'),
      );
    });
    let results: ResultMessages | undefined;
    // Ends a subscription even while it waits for a change.
    const stop = (): void => {
      results
        ?.return()
        .catch((error: unknown) => logger.error({ err: error, id: run.id }, 'operation failed'));
    };
    signal.addEventListener('abort', stop);
    try {
      await memory.take(REQUEST_BYTES + bytes * (BODY_FACTOR + PARSED_BODY_FACTOR), { signal });
      const refusal = await admission.refusal;
      if (refusal !== undefined) return await fail(run, refusal, signal);
      const started = gateway.handleMessage({ parameters, signal, inParts: true }, admission.caller);
      results = await limit.during(started);
      await sendResults(run, results, signal, (next) =>
        results?.lasts === 'execution' ? limit.during(next) : next,
      );
    } catch (error) {
      if (error instanceof BusyError) await fail(run, busy(error), signal);
      else if (error instanceof LimitError) await fail(run, tooLargeProblem(error), signal);
      else if (!signal.aborted) {
        logger.error({ err: error, id: run.id }, 'operation failed');
        await fail(run, internalProblem, signal);
      }
    } finally {
      stop();
    }
  }

  async function sendResults(
    run: Run,
    results: ResultMessages,
    signal: AbortSignal,
    within: <T>(awaited: Promise<T>) => Promise<T>,
  ): Promise<void> {
    const id = run.operationId;
    while (!signal.aborted) {
      const next = await within(results.next());
      if (signal.aborted) return;
      if (next.done === true) {
        run.sentBytes += await writer.send(form.complete(id), signal);
        return;
      }
      const { failure } = next.value;
      if (failure !== undefined) {
        run.status = 400;
        run.sentBytes += await writer.send(form.error(id, failure), signal);
        return;
      }
      run.sentBytes += await writer.send(await next.value.write(...form.next(id)), signal);
    }
  }

  return {
    /** Number of operations that have not ended, including cancelled ones. */
    get active(): number {
      return active;
    },
    has: (id: string): boolean => operations.has(id),
    /**
     * @param request whose id the log contains
     * @returns why the operation is not admitted
     */
    begin(owner: ConnectedClient, request: Exchange): BegunOperation | Problem {
      if (onIdle !== undefined) return shuttingDown;
      if (active >= config.maxConnectionOperations) return tooManyOperations(config.maxConnectionOperations);
      const run = new Run(request, owner);
      const memory = gateway.memory.open(owner.client);
      const admission = owner.admitOperation(memory, (operation) => {
        run.operations = [operation];
      });
      if ('status' in admission) {
        memory.end();
        return admission;
      }
      const controller = new AbortController();
      const { signal } = controller;
      // Many reads of an operation share its signal.
      setMaxListeners(0, signal);
      active++;
      running.add(controller);
      const drop = (): void => {
        if (operations.get(run.operationId) === controller) operations.delete(run.operationId);
        running.delete(controller);
        memory.end();
        admission.end();
        leave();
      };
      const ending = async (id: string, action: () => Promise<void>): Promise<void> => {
        run.operationId = id;
        operations.set(id, controller);
        try {
          await during(run, signal, action);
        } finally {
          drop();
        }
      };
      return {
        memory,
        signal,
        execute: (id, parameters, bytes) =>
          ending(id, () => execute(run, controller, memory, admission, parameters, bytes)),
        fail: (id, problem) => ending(id, () => fail(run, problem, signal)),
        drop,
      };
    },
    /** Sends the error of an operation that was not admitted. */
    async refuse(owner: ConnectedClient, request: Exchange, id: string, problem: Problem): Promise<void> {
      const run = new Run(request, owner);
      run.operationId = id;
      active++;
      try {
        await during(run, undefined, () => fail(run, problem, undefined));
      } finally {
        leave();
      }
    },
    cancel(id: string): boolean {
      const controller = operations.get(id);
      // The id may be used again, although the operation has not ended yet.
      operations.delete(id);
      controller?.abort(ended());
      return controller !== undefined;
    },
    cancelAll(): void {
      for (const controller of operations.values()) controller.abort(ended());
    },
    /** Admits no further operations, and calls `onIdle` when all have ended. */
    drain(whenIdle: () => void): void {
      onIdle = whenIdle;
      if (active === 0) whenIdle();
    },
  };
}

export function ended(): DOMException {
  return new DOMException('the client has ended the operation', 'AbortError');
}

/** What the log contains about an operation. */
class Run implements LoggedExchange {
  operationId = '';
  readonly id: string;
  readonly address: string;
  readonly caller: string | undefined;
  operations: readonly OperationRecord[] = [];
  readonly failure = undefined;
  problemCode: string | undefined;
  tooSlow = false;
  status: number | undefined;
  sentBytes = 0;

  constructor({ id, address }: Exchange, { name }: ConnectedClient) {
    this.id = id;
    this.address = address;
    this.caller = name;
  }
}
