/**
 * Remembers whole responses. A request that equals an earlier one receives the same bytes, after everything that they
 * were computed from has been compared with the stores and with the caller's rights. Only what is requested repeatedly
 * is remembered: the second equal request is recorded.
 */
import { hash } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { type KeptValues, requestedOnce } from '../../analysis/result-cache.js';
import { type CallerRights, seesEverything } from '../../resolvers/access/caller-rights.js';
import { byteLengthOf, rawResponse, type RawResponse } from '../../transport/response.js';
import { objectId } from '../../zarr/index.js';
import type { AnswerOutcome, OperationHttpRequest } from '../options.js';
import { matchesEtag } from '../pipeline/cache-control.js';
import type { CallerScope } from '../pipeline/pipeline.js';
import type { RecordOperation } from '../pipeline/record-operations.js';
import { BasisChecks, isCurrentSnapshot } from './basis.js';
import { decideAlike, type RecordedBasis, Recording } from './recording.js';

/** A remembered response with status 200. */
export interface KnownAnswer extends RecordedBasis {
  readonly headers: RawResponse['headers'];
  /** Shared by all responses, so it must not be modified. */
  readonly body: Uint8Array;
}

export interface AnswersOptions {
  readonly kept: KeptValues<KnownAnswer>;
  readonly record: RecordOperation;
  readonly onLookup: (outcome: AnswerOutcome) => void;
}

/** Executes a request. */
type Run = (request: OperationHttpRequest, scope: CallerScope) => Promise<RawResponse>;

/** Maximum length of a key that is not hashed. */
const SHORT_KEY = 1024;
/** Maximum size in bytes of what identifies a request. Larger requests usually contain values. */
const MAX_REQUEST_BYTES = 2 ** 16;
/** Estimated memory of an object, a listing or a decision, in bytes. */
const DEPENDENCY_BYTES = 300;
/** Maximum size in bytes of a response that is created while it is sent and is remembered. */
const MAX_STREAMED_BYTES = 8 * 2 ** 20;
/** Requests that are recorded at a time, because each opens its nodes again in memory that no budget contains. */
const MAX_RECORDED = 4;
/** Maximum number of requests between two attempts to remember a response. */
const MAX_PAUSE = 256;

export class Answers {
  readonly #kept: KeptValues<KnownAnswer>;
  readonly #record: RecordOperation;
  readonly #onLookup: AnswersOptions['onLookup'];
  readonly #checks = new BasisChecks();
  /** Keys of requests that are being recorded. */
  readonly #recorded = new Set<string>();
  /** Number of changes of the configuration. */
  #configuration = 0;

  constructor({ kept, record, onLookup }: AnswersOptions) {
    this.#kept = kept;
    this.#record = record;
    this.#onLookup = onLookup;
  }

  /** Forgets everything, because the stores or options of the gateway have changed. */
  configurationChanged(): void {
    this.#configuration += 1;
    this.#kept.clear();
  }

  /**
   * Responds with the remembered response, or runs the request.
   * @param schema of the endpoint. That of a store is another one when the store's nodes or what the caller sees of them
   * have changed
   */
  async respond(
    schema: GraphQLSchema,
    request: OperationHttpRequest,
    scope: CallerScope,
    run: Run,
  ): Promise<RawResponse> {
    const key = this.#keyOf(schema, request, scope);
    if (key === undefined) return run(request, scope);
    const answer = this.#kept.get(key);
    if (answer !== undefined) {
      const startMs = performance.now();
      if (await this.#isCurrent(answer, request, scope)) return this.#send(answer, request, scope, startMs);
      this.#onLookup('changed');
      if (this.#kept.get(key) === answer) this.#kept.delete(key);
      return run(request, scope);
    }
    this.#onLookup('miss');
    return this.#mayRecord(key) ? this.#runRecorded(key, request, scope, run) : run(request, scope);
  }

  /** What determines the response, except for stored data; undefined for requests that are not remembered. */
  #keyOf(
    schema: GraphQLSchema,
    { method, query, headers, body }: OperationHttpRequest,
    scope: CallerScope,
  ): string | undefined {
    if (this.#kept.maxBytes === 0) return undefined;
    const isGet = method === 'GET' && body === null;
    const isPost = method === 'POST' && body !== null && query === '';
    if (!isGet && !isPost) return undefined;
    if (lengthOf({ query, body }) > MAX_REQUEST_BYTES) return undefined;
    const { accept = '', 'content-type': contentType = '' } = headers;
    const audience = `${objectId(schema)} ${scope.shared === true} ${rightsKey(scope.rights)}`;
    // No header contains the separator.
    const key = `${method}\n${accept}\n${contentType}\n${audience}\n${query}\n${body?.toString('latin1') ?? ''}`;
    return key.length <= SHORT_KEY ? key : hash('sha256', key, 'base64url');
  }

  async #isCurrent(
    answer: KnownAnswer,
    { signal }: OperationHttpRequest,
    { rights, memory }: CallerScope,
  ): Promise<boolean> {
    try {
      const { stores, snapshots, decisions, body } = answer;
      const [only] = stores;
      if (only !== undefined && stores.length === 1 && snapshots.length === 0) {
        if (!(await this.#checks.isCurrent(only, signal))) return false;
      } else {
        const current = await Promise.all([
          ...stores.map((basis) => this.#checks.isCurrent(basis, signal)),
          ...snapshots.map((basis) => isCurrentSnapshot(basis, signal)),
        ]);
        if (!current.every(Boolean)) return false;
      }
      if (!decideAlike(decisions, rights)) return false;
      // The body is held until the client has read it, even if the cache evicts it.
      const granted = memory?.take(body.length, { signal });
      if (granted !== undefined) await granted;
      return true;
    } catch (error) {
      if (signal.aborted) throw error;
      // Running the request reports the error.
      return false;
    }
  }

  #send(
    answer: KnownAnswer,
    request: OperationHttpRequest,
    { observe }: CallerScope,
    startMs: number,
  ): RawResponse {
    this.#onLookup('hit');
    const { operation, cost } = answer;
    this.#record(
      operation,
      { observe, budget: { plannedFromMs: undefined, spent: () => cost } },
      startMs,
      {},
    );
    return responseTo(request, answer);
  }

  /** Whether the request was made before. */
  #mayRecord(key: string): boolean {
    const note = this.#kept.noteOf(key);
    if (note === undefined) this.#kept.note(key, requestedOnce);
    else if (note.left > 0) this.#kept.note(key, { ...note, left: note.left - 1 });
    else return this.#recorded.size < MAX_RECORDED && !this.#recorded.has(key);
    return false;
  }

  async #runRecorded(
    key: string,
    request: OperationHttpRequest,
    scope: CallerScope,
    run: Run,
  ): Promise<RawResponse> {
    const recording = new Recording();
    const configuration = this.#configuration;
    this.#recorded.add(key);
    try {
      // With a condition, the response may have no body.
      const { 'if-none-match': _, ...headers } = request.headers;
      const first = await run({ ...request, headers }, { ...scope, recording });
      const isWanted = recording.result() !== undefined && first.status === 200 && first.lasts === undefined;
      const response = isWanted ? await this.#collected(first, request, scope) : first;
      const isCurrent = configuration === this.#configuration;
      const answer = isWanted && isCurrent ? this.#remember(key, request, recording, response) : undefined;
      if (answer !== undefined) return responseTo(request, answer);
      const { added } = this.#kept.noteOf(key) ?? requestedOnce;
      const left = Math.min(Math.max(1, 2 * added), MAX_PAUSE);
      this.#kept.note(key, { left, added: left });
      return conditional(request, response);
    } finally {
      this.#recorded.delete(key);
    }
  }

