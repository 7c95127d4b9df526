/**
 * Answers as a client accepts them: compressed where that pays. A compressed answer is another representation with a
 * validator of its own, the plain one's with the encoding's name at its end.
 */
import { pipeline } from 'node:stream';
import { wholeBody } from '../gateway/whole-body.js';
import { chooseEncoding, type Encoding } from './encodings.js';

/** Below, an answer fits one packet or nearly so, and compressing it costs more than sending it. */
const minBytes = 1024;

/** Text. Values in CBOR and files are left as they are: they are numbers, and waiting for them costs more than bytes. */
const compressible = /^(application\/(graphql-response\+)?json|text\/(html|csv|plain))\b/i;

/** An answer ready to be sent. */
export interface Encoded {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Buffers of a body that is there whole, else its stream; null for none. */
  readonly body: readonly Uint8Array[] | AsyncIterable<Uint8Array> | null;
}

/** What a request says about encodings, as the gateway should see it, and its answer as the client should. */
export interface Negotiation {
  /** The validators that the client has of plain answers. */
  readonly ifNoneMatch: string | undefined;
  encode(response: Response, withBody: boolean): Promise<Encoded>;
}

/** @param enabled whether answers may be compressed at all */
export function negotiateEncoding(
  headers: {
    readonly 'accept-encoding'?: string | string[] | undefined;
    readonly 'if-none-match'?: string | undefined;
  },
  enabled: boolean,
): Negotiation {
  const encoding = enabled ? chooseEncoding([headers['accept-encoding'] ?? []].flat().join(',')) : undefined;
  const given = headers['if-none-match'];
  // What the client has in this encoding is what it has of the plain answer.
  const ending = encoding === undefined ? undefined : `-${encoding.name}"`;
  const ifNoneMatch = given === undefined || ending === undefined ? given : given.replaceAll(ending, '"');
  return {
    ifNoneMatch,
    async encode(response, withBody) {
      const plain = plainAnswer(response);
      if (!enabled) return plain;
      if (response.status === 304) return asAsked(plain, given, ending);
      if (!pays(response)) return plain;
      const varied = { ...plain, headers: { ...plain.headers, vary: varyByEncoding(plain.headers['vary']) } };
      return encoding === undefined ? varied : compress(varied, encoding, withBody);
    },
  };
}

function plainAnswer(response: Response): Encoded {
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    headers[name] = value;
  });
  return { status: response.status, headers, body: wholeBody(response) ?? response.body };
}

/** Whether the answer is one that is compressed for those who accept it. */
function pays({ status, headers }: Response): boolean {
  if (status !== 200 || headers.has('content-encoding') || headers.get('accept-ranges') === 'bytes')
    return false;
  if (!compressible.test(headers.get('content-type') ?? '')) return false;
  const length = headers.get('content-length');
  return length === null || Number(length) >= minBytes;
}

function varyByEncoding(vary: string | undefined): string {
  return vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
}

/** "Not modified" names the validator that the client has, which may be the compressed answer's. */
function asAsked(plain: Encoded, given: string | undefined, ending: string | undefined): Encoded {
  const etag = plain.headers['etag'];
  const headers = { ...plain.headers, vary: varyByEncoding(plain.headers['vary']) };
  if (etag === undefined || given === undefined || ending === undefined) return { ...plain, headers };
  const encoded = etag.replace(/"$/, ending);
  return { ...plain, headers: given.includes(encoded) ? { ...headers, etag: encoded } : headers };
}

/** Ends where the reader stops reading, and fails where the body does. */
function throughEncoder(body: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncIterable<Uint8Array> {
  const encoder = encoding.stream();
  // What goes wrong on either side comes out of the encoder.
  pipeline(body, encoder, () => {});
  return encoder;
}

async function compress(plain: Encoded, encoding: Encoding, withBody: boolean): Promise<Encoded> {
  const { 'content-length': _, ...headers } = plain.headers;
  headers['content-encoding'] = encoding.name;
  if (headers['etag'] !== undefined) headers['etag'] = headers['etag'].replace(/"$/, `-${encoding.name}"`);
  const { body } = plain;
  if (!withBody || body === null) return { ...plain, headers, body };
  if (Symbol.asyncIterator in body) return { ...plain, headers, body: throughEncoder(body, encoding) };
  const bytes = await encoding.whole(
    body.length === 1 && body[0] !== undefined ? body[0] : Buffer.concat(body),
  );
  return { ...plain, headers: { ...headers, 'content-length': String(bytes.length) }, body: [bytes] };
}
