/** A store of objects in a bucket of Google Cloud Storage, by its JSON API. */
import { crc32c } from '#crc';
import { isRecord } from '../../wire/guards.js';
import { ConflictError, InputError, StoreDeniedError, StoreUnavailableError } from '../core/errors.js';
import { flagIn, parseBucketAddress, parseEndpoint } from './cloud/address.js';
import { createCloudConnection, bodyText, unexpected } from './cloud/connection.js';
import { createCloudStore, type CloudStoreOptions } from './cloud/create-cloud-store.js';
import { authorizeGoogle } from './cloud/google-credentials.js';
import type { CloudConnection, CloudPage, CloudService } from './cloud/service.js';
import { parsedObject } from './cloud/tokens.js';
import { type ResponseHead, type Sent, type StoreExchange, TransientFailure } from './http/exchange.js';
import type { KeyStore } from './store.js';

export interface GcsStoreOptions extends CloudStoreOptions {
  /**
   * `gs://bucket/prefix`, percent-encoded. Its query may contain `endpoint`, `anonymous`, `userProject` and
   * `forbiddenMeansAbsent`, which override the options. It must not contain credentials.
   */
  readonly url: string;
  /** URL of another server. @default https://storage.googleapis.com */
  readonly endpoint?: string;
  /** Whether requests are sent without credentials, for public buckets. @default false */
  readonly anonymous?: boolean;
  /** The project that pays for requests to buckets whose requester pays. */
  readonly userProject?: string;
  /**
   * Whether 401 and 403 mean that the object does not exist, as the service responds to callers that may not list.
   * @default false
   */
  readonly forbiddenMeansAbsent?: boolean;
  /**
   * The JSON key of a service account.
   * @default GOOGLE_APPLICATION_CREDENTIALS, the credentials of gcloud, or the service account of the machine
   */
  readonly credentials?: string;
}

const ENDPOINT = 'https://storage.googleapis.com';
const bucketPattern = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/;

/**
 * Creates a store below a prefix of a bucket. Versions are generations, so each write has another version. Conditional
 * writes apply to all writers. Only a missing object means absent, a missing bucket does not.
 * @throws InputError for an invalid URL
 */
export function createGcsStore(options: GcsStoreOptions): KeyStore {
  const {
    authority: bucket,
    prefix,
    query,
  } = parseBucketAddress(options.url, {
    scheme: /^gs$/i,
    example: 'gs://bucket/prefix',
    options: ['endpoint', 'anonymous', 'userProject', 'forbiddenMeansAbsent'],
  });
  if (!bucketPattern.test(bucket))
    throw new InputError(
      'the bucket of a gs: URL must be 3 to 222 lower-case letters, digits, ".", "_" and "-"',
    );
  const endpoint = parseEndpoint(query.get('endpoint') ?? options.endpoint ?? ENDPOINT);
  const userProject = query.get('userProject') ?? options.userProject;
  const authorization = authorizeGoogle({
    anonymous: flagIn(query, 'anonymous') ?? options.anonymous ?? false,
    credentials: options.credentials,
  });
  return createCloudStore(options, (settings) =>
    openBucket(createCloudConnection({ authorization, ...settings }), {
      endpoint,
      bucket,
      root: prefix === '' ? '' : `${prefix}/`,
      userProject,
      forbiddenMeansAbsent: flagIn(query, 'forbiddenMeansAbsent') ?? options.forbiddenMeansAbsent ?? false,
    }),
  );
}

interface Bucket {
  readonly endpoint: URL;
  readonly bucket: string;
  /** Prefix of the store's keys: "" or a prefix with a trailing slash. */
  readonly root: string;
  readonly userProject: string | undefined;
  readonly forbiddenMeansAbsent: boolean;
}