  /** The response with a short stream as buffers. */
  async #collected(
    response: RawResponse,
    { signal }: OperationHttpRequest,
    { memory }: CallerScope,
  ): Promise<RawResponse> {
    if (!(response.body instanceof ReadableStream)) return response;
    const reader = response.body.getReader();
    const parts: Uint8Array[] = [];
    const most = Math.min(MAX_STREAMED_BYTES, this.#kept.maxBytes);
    for (let length = 0; length < most;) {
      const { done, value } = await reader.read();
      if (done) return rawResponse(parts, response.status, response.headers);
      parts.push(value);
      length += value.length;
      try {
        await memory?.take(value.length, { signal });
      } catch (error) {
        if (signal.aborted) {
          await reader.cancel(error);
          throw error;
        }
        break;
      }
    }
    return { ...response, body: continued(parts, reader) };
  }

  #remember(
    key: string,
    request: OperationHttpRequest,
    recording: Recording,
    { headers, body }: RawResponse,
  ): KnownAnswer | undefined {
    const recorded = recording.result();
    if (recorded === undefined || body === null || body instanceof ReadableStream) return undefined;
    const length = byteLengthOf(body);
    if (length > this.#kept.maxBytes) return undefined;
    // A copy, because the memory of values is lent to the next response.
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of body) {
      bytes.set(part, at);
      at += part.length;
    }
    const answer = { ...recorded, headers, body: bytes };
    const entries = recorded.stores.reduce(
      (sum, { objects, listings }) => sum + objects.size + listings.size,
      recorded.snapshots.length,
    );
    // Names and paths may be parts of the text of the request, which then stays in memory.
    const texts = 2 * (key.length + lengthOf(request));
    const held = length + texts + (entries + recorded.decisions.length) * DEPENDENCY_BYTES;
    return this.#kept.set(key, answer, held) ? answer : undefined;
  }
}

function lengthOf({ query, body }: Pick<OperationHttpRequest, 'query' | 'body'>): number {
  return query.length + (body === null ? 0 : body.length);
}

/** A stream, some parts of which have been read. */
function continued(
  parts: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  const read = parts.values();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const part = read.next();
        const { done, value } = part.done === true ? await reader.read() : { done: false, value: part.value };
        if (done || value === undefined) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function responseTo(request: OperationHttpRequest, { headers, body }: KnownAnswer): RawResponse {
  return conditional(request, { status: 200, headers, body: [body] });
}

/** The response with status 304 if the client has it, as `writeResult` creates it. */
function conditional({ headers }: OperationHttpRequest, response: RawResponse): RawResponse {
  const { etag } = response.headers;
  if (response.status !== 200 || etag === undefined || !matchesEtag(headers['if-none-match'], etag))
    return response;
  const kept = ['etag', 'cache-control', 'vary'].flatMap((name) => {
    const value = response.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { status: 304, headers: Object.fromEntries(kept), body: null };
}

/** Identifies the functions that decide what the caller sees. Their decisions are compared as well. */
function rightsKey(rights: CallerRights): string {
  return seesEverything(rights) ? '*' : `${objectId(rights.mayRead)} ${objectId(rights.mayEnter)}`;
}
