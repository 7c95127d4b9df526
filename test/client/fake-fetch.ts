/** Fetch functions that respond from a list and record their requests. */
import type { FetchLike, FetchResponse } from '../../client/index.js';

export interface FakeRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: { readonly query: string; readonly variables: Record<string, unknown> };
  readonly signal: AbortSignal;
}

export type FakeResponse = (sent: FakeRequest) => FetchResponse | Promise<FetchResponse>;

export function response(body: unknown, status = 200, headers: Record<string, string> = {}): FetchResponse {
  const all = new Map(Object.entries({ 'content-type': 'application/graphql-response+json', ...headers }));
  return {
    status,
    headers: { get: (name) => all.get(name.toLowerCase()) ?? null },
    arrayBuffer: async () => bytesOf(body).buffer,
  };
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Each request uses the next response; the last response is reused. */
export function createFakeFetch(...responses: readonly FakeResponse[]): {
  fetch: FetchLike;
  sent: FakeRequest[];
} {
  const sent: FakeRequest[] = [];
  const fetch: FetchLike = async (url, init) => {
    const body = JSON.parse(String(init.body)) as FakeRequest['body'];
    const request = { url, headers: init.headers, body, signal: init.signal };
    sent.push(request);
    const next = responses[Math.min(sent.length, responses.length) - 1];
    if (next === undefined) throw new Error('no response was prepared');
    return next(request);
  };
  return { fetch, sent };
}

/** A fetch that hangs until it is aborted. */
export function hang({ signal }: FakeRequest): Promise<FetchResponse> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () =>
      reject(new DOMException('This operation was aborted', 'AbortError')),
    );
  });
}

/** A slice as in the gateway's response. */
export function base64Slice(dtype: string, shape: readonly number[], bytes: Uint8Array, name = 'float32') {
  return {
    shape,
    dtype: { name, kind: 'FLOAT', numpy: dtype, itemSize: 4, unit: null },
    dimensions: shape.map(() => ({ name: null })),
    base64: { dtype, shape, data: Buffer.from(bytes).toString('base64') },
  };
}

export function floats(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.of(...values).buffer);
}