function openBucket(connection: CloudConnection, bucketOptions: Bucket): CloudService {
  const { endpoint, bucket, root, userProject } = bucketOptions;
  const address = (path: string, query: Readonly<Record<string, string | undefined>>): URL => {
    const url = new URL(endpoint);
    url.pathname = `${endpoint.pathname.replace(/\/$/, '')}${path}`;
    for (const [name, value] of Object.entries({ ...query, userProject }))
      if (value !== undefined) url.searchParams.set(name, value);
    return url;
  };
  const objects = `/storage/v1/b/${bucket}/o`;
  const objectPath = (key: string): string => `${objects}/${encodeURIComponent(root + key)}`;

  return {
    kind: 'GCS',
    isSorted: true,
    exchange: createMediaExchange(connection, bucketOptions.forbiddenMeansAbsent),
    addressOf: (key) => address(objectPath(key), { alt: 'media' }),

    async list(prefix, delimiter, token, { signal }): Promise<CloudPage> {
      const start = prefix === '' ? root : `${root}${prefix}/`;
      const fields = 'items(name,size),prefixes,nextPageToken';
      const url = address(objects, {
        prefix: start,
        delimiter,
        pageToken: token,
        maxResults: '1000',
        fields,
      });
      const sent = await connection.send({ method: 'GET', address: url, headers: {}, signal });
      const text = await bodyText(sent);
      if (sent.response.status !== 200) throw failureOf(sent.response, text);
      return pageIn(text, root, start);
    },

    async put(key, bytes, condition, { signal }) {
      const generation = condition?.ifAbsent === true ? '0' : generationOf(condition?.ifMatch);
      const url = address(`/upload${objects}`, {
        ...{ uploadType: 'media', name: root + key, ifGenerationMatch: generation, fields: 'generation' },
      });
      const headers = { 'content-type': 'application/octet-stream' };
      const sent = await connection.send({ method: 'POST', address: url, headers, body: bytes, signal });
      const text = await bodyText(sent);
      if (sent.response.status === 412 || (sent.response.status === 404 && condition?.ifMatch !== undefined))
        throw conflict(condition?.ifAbsent === true);
      if (sent.response.status !== 200) throw failureOf(sent.response, text);
      const stored = parsedObject(text)?.['generation'];
      if (typeof stored !== 'string' || !/^\d+$/.test(stored))
        throw new TransientFailure('the server did not confirm a write');
      return `"${stored}"`;
    },

    async remove(key, ifMatch, { signal }) {
      const url = address(objectPath(key), { ifGenerationMatch: generationOf(ifMatch) });
      const sent = await connection.send({ method: 'DELETE', address: url, headers: {}, signal });
      const { status } = sent.response;
      const text = await bodyText(sent);
      if (status === 412 || (status === 404 && ifMatch !== undefined)) throw conflict(false);
      if (status !== 200 && status !== 204 && !(status === 404 && isMissingObject(text)))
        throw failureOf(sent.response, text);
    },

    close: () => connection.close(),
  };
}

/** The number in a version. @throws ConflictError if no object can have this version */
function generationOf(version: string | undefined): string | undefined {
  if (version === undefined) return undefined;
  const [, generation] = /^"(\d{1,20})"$/.exec(version) ?? [];
  if (generation === undefined) throw conflict(false);
  return generation;
}

function conflict(isAbsent: boolean): ConflictError {
  return new ConflictError(
    isAbsent
      ? 'an object with that key already exists'
      : 'another writer has changed the object; read it again',
  );
}

/**
 * Reads objects. Their generation is presented as ETag, because the ETag of the service is no condition of its writes.
 * Conditions are parameters of the query, and compared with the response as well.
 */
function createMediaExchange(connection: CloudConnection, forbiddenMeansAbsent: boolean): StoreExchange {
  return {
    async send(method, media, headers, signal) {
      const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, ...others } = headers;
      const address = new URL(media);
      const [required, known] = [tagged(ifMatch), tagged(ifNoneMatch)];
      if (required !== undefined) address.searchParams.set('ifGenerationMatch', required);
      if (known !== undefined) address.searchParams.set('ifGenerationNotMatch', known);
      if (method === 'HEAD') return head(connection, address, signal, forbiddenMeansAbsent);
      const sent = await connection.send({ method, address, headers: others, signal });
      const { status } = sent.response;
      if (status === 200 || status === 206) {
        const generation = sent.response.headers.get('x-goog-generation');
        if (known !== undefined && generation === known) {
          sent.discard();
          return { ...sent, response: withStatus(sent.response, 304) };
        }
        return {
          ...sent,
          response: withGeneration(sent.response),
          assertIntact: (bytes) => assertChecksum(sent.response, bytes),
        };
      }
      if (status === 304 || status === 412 || status === 416) return sent;
      return refused(sent, forbiddenMeansAbsent);
    },
  };
}

