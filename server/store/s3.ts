/** A store of objects in an S3 bucket, of Amazon or of another compatible server. */
import { withContext, isZarrError } from '../core/errors.js';
import { addressOf } from './http/address.js';
import { createGetMany, type NetworkPolicy } from './http/object-reader.js';
import { readObject } from './http/read-object.js';
import { DEFAULT_DEADLINE_MS } from './deadline.js';
import { encodedBuffers } from '../core/bytes/buffer-pool.js';
import { defineStore } from './define-store.js';
import { assertEndpoint, parseS3Address, type S3Address, type S3Settings } from './s3/address.js';
import { createBucket } from './s3/bucket.js';
import { connect, type S3Credentials } from './s3/connection.js';
import { createHedge } from './s3/hedge.js';
import { assertAbsent } from './checks.js';
import { deleteObjects, deleteVersion } from './s3/delete.js';
import { listPrefix, listPages, walkObjects } from './s3/list.js';
import { assertDeleteConditionsHold, createWriteGate } from './s3/probe.js';
import { createSignedExchange } from './s3/signed-exchange.js';
import { writeObject } from './s3/write.js';
import { createLease } from './lease.js';
import { createRequestPermits, MAX_STUCK_PER_PERMIT } from './request-permits.js';
import { get, getRange } from './define-reading.js';
import type { LockedBody, LockOptions, KeyStore } from './store.js';

export interface S3StoreOptions extends S3Settings {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  /**
   * `s3://bucket/prefix`, percent-encoded. Its query may contain `S3Settings`, which override those given
   * here. It must not contain credentials.
   */
  readonly url: string;
  /** Whether the store rejects writes. @default false */
  readonly readonly?: boolean;
  /** @default the AWS SDK's chain: AWS_* variables, the profile, web identity, container, instance */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>);
  /** Maximum number of concurrent requests. @default 64 */
  readonly concurrency?: number;
  /** See `StoreFacts.maxVersionChecks`. @default 256 */
  readonly maxVersionChecks?: number;
  /**
   * Time limit of one request including retries, in milliseconds; each MiB transferred adds a second.
   * @default 15000
   */
  readonly deadlineMs?: number;
  /**
   * Time from sending a request to the head of its response, in milliseconds.
   * @default a third of `deadlineMs`
   */
  readonly firstByteMs?: number;
  /** Maximum time between two pieces of a body, in milliseconds. @default a third of `deadlineMs` */
  readonly stallMs?: number;
  /** Maximum number of attempts of one request, if the server is busy or the connection fails. @default 5 */
  readonly attempts?: number;
  /**
   * Longest delay before the first retry, in milliseconds; doubles with each retry, up to 20 s.
   * @default 100
   */
  readonly retryBaseMs?: number;
  /** Called for each failed attempt that is retried. */
  readonly onRetry?: NetworkPolicy['onRetry'];
  /**
   * Whether a read without a response after twice the 95th percentile of recent latencies (at least 50 ms) is
   * sent a second time. This adds at most 5 % more requests, and none without a free permit or after
   * failures.
   * @default true
   */
  readonly hedge?: boolean;
  /** Called for each read that is sent a second time. */
  readonly onHedge?: () => void;
  /** Size, in bytes, of the parts in which larger objects are uploaded; at least 5 MiB. @default 32 MiB */
  readonly partBytes?: number;
}

const defaults = {
  concurrency: 64,
  maxVersionChecks: 256,
  deadlineMs: DEFAULT_DEADLINE_MS,
  attempts: 5,
  retryBaseMs: 100,
  retryMaxMs: 20_000,
  partBytes: 32 * 2 ** 20,
};

/**
 * Creates a store below a prefix of a bucket. Sends nothing and does not load the AWS SDK before the first
 * request. Versions are ETags: an object rewritten with the same bytes usually keeps its version. Every
 * response is verified against the request; only a missing key (and 403 with `forbiddenMeansAbsent`) means
 * absent, a missing bucket does not. Conditional writes apply to all writers: a server that ignores
 * conditions is detected before the first write, and the store then rejects writes with READ_ONLY. Operations
 * of several writes lock out other processes with an object in `.zarrql-locks`.
 * @throws InputError for an invalid URL or invalid settings
 */
