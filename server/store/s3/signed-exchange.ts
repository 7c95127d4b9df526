/** Sends GET and HEAD requests without the AWS SDK, which takes more CPU time per request (bench/records.md, "S3"). */
import { crc32, crc32c } from '#crc';
import { createHash } from 'node:crypto';
import { StoreDeniedError, StoreUnavailableError } from '../../core/errors.js';
import { untilAborted } from '../retries.js';
import {
  TransientFailure,
  type StoreExchange,
  type Sent,
  type Timeouts,
  type ResponseHead,
} from '../http/exchange.js';
import { retryAfterMs } from '../http/headers.js';
import { credentialFailure } from './bucket.js';
import type { S3Connection } from './connection.js';
import {
  errorOfRefusal,
  isAbsent,
  isPlainDenial,
  MAX_ERROR_BYTES,
  mayBeErrorDocument,
  parseErrorDocument,
} from './failure.js';
import type { Reply } from '../http/reply.js';
import { quotedTag } from './write-conditions.js';

interface SignedExchangeOptions {
  readonly connection: S3Connection;
  readonly timeouts: Timeouts;
  readonly requesterPays: boolean;
  /** Whether a response with status 403 is passed to the caller, which interprets it as absence. */
  readonly forbiddenMeansAbsent: boolean;
}

/**
 * Creates an exchange that signs requests. `send` throws S3 errors, except those that callers handle as results:
 * absent, unchanged, another version, range not satisfiable, and a denial that means absence.
 */
export function createSignedExchange(options: SignedExchangeOptions): StoreExchange {
  return {
    async send(method, address, headers, signal) {
      const sent = await sendSigned(options, method, address, headers, signal);
      const { status } = sent.response;
      if (status === 200 && method === 'GET') return refuseErrorDocument(sent);
      if (status === 200 || status === 206 || status === 304 || status === 412) return sent;
      return judge(sent, options.forbiddenMeansAbsent);
    },
  };
}

async function sendSigned(
  { connection, timeouts, requesterPays }: SignedExchangeOptions,
  method: 'GET' | 'HEAD',
  address: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const isWhole = method === 'GET' && headers['range'] === undefined;
  const requestHeaders: Record<string, string> = Object.assign({}, headers);
  if (requesterPays) requestHeaders['x-amz-request-payer'] = 'requester';
  if (isWhole) Object.assign(requestHeaders, checksumHeaders);
  // Only the deadline of the operation applies, because a program that provides credentials may be slow.
  const signing = connection
    .sign(method, address, requestHeaders)
    .catch((cause: unknown) => Promise.reject(credentialFailure(cause)));
  const signed = await untilAborted(signal, signing);
  const reply = await connection.transport.send({ method, address, headers: signed, timeouts, signal });
  const response = { status: reply.status, headers: { get: (name: string) => headerOf(reply, name) } };
  return {
    response,
    nextPiece: () => reply.nextPiece(),
    collect: (progress, taken, acquire) => reply.collect(progress, taken, acquire),
    assertIntact: (bytes) => assertChecksum(response, bytes),
    discard: () => reply.discard(),
  };
}

function headerOf(reply: Reply, name: string): string | null {
  const value = reply.header(name);
  if (value === undefined) return null;
  // Bytes are returned as stored, regardless of the declared encoding.
  if (name === 'content-encoding') return null;
  return name === 'etag' ? quotedTag(value) : value;
}

/**
 * An error in a response with status 200 is not the object, unless the object itself is such a document, as
 * its ETag proves.
 */