/** The response for an absent object. @throws the error of all other responses */
async function refused(sent: Sent, forbiddenMeansAbsent: boolean): Promise<Sent> {
  const text = await bodyText(sent);
  const { status } = sent.response;
  if (status === 404 && isMissingObject(text)) return sent;
  if (forbiddenMeansAbsent && (status === 401 || status === 403))
    return { ...sent, response: withStatus(sent.response, 404) };
  const failure = failureOf(sent.response, text);
  throw failure instanceof StoreDeniedError
    ? new StoreDeniedError(`${failure.detail}; if it does so for absent objects, set forbiddenMeansAbsent`)
    : failure;
}

function tagged(tag: string | undefined): string | undefined {
  return /^"(\d{1,20})"$/.exec(tag ?? '')?.[1];
}

/** Reads size and generation from the description of an object. */
async function head(
  connection: CloudConnection,
  media: URL,
  signal: AbortSignal | undefined,
  forbiddenMeansAbsent: boolean,
): Promise<Sent> {
  const address = new URL(media);
  address.searchParams.delete('alt');
  address.searchParams.set('fields', 'size,generation,updated');
  const sent = await connection.send({ method: 'GET', address, headers: {}, signal });
  if (sent.response.status !== 200) return refused(sent, forbiddenMeansAbsent);
  const text = await bodyText(sent);
  const description = parsedObject(text);
  const { size, generation } = { size: description?.['size'], generation: description?.['generation'] };
  if (typeof size !== 'string' || typeof generation !== 'string')
    throw new TransientFailure('the server sent no description of an object');
  const headers = new Map([
    ['content-length', size],
    ['etag', `"${generation}"`],
  ]);
  return { ...sent, response: { status: 200, headers: { get: (name) => headers.get(name) ?? null } } };
}

function withStatus(response: ResponseHead, status: number): ResponseHead {
  return { ...response, status };
}

function withGeneration({ status, headers }: ResponseHead): ResponseHead {
  const generation = headers.get('x-goog-generation');
  return {
    status,
    headers: {
      get: (name) => (name === 'etag' ? (generation === null ? null : `"${generation}"`) : headers.get(name)),
    },
  };
}

/** Compares a whole object with its checksum, unless the server has decompressed it. */
function assertChecksum({ headers }: ResponseHead, bytes: Uint8Array): void {
  const isStored = Number(headers.get('x-goog-stored-content-length') ?? Number.NaN) === bytes.length;
  const [, checksum] = /(?:^|[,\s])crc32c=([A-Za-z0-9+/]{6}==)/.exec(headers.get('x-goog-hash') ?? '') ?? [];
  if (!isStored || checksum === undefined) return;
  if (Buffer.from(checksum, 'base64').readUInt32BE() !== crc32c(bytes) >>> 0)
    throw new TransientFailure('the received bytes do not match the checksum of the object');
}

/** Whether a response with status 404 means that the object is missing, and not its bucket. */
function isMissingObject(text: string): boolean {
  return !/bucket (?:does not exist|not found)/i.test(text);
}

function failureOf(response: ResponseHead, text: string): Error {
  const { status } = response;
  if (status === 404)
    return new StoreUnavailableError('the bucket does not exist; check its name and the endpoint');
  if (status === 401 || status === 403) return new StoreDeniedError(`the server denied access (${status})`);
  if (status >= 300 && status < 400)
    return new StoreUnavailableError(
      `the server redirects (${status}), which is not followed; check the endpoint`,
    );
  return unexpected(response, /"reason":\s*"([A-Za-z]{1,64})"/.exec(text)?.[1]);
}

/** @throws TransientFailure for something else than a listing */
function pageIn(text: string, root: string, start: string): CloudPage {
  const page = parsedObject(text);
  const { items = [], prefixes = [], nextPageToken } = page ?? {};
  if (page === undefined || !Array.isArray(items) || !Array.isArray(prefixes))
    throw new TransientFailure('the server sent no listing');
  return {
    objects: items.flatMap((item: unknown) => {
      const [name, size] = isRecord(item) ? [item['name'], item['size']] : [];
      if (typeof name !== 'string' || !name.startsWith(root)) return [];
      return [{ key: name.slice(root.length), bytes: Number(size ?? 0) }];
    }),
    folders: prefixes.flatMap((prefix: unknown) =>
      typeof prefix === 'string' && prefix.startsWith(start) ? [prefix.slice(start.length, -1)] : [],
    ),
    next: typeof nextPageToken === 'string' && nextPageToken !== '' ? nextPageToken : undefined,
  };
}
