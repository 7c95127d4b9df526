/**
 * Answers as a client accepts them: compressed where that pays. A compressed answer is another representation with a
 * validator of its own, the plain one's with the encoding's name at its end.
 */
import { pipeline } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../gateway/answer.js';
import { chooseEncoding, type Encoding } from './encodings.js';

/** Below, an answer fits one packet or nearly so, and compressing it costs more than sending it. */
const minBytes = 1024;

/** Text. Values in CBOR and files are left as they are: they are numbers, and waiting for them costs more than bytes. */
const compressible = /^(application\/(graphql-response\+)?json|text\/(html|csv|plain))\b/i;

/** An answer ready to be sent. */
export interface Encoded extends Pick<Answer, 'status' | 'headers'> {
  /** Buffers of a body that is there whole, else its stream; null for none. */
  readonly body: readonly Uint8Array[] | AsyncIterable<Uint8Array> | null;
}

/** Compressed bodies by their validators, for large responses that many clients get. */
export type EncodingMemory = LRUCache<string, Promise<Uint8Array>>;

/** One page in every encoding, and again with other examples. */
const maxRememberedBodies = 4;

export function createEncodingMemory(): EncodingMemory {
  return new LRUCache({ max: maxRememberedBodies });
}

/** What a request says about encodings, as the gateway should see it, and its answer as the client should. */
export interface Negotiation {
  /** The validators that the client has of plain answers. */
  readonly ifNoneMatch: string | undefined;
  encode(plain: Answer, withBody: boolean): Encoded | Promise<Encoded>;
}

/**
 * @param enabled whether answers may be compressed at all
 * @param memory keeps what is compressed
 */
export function negotiateEncoding(
  headers: {
    readonly 'accept-encoding'?: string | string[] | undefined;
    readonly 'if-none-match'?: string | undefined;
  },
  enabled: boolean,
  memory?: EncodingMemory,
): Negotiation {
  const encoding = enabled ? chooseEncoding([headers['accept-encoding'] ?? []].flat().join(',')) : undefined;
  const given = headers['if-none-match'];
  // What the client has in this encoding is what it has of the plain answer.
  const ending = encoding === undefined ? undefined : `-${encoding.name}"`;
  const ifNoneMatch = given === undefined || ending === undefined ? given : given.replaceAll(ending, '"');
  return {
    ifNoneMatch,
    encode(plain, withBody) {
      if (!enabled) return plain;
      if (plain.status === 304) return asAsked(plain, given, ending);
      if (!pays(plain)) return plain;
      const varied = { ...plain, headers: { ...plain.headers, vary: varyByEncoding(plain.headers['vary']) } };
      return encoding === undefined ? varied : compress(varied, encoding, withBody, memory);
    },
  };
}

/** Whether the answer is one that is compressed for those who accept it. */
function pays({ status, headers }: Answer): boolean {
  if (status !== 200 || headers['content-encoding'] !== undefined || headers['accept-ranges'] === 'bytes')
    return false;
  if (!compressible.test(headers['content-type'] ?? '')) return false;
  const length = headers['content-length'];
  return length === undefined || Number(length) >= minBytes;
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

async function compress(
  plain: Encoded,
  encoding: Encoding,
  withBody: boolean,
  memory: EncodingMemory | undefined,
): Promise<Encoded> {
  const { 'content-length': _, ...others } = plain.headers;
  const headers: Record<string, string> = others;
  headers['content-encoding'] = encoding.name;
  if (headers['etag'] !== undefined) headers['etag'] = headers['etag'].replace(/"$/, `-${encoding.name}"`);
  const { body } = plain;
  if (!withBody || body === null) return { ...plain, headers, body };
  if (Symbol.asyncIterator in body) return { ...plain, headers, body: throughEncoder(body, encoding) };
  const bytes = await remembered(memory, headers['etag'], () =>
    encoding.whole(body.length === 1 && body[0] !== undefined ? body[0] : Buffer.concat(body)),
  );
  return { ...plain, headers: { ...headers, 'content-length': String(bytes.length) }, body: [bytes] };
}

/** Compressed once, also for those who ask at the same time. */
function remembered(
  memory: EncodingMemory | undefined,
  etag: string | undefined,
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  if (memory === undefined || etag === undefined) return make();
  const known = memory.get(etag);
  if (known !== undefined) return known;
  const made = make();
  memory.set(etag, made);
  made.catch(() => memory.delete(etag));
  return made;
}
