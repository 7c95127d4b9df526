/**
 * Queries that were asked before, sent the plain way: by POST, as text with its variables. That is nearly every request
 * of a program, and the general form of HTTP around it takes longer than a small answer does. They go through the same
 * steps of execution as all others; whatever is not quite as plain is left to the server.
 */
import { type DocumentNode, type ExecutionResult, getOperationAST } from 'graphql';
import { chooseMediaType } from '../transport/accept.js';
import { isCborType, parseCborBody } from '../transport/cbor-request.js';
import { eventStreamMediaType } from '../transport/event-stream.js';
import { resultAnswer, type ResultMediaType, resultMediaTypes } from '../transport/result-response.js';
import type { Answer } from './answer.js';
import { executeOperation, type Executor, type Operation } from './execute.js';
import { isJsonType, isNestedTooDeeply, parseJsonBody } from './json-requests.js';
import type { CallerOptions, PostedQuery } from './options.js';

/** Longer ones bring values to be written, and are read once only. */
const maxBodyBytes = 2 ** 16;

const offered = [...resultMediaTypes, eventStreamMediaType] as const;
const plainParameters = ['query', 'variables', 'operationName', 'extensions'];

/** @param known the valid document of a text that was asked before */
export function createKnownQueries(
  executor: Executor,
  known: (text: string) => DocumentNode | undefined,
): (posted: PostedQuery, caller: CallerOptions) => Promise<Answer> | undefined {
  async function answer(
    query: Operation,
    mediaType: ResultMediaType,
    signal: AbortSignal,
    caller: CallerOptions,
  ): Promise<Answer> {
    let result: ExecutionResult;
    try {
      result = await executeOperation(
        executor,
        {
          rights: caller,
          observe: caller.observe,
          memory: caller.memory,
          client: caller.client,
          signal,
          valuesAreSent: true,
        },
        query,
      );
    } catch (error) {
      result = { errors: [executor.show(error)] };
    }
    signal.throwIfAborted();
    return resultAnswer(result, mediaType);
  }

  return (posted, caller) => {
    if (posted.body.length > maxBodyBytes) return undefined;
    const mediaType = chooseMediaType(posted.accept ?? null, offered);
    if (mediaType === undefined || mediaType === eventStreamMediaType) return undefined;
    const query = plainQuery(parseBody(posted), known);
    return query === undefined ? undefined : answer(query, mediaType, posted.signal, caller);
  };
}

/** What is no request is for the server to refuse. */
function parseBody({ contentType, body }: PostedQuery): unknown {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  try {
    if (isJsonType(type)) return parseJsonBody(body);
    return isCborType(type) ? parseCborBody(body) : undefined;
  } catch {
    return undefined;
  }
}

/** As it came. */
interface Request {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

function plainQuery(body: unknown, known: (text: string) => DocumentNode | undefined): Operation | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { query, variables, operationName, extensions }: Request = body;
  if (typeof query !== 'string' || asksForMore(extensions)) return undefined;
  if (!Object.keys(body).every((name) => plainParameters.includes(name))) return undefined;
  const document = known(query);
  if (document === undefined || !isVariables(variables) || !isName(operationName)) return undefined;
  if (getOperationAST(document, operationName)?.operation !== 'query') return undefined;
  return isNestedTooDeeply(variables)
    ? undefined
    : { document, variables: variables ?? undefined, operationName: operationName ?? undefined };
}

/** Whether extensions are among those that change the answer, or are none at all. */
function asksForMore(extensions: unknown): boolean {
  if (extensions === undefined || extensions === null) return false;
  if (typeof extensions !== 'object' || Array.isArray(extensions)) return true;
  return 'cost' in extensions || 'persistedQuery' in extensions;
}

function isVariables(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}

function isName(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || (typeof value === 'string' && value !== '');
}
