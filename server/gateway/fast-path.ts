/**
 * The fast path: remembered documents by POST, which are most requests of most clients. They take the steps of the
 * pipeline without Yoga, whose request and response objects cost more than a small query. Yoga handles the rest.
 */
import type { RawResponse } from '../transport/raw-response.js';
import { eventStreamMediaType } from '../transport/event-stream.js';
import type { OperationHttpRequest } from './options.js';
import { bodyParserFor } from './pipeline/parameters.js';
import type { CallerScope, Pipeline, TextRequest } from './pipeline/pipeline.js';
import { chooseResponseMediaType, writeResult } from './pipeline/write.js';

/** Larger bodies bring values to be written, and are parsed once only. */
const MAX_BODY_BYTES = 2 ** 16;

/** @returns undefined for requests that Yoga has to handle. Rejects if the signal fires */
export type FastPath = (
  request: OperationHttpRequest,
  caller: CallerScope,
) => Promise<RawResponse> | undefined;

export function createFastPath(pipeline: Pick<Pipeline, 'documents' | 'resolve' | 'run'>): FastPath {
  function resolve({ method, query, headers, body }: OperationHttpRequest): TextRequest | undefined {
    if (method !== 'POST' || query !== '' || body === null || body.length > MAX_BODY_BYTES) return undefined;
    const mediaType = chooseResponseMediaType(headers['accept']);
    if (mediaType === undefined || mediaType === eventStreamMediaType) return undefined;
    try {
      return pipeline.resolve(bodyParserFor(headers['content-type'])?.(body));
    } catch {
      // Malformed: Yoga reports it.
      return undefined;
    }
  }

  async function respond(
    query: TextRequest,
    { method, headers, signal }: OperationHttpRequest,
    caller: CallerScope,
  ): Promise<RawResponse> {
    const result = await pipeline.run(query, { ...caller, transport: 'POST', signal });
    const accept = headers['accept'];
    const response = await writeResult(result, { method, accept, ifNoneMatch: undefined });
    if (signal.aborted && response.body instanceof ReadableStream) await response.body.cancel();
    signal.throwIfAborted();
    return response;
  }

  return (request, caller) => {
    const query = resolve(request);
    return query !== undefined && pipeline.documents.isRemembered(query.document.text)
      ? respond(query, request, caller)
      : undefined;
  };
}