async function refuseErrorDocument(sent: Sent): Promise<Sent> {
  const first = await sent.nextPiece();
  if (first === undefined || !mayBeErrorDocument(first))
    return replay(sent, first === undefined ? [] : [first]);
  const pieces = [first, ...(await takeRest(sent, first.length))];
  const bytes = Buffer.concat(pieces);
  const document = parseErrorDocument(bytes);
  const md5 = createHash('md5').update(bytes).digest('hex');
  if (document === undefined || sent.response.headers.get('etag') === `"${md5}"`) return replay(sent, pieces);
  sent.discard();
  const failure = errorOfRefusal({ status: 200, ...document });
  throw failure.name === 'StoreUnavailableError'
    ? new TransientFailure(`the server responded with the error ${document.code}`, { cause: failure })
    : failure;
}

/** Reads at most the size of an error document. The rest stays in `sent`. */
async function takeRest(sent: Sent, taken: number): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (let length = taken; length < MAX_ERROR_BYTES;) {
    const piece = await sent.nextPiece();
    if (piece === undefined) break;
    pieces.push(piece);
    length += piece.length;
  }
  return pieces;
}

function replay(sent: Sent, pieces: readonly Uint8Array[]): Sent {
  const left = pieces.values();
  return {
    response: sent.response,
    collect: (progress, _, acquire) =>
      sent.collect?.(progress, [...left], acquire) ??
      Promise.reject(new TypeError('the exchange does not support collecting the body')),
    async nextPiece() {
      const next = left.next();
      return next.done === true ? sent.nextPiece() : next.value;
    },
    assertIntact: (bytes) => sent.assertIntact?.(bytes),
    discard: () => sent.discard(),
  };
}

/**
 * @throws an error for the response, unless the caller handles it as a result: an absent object, a denial
 * that means absence, or a range that is not satisfiable
 */
async function judge(sent: Sent, forbiddenMeansAbsent: boolean): Promise<Sent> {
  const { response } = sent;
  const pieces = await takeRest(sent, 0);
  sent.discard();
  const body = Buffer.concat(pieces);
  const document = parseErrorDocument(body);
  const refusal = {
    status: response.status,
    code: document?.code,
    afterMs: retryAfterMs(response),
    region: response.headers.get('x-amz-bucket-region') ?? document?.region,
  };
  // A "not found" of a proxy does not mean that the object is absent.
  const hasRequestId = response.headers.get('x-amz-request-id') !== null;
  const isForeign = document === undefined && (body.length > 0 || !hasRequestId);
  if (isAbsent(refusal) && !isForeign) return { ...sent, response: { ...response, status: 404 } };
  if (response.status === 416) return sent;
  if (forbiddenMeansAbsent && isPlainDenial(refusal) && !isForeign) return sent;
  if (isAbsent(refusal))
    throw new StoreUnavailableError(
      'the server responded with 404, but not with an S3 error; check the endpoint',
    );
  const failure = errorOfRefusal(refusal);
  throw isPlainDenial(refusal) && !forbiddenMeansAbsent
    ? new StoreDeniedError(`${failure.message}; if it does so for absent objects, set forbiddenMeansAbsent`)
    : failure;
}

/** Headers of a request for the checksums. */
const checksumHeaders = { 'x-amz-checksum-mode': 'ENABLED' };

const kinds = [
  ['x-amz-checksum-crc32', crc32],
  ['x-amz-checksum-crc32c', crc32c],
] as const;

/**
 * Verifies a whole object, if the server provides a checksum that is fast to compute and covers the whole
 * object (not parts, "...-3"). Without it, a truncated response with a matching Content-Length would look
 * correct.
 * @throws TransientFailure if the checksum differs
 */
function assertChecksum({ headers }: ResponseHead, bytes: Uint8Array): void {
  if (headers.get('x-amz-checksum-type') === 'COMPOSITE') return;
  for (const [name, compute] of kinds) {
    const checksum = headers.get(name);
    if (checksum === null || !/^[A-Za-z0-9+/]{6}==$/.test(checksum)) continue;
    if (Buffer.from(checksum, 'base64').readUInt32BE() !== compute(bytes) >>> 0)
      throw new TransientFailure('the received bytes do not match the checksum of the object');
  }
}
