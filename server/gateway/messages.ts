/**
 * Operations of protocols that exchange messages instead of HTTP responses, such as graphql-ws: the pipeline with
 * results that are written into messages.
 */
import type { ExecutionResult } from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import { resultText } from '../transport/json/result-text.js';
import { type ResultPart, shownResult } from '../transport/graphql-response.js';
import { type BodyPiece, timeSlicedBody } from '../transport/time-sliced-body.js';
import { inTurn } from '../zarr/index.js';
import { IN_PROCESS, type MemoryBudget } from '../memory/budget.js';
import type { MessageRequest, ResultMessage, ResultMessages } from './options.js';
import type { CallerScope, Pipeline } from './pipeline/pipeline.js';
import type { ResultStream } from './pipeline/subscribe.js';

/** Runs an operation. Never rejects: errors are results. @param open the pipeline of the requested schema */
export async function runMessage(
  open: () => Promise<Pipeline>,
  pipeline: Pick<Pipeline, 'failure'>,
  memory: MemoryBudget,
  { parameters, signal, inParts }: MessageRequest,
  caller: CallerScope,
): Promise<ResultMessages> {
  const own = caller.memory === undefined ? memory.open(caller.client ?? IN_PROCESS) : undefined;
  const scope = { ...caller, memory: caller.memory ?? own, transport: 'POST', inParts, signal } as const;
  const result = await run(async () => {
    const own = await open();
    await own.prepare(parameters);
    return own.run(own.resolve(parameters), scope);
  }, pipeline);
  const results: AsyncIterator<ResultPart, unknown> = isAsyncIterable(result)
    ? result[Symbol.asyncIterator]()
    : only(result);
  const lasts = isAsyncIterable(result) && result.kind === 'events' ? 'caller' : 'execution';
  return toMessages(results, lasts, () => own?.end());
}

async function run(
  start: () => Promise<ExecutionResult | ResultStream>,
  pipeline: Pick<Pipeline, 'failure'>,
): Promise<ExecutionResult | ResultStream> {
  try {
    return await start();
  } catch (error) {
    return pipeline.failure(error);
  }
}

async function* only(result: ExecutionResult): AsyncGenerator<ExecutionResult, undefined> {
  yield await Promise.resolve(result);
  return undefined;
}

function toMessages(
  results: AsyncIterator<ResultPart, unknown>,
  lasts: ResultMessages['lasts'],
  onEnd: () => void,
): ResultMessages {
  return {
    lasts,
    async next() {
      const next = await results.next();
      if (next.done !== true) return { value: messageOf(next.value), done: false };
      onEnd();
      return { value: undefined, done: true };
    },
    async return() {
      onEnd();
      await results.return?.();
      return { value: undefined, done: true };
    },
  };
}

function messageOf(result: ResultPart): ResultMessage {
  const shown = shownResult(result);
  return {
    // A result without `data` reports that nothing was executed, unless it is a part of another one.
    failure:
      result.data === undefined && result.hasNext === undefined
        ? JSON.stringify(shown['errors'] ?? [])
        : undefined,
    // One event may have hundreds of subscribers, whose results arrive in the same turn of the event loop.
    write: (before, after) => inTurn(() => timeSlicedBody(envelope(before, shown, after))),
  };
}

function* envelope(before: string, shown: object, after: string): Generator<BodyPiece> {
  yield before;
  yield* resultText(shown);
  yield after;
}
