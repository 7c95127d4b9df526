/**
 * The fast path: POST requests whose document is already validated, which is the common case. They run the
 * steps of the pipeline without Yoga, whose request and response objects cost more than a small query. Yoga
 * handles all other requests.
 */
import type { RawResponse } from '../transport/response.js';
import type { OperationHttpRequest } from './options.js';
import { bodyParserFor } from './pipeline/parameters.js';
import type { CallerScope, Pipeline, TextRequest } from './pipeline/pipeline.js';
import { acceptedBy, writeResult } from './pipeline/write.js';

/** Maximum body size in bytes. Larger bodies usually contain values to write; parsing them twice would cost too much. */
const MAX_BODY_BYTES = 2 ** 16;

type FastPipeline = Pick<Pipeline, 'resolve' | 'run'> & {
  readonly documents: Pick<Pipeline['documents'], 'isRemembered'>;
};

/** @returns undefined for requests that Yoga has to handle. Rejects if the signal fires */
export async function runFast(
  pipeline: FastPipeline,
  request: OperationHttpRequest,
  caller: CallerScope,
): Promise<RawResponse | undefined> {
  const { method, headers, signal } = request;
  const accepted = acceptedBy(headers['accept']);
  if (accepted.result === undefined) return undefined;
  const query = resolve(pipeline, request);
  if (query === undefined || !pipeline.documents.isRemembered(query.document.text)) return undefined;
  const result = await pipeline.run(query, {
    transport: 'POST',
    inParts: accepted.parts !== undefined,
    signal,
    ...caller,
  });
  const response = await writeResult(result, { method, accepted, ifNoneMatch: undefined });
  if (!signal.aborted) return response;
  if (response.body instanceof ReadableStream) await response.body.cancel();
  throw signal.reason;
}

function resolve(
  pipeline: FastPipeline,
  { method, query, headers, body }: OperationHttpRequest,
): TextRequest | undefined {
  if (method !== 'POST' || query !== '' || body === null || body.length > MAX_BODY_BYTES) return undefined;
  try {
    return pipeline.resolve(bodyParserFor(headers['content-type'])?.(body));
  } catch {
    // Yoga reports malformed requests.
    return undefined;
  }
}
