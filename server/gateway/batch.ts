/**
 * Batches: an array of operations in one request, as Apollo's BatchHttpLink sends it. Each operation takes the steps of
 * the pipeline and is admitted, charged and recorded like a request; memory, time limit and response are shared.
 */
import { type ExecutionResult, GraphQLError } from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import { resultForm } from '../transport/forms/forms.js';
import { rawResponse, type RawResponse } from '../transport/response.js';
import { shownResult, type SingleResult } from '../transport/graphql-response.js';
import { timeSlicedBody } from '../transport/time-sliced-body.js';
import { inTurn } from '../zarr/index.js';
import type { Pipeline, CallerScope } from './pipeline/pipeline.js';
import { acceptedBy } from './pipeline/write.js';
import { batchNotAcceptable, batchTooLarge, emptyBatch } from './http-errors.js';

/** @returns the response to an array that is not executed; undefined for a valid one */
export function batchRefusal(
  { length }: readonly unknown[],
  accept: string | null | undefined,
  maxBatchOperations: number,
): RawResponse | undefined {
  if (length > maxBatchOperations) return batchTooLarge(length, maxBatchOperations);
  if (length === 0) return emptyBatch();
  return acceptedBy(accept).batch === undefined ? batchNotAcceptable() : undefined;
}

/** Runs the operations of one batch. The first one has been admitted with the request. */
export function createBatchRunner(
  pipeline: Pick<Pipeline, 'prepare' | 'resolve' | 'run' | 'failure'>,
  caller: CallerScope,
): (parameters: unknown, signal: AbortSignal) => Promise<ExecutionResult> {
  let isFirst = true;
  return async (parameters, signal) => {
    const admitted = isFirst ? caller : await caller.admitFurther?.();
    isFirst = false;
    if (admitted !== undefined && 'message' in admitted) {
      const { message, extensions } = admitted;
      return { errors: [new GraphQLError(message, { extensions })] };
    }
    const observe = admitted?.observe ?? caller.observe;
    // Parsing and validating all documents in one turn of the event loop would block it.
    try {
      const scope = { ...caller, observe, transport: 'batch', signal } as const;
      await pipeline.prepare(parameters);
      const result = await (
        await inTurn(() => ({ running: pipeline.run(pipeline.resolve(parameters), scope) }))
      ).running;
      if (isAsyncIterable(result)) throw new TypeError('an operation of a batch has a stream of results');
      return result;
    } catch (error) {
      return pipeline.failure(error);
    }
  };
}

/** The results in the order of the operations. Status 200, because clients treat any other as a failure of them all. */
export function writeBatch(
  results: readonly SingleResult[],
  accept: string | null | undefined,
): Promise<RawResponse> {
  const mediaType = acceptedBy(accept).batch ?? 'application/json';
  const form = resultForm(mediaType);
  const headers = {
    'content-type': form.isText ? `${mediaType}; charset=utf-8` : mediaType,
    vary: 'Accept',
  };
  return inTurn(() => rawResponse(timeSlicedBody(form.write(results.map(shownResult))), 200, headers));
}
