/**
 * A connection to one bucket, renewed and redirected as the server requires, and single requests by the AWS
 * SDK.
 */
import type { S3Client } from '@aws-sdk/client-s3';
import { StoreDeniedError, ZarrError } from '../../core/errors.js';
import { NetworkWait } from '../http/network-wait.js';
import { untilAborted } from '../retries.js';
import { TransientFailure, type Timeouts } from '../http/exchange.js';
import { retryTransient, type NetworkPolicy } from '../http/object-reader.js';
import type { StoreOperation } from '../with-metrics.js';
import { retryAfterMs } from '../http/headers.js';
import type { RequestPermits } from '../request-permits.js';
import type { S3Connection } from './connection.js';
import { ExpiredCredentials, errorOfRefusal, WrongRegion, type Refusal } from './failure.js';

interface BucketOptions {
  readonly name: string;
  /** Prefix of the store's keys: "" or a prefix with a trailing slash. */
  readonly root: string;
  readonly requesterPays: boolean;
  readonly policy: NetworkPolicy;
  readonly timeouts: Timeouts;
  /** Shared with the reads of objects. */
  readonly permits: RequestPermits;
  /** @param region the bucket's region as reported by the server; undefined the first time */
  readonly connect: (region: string | undefined) => Promise<S3Connection>;
}

type Sdk = S3Connection['sdk'];

interface Call<T> {
  readonly send: (client: S3Client, sdk: Sdk, options: { readonly abortSignal: AbortSignal }) => Promise<T>;
  readonly signal?: AbortSignal | undefined;
  /** Size of an upload in bytes, which extends the deadline. No other time limit applies to the response. */
  readonly uploadBytes?: number;
  /** Converts an error response to an error of this request; undefined for the general conversion (`failureOf`). */
  readonly judge?: (refusal: Refusal) => Error | undefined;
}

export interface Bucket extends Pick<BucketOptions, 'name' | 'root' | 'policy'> {
  /** Parameters of every request of the AWS SDK. */
  readonly target: { readonly Bucket: string; readonly RequestPayer?: 'requester' };
  /**
   * Runs `body`, and repeats it once with renewed credentials or in the bucket's region if the server
   * requires it.
   */
  use<T>(body: (connection: S3Connection) => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  /** Makes one attempt. @throws TransientFailure if a retry may succeed, otherwise an error of the engine */
  once<T>(call: Call<T>): Promise<T>;
  /** Like `once`, with retries. @throws StoreUnavailableError if no attempt succeeds */
  call<T>(operation: StoreOperation, call: Call<T>): Promise<T>;
  close(): Promise<void>;
}

/** Maximum time to load the AWS SDK and to determine region and endpoint, in milliseconds. */
const LONGEST_CONNECT_MS = 60_000;

export function createBucket(options: BucketOptions): Bucket {
  const { name, root, policy, timeouts, permits } = options;
  let current: Promise<S3Connection> | undefined;
  /** The resolved value of `current`. */
  let ready: S3Connection | undefined;

  function open(region?: string): Promise<S3Connection> {
    ready = undefined;
    const opening = options.connect(region);
    current = opening;
    opening.then(
      (connection) => {
        if (current === opening) ready = connection;
      },
      () => {
        if (current === opening) current = undefined;
      },
    );
    return opening;
  }

  async function connected(signal: AbortSignal | undefined): Promise<S3Connection> {
    if (ready !== undefined) return ready;
    const watch = new NetworkWait(signal);
    try {
      return await watch.bounded(current ?? open(), LONGEST_CONNECT_MS, 'the S3 client was not ready');
    } finally {
      watch.release();
    }
  }

  /**
   * Renews credentials or changes the region if the server's error requires it.
   * @throws the error if it requires neither
   */
  async function recover(error: unknown, connection: S3Connection): Promise<void> {
    if (error instanceof ExpiredCredentials) {
      await connection.renewCredentials().catch((cause: unknown) => {
        throw credentialFailure(cause);
      });
    } else if (error instanceof WrongRegion && error.region !== connection.region) {
      const now = await current;
      if (now === connection) {
        await open(error.region);
        connection.close();
      }
    } else throw error;
  }

  async function use<T>(
    body: (connection: S3Connection) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const connection = await connected(signal);
    try {
      return await body(connection);
    } catch (error) {
      await untilAborted(signal, recover(error, connection));
      return await body(await connected(signal));
    }
  }

  async function send<T>(connection: S3Connection, call: Call<T>): Promise<T> {
    const { client, sdk } = connection;
    const watch = new NetworkWait(call.signal);
    const ms = call.uploadBytes !== undefined ? LONGEST_TIMER : timeouts.firstByteMs + timeouts.stallMs;
    const work = async (): Promise<T> => {
      await connection.assertCredentials().catch((cause: unknown) => {
        throw credentialFailure(cause);
      });
      try {
        return await call.send(client, sdk, { abortSignal: watch.signal });
      } catch (error) {
        throw translate(error, sdk, call.judge);
      }
    };
    try {
      return await watch.bounded(work(), ms, 'the server did not respond');
    } finally {
      watch.release();
    }
  }

  async function once<T>(call: Call<T>): Promise<T> {
    return permits.use(call.signal, () => use((connection) => send(connection, call), call.signal));
  }

  return {
    name,
    root,
    policy,
    target: { Bucket: name, ...(options.requesterPays ? { RequestPayer: 'requester' } : {}) },
    use,
    once,
    call: (operation, call) =>
      retryTransient(policy, (_, { signal }) => once({ ...call, signal }), {
        ...{ signal: call.signal, operation, bytes: call.uploadBytes },
      }),
    async close() {
      const connection = await current?.catch(() => undefined);
      connection?.close();
    },
  };
}

/** Maximum delay of a timer in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Converts errors of the AWS SDK. All except S3's error responses are network failures, such as truncated
 * responses and broken connections.
 */
function translate(error: unknown, sdk: Sdk, judge: Call<unknown>['judge']): Error {
  if (error instanceof ZarrError || error instanceof TransientFailure) return error;
  if (error instanceof sdk.S3ServiceException) {
    const refusal = refusalOf(error);
    return judge?.(refusal) ?? errorOfRefusal(refusal);
  }
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return new TransientFailure(`the request failed (${code ?? nameOf(error)})`, { cause: error });
}

function refusalOf(error: InstanceType<Sdk['S3ServiceException']>): Refusal {
  const headers: Readonly<Record<string, unknown>> = error.$response?.headers ?? {};
  const header = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  const isNamed = /^[A-Z][A-Za-z0-9.]{1,63}$/.test(error.name) && !error.name.startsWith('Unknown');
  return {
    status: error.$metadata.httpStatusCode ?? 0,
    code: isNamed && error.name !== 'S3ServiceException' ? error.name : undefined,
    afterMs: retryAfterMs({ headers: { get: header } }),
    region: header('x-amz-bucket-region') ?? undefined,
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

export function credentialFailure(cause: unknown): StoreDeniedError {
  if (cause instanceof StoreDeniedError) return cause;
  return new StoreDeniedError(
    'could not load S3 credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or anonymous=true',
    { cause },
  );
}