export function createS3Store(options: S3StoreOptions): KeyStore {
  const { label } = options;
  const merged = { ...defaults, ...options };
  const { bucket: name, prefix, settings } = settingsOf(options);
  const root = prefix === '' ? '' : `${prefix}/`;
  const { deadlineMs } = merged;
  const third = Math.ceil(deadlineMs / 3);
  const { firstByteMs = third, stallMs = third } = options;
  const timeouts = { firstByteMs, stallMs };
  const policy: NetworkPolicy = {
    attempts: merged.attempts,
    baseMs: merged.retryBaseMs,
    maxMs: defaults.retryMaxMs,
    deadlineMs,
    onRetry: options.onRetry,
  };
  const concurrency = Math.max(1, merged.concurrency);
  const permits = createRequestPermits(concurrency);
  const hedge = options.hedge === false ? undefined : createHedge({ permits, onHedge: options.onHedge });
  const requesterPays = settings.requesterPays === true;
  const forbiddenMeansAbsent = settings.forbiddenMeansAbsent === true;
  const writable = options.readonly !== true;
  const { partBytes } = merged;
  const bucket = createBucket({
    ...{ name, root, requesterPays, policy, timeouts, permits },
    connect: (region) =>
      connect(
        {
          ...settings,
          bucket: name,
          credentials: options.credentials,
          // The number includes stuck connections, which must not prevent new ones.
          maxSockets: concurrency * (1 + MAX_STUCK_PER_PERMIT),
          connectMs: firstByteMs,
          silenceMs: Math.max(firstByteMs, stallMs),
        },
        region,
      ),
  });
  const openForWriting = createWriteGate(bucket, writable);

  const getMany = createGetMany({
    label,
    readOnce: (request, { maxBytes, pool, progress, signal }) =>
      bucket.use((connection) => {
        const signed = createSignedExchange({ connection, timeouts, requesterPays, forbiddenMeansAbsent });
        const exchange = hedge?.(signed) ?? signed;
        const address = addressOf(connection.base, root + request.key);
        const settings = { exchange, maxBytes, pool, forbiddenMeansAbsent, progress };
        return readObject(address, request, settings, signal);
      }, signal),
    ...{ policy, permits, width: concurrency, bodies: encodedBuffers },
  });
  /** The object's version if it has exactly these bytes. */
  async function readBack(
    key: string,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    try {
      const value = await get(store, key, { signal, maxBytes: bytes.length });
      return value !== undefined && Buffer.compare(value.bytes, bytes) === 0 ? value.version : undefined;
    } catch (error) {
      if (isZarrError(error, 'LIMIT_EXCEEDED')) return undefined;
      throw error;
    }
  }

  async function exists(key: string, signal: AbortSignal | undefined): Promise<boolean> {
    return (await getRange(store, key, { offset: 0, length: 0 }, { signal })) !== undefined;
  }

  const store = defineStore({
    ...{ kind: 'S3', label, getMany, maxVersionChecks: merged.maxVersionChecks, prefersParts: true },

    listing: {
      list: (prefix, readOptions) => listPrefix(bucket, prefix, readOptions?.signal),
      walk: (prefix, walkOptions) => walkObjects(bucket, prefix, walkOptions?.signal),
    },

    writing: writable
      ? {
          conditions: 'everyWriter',
          async set(key, content, { condition, signal }) {
            // Copies the content, because the caller may change it before it is sent.
            const bytes = Buffer.from(content);
            await openForWriting(signal);
            const version = await writeObject({
              ...{ bucket, key: root + key, bytes, condition, signal, partBytes },
              readBack: () => readBack(key, bytes, signal),
            });
            return version === undefined ? {} : { version };
          },
          async delete(key, { condition, signal }) {
            const { ifMatch, ifAbsent } = condition ?? {};
            const support = await openForWriting(signal);
            if (ifAbsent === true) return assertAbsent(() => exists(key, signal));
            if (ifMatch === undefined) return deleteObjects(bucket, [key], signal);
            assertDeleteConditionsHold(support);
            await deleteVersion(bucket, key, ifMatch, signal, () => exists(key, signal));
          },
          async deleteMany(keys, { signal }) {
            await openForWriting(signal);
            await deleteObjects(bucket, keys, signal);
          },
          async deletePrefix(prefix, { signal }) {
            await openForWriting(signal);
            for await (const { objects } of listPages(bucket, prefix, undefined, signal)) {
              const keys = objects.map(({ key }) => key);
              await deleteObjects(bucket, keys, signal);
            }
          },
          withLock: (name, body, holdOptions) => withLock(name, body, holdOptions),
        }
      : undefined,

    async close() {
      await lease.close();
      await bucket.close();
    },
  });
  const lease = createLease({ store });
  return store;

  async function withLock<T>(name: string, body: LockedBody<T>, holdOptions?: LockOptions): Promise<T> {
    if (holdOptions?.isGuarded === true) return body(holdOptions.signal);
    try {
      return await lease.withLock(name, body, holdOptions?.signal);
    } catch (error) {
      throw withContext(error, { store: label });
    }
  }
}

/** Merges settings. Settings in the URL override those of the options. */
function settingsOf(options: S3StoreOptions): S3Address {
  if (options.endpoint !== undefined) assertEndpoint(options.endpoint);
  const address = parseS3Address(options.url);
  return { ...address, settings: { ...options, ...address.settings } };
}
