/** One bucket: its connection, renewed and moved as the server demands, and single requests by the SDK. */
import type { S3Client } from '@aws-sdk/client-s3';
import { StoreDeniedError, ZarrError } from '../../errors.js';
import { createWatch, untilAborted } from '../http/deadline.js';
import { TransientFailure } from '../http/exchange.js';
import type { Timeouts } from '../http/exchange.js';
import { retryTransient } from '../http/object-reader.js';
import type { NetworkPolicy } from '../http/object-reader.js';
import type { StoreOperation } from '../with-metrics.js';
import { retryAfterMs } from '../http/retry-after.js';
import type { Places } from '../places.js';
import type { Connection } from './connection.js';
import { ExpiredCredentials, failureOf, WrongRegion } from './failure.js';
import type { Refusal } from './failure.js';

export interface BucketOptions {
  readonly name: string;
  /** What the store's keys stand behind: "" or a prefix with its slash. */
  readonly root: string;
  readonly requesterPays: boolean;
  readonly policy: NetworkPolicy;
  readonly timeouts: Timeouts;
  /** Shared with the reads of objects. */
  readonly places: Places;
  /** @param region what the server said of the bucket; undefined the first time */
  readonly connect: (region: string | undefined) => Promise<Connection>;
}

type Sdk = Connection['sdk'];

export interface Call<T> {
  readonly send: (client: S3Client, sdk: Sdk, options: { readonly abortSignal: AbortSignal }) => Promise<T>;
  readonly signal?: AbortSignal | undefined;
  /** Of an object, where its bytes are sent: they flow without an answer, and extend the deadline. */
  readonly uploadBytes?: number;
  /** What a refusal means to this request; undefined for what it always means. */
  readonly judge?: (refusal: Refusal) => Error | undefined;
}

export interface Bucket extends Pick<BucketOptions, 'name' | 'root' | 'policy'> {
  /** As every request of the SDK needs it. */
  readonly target: { readonly Bucket: string; readonly RequestPayer?: 'requester' };
  /** Runs `body`, once more with renewed credentials or in the bucket's region where the server demands it. */
  use<T>(body: (connection: Connection) => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  /** One try. @throws TransientFailure where another one may succeed, else an error of the engine */
  once<T>(call: Call<T>): Promise<T>;
  /** As `once`, tried again. @throws StoreUnavailableError */
  call<T>(operation: StoreOperation, call: Call<T>): Promise<T>;
  close(): Promise<void>;
}

/** A request that sends no bytes takes no longer than this; a program that makes credentials may be slow. */
const longestConnectMs = 60_000;

export function createBucket(options: BucketOptions): Bucket {
  const { name, root, policy, timeouts, places } = options;
  let current: Promise<Connection> | undefined;
  /** What `current` came to. */
  let ready: Connection | undefined;

  function open(region?: string): Promise<Connection> {
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

  async function connected(signal: AbortSignal | undefined): Promise<Connection> {
    if (ready !== undefined) return ready;
    const watch = createWatch(signal);
    try {
      return await watch.bounded(current ?? open(), longestConnectMs, 'the S3 client was not ready');
    } finally {
      watch.release();
    }
  }

  /** Does what the error asks for. @throws the error, where nothing can be done */
  async function mend(error: unknown, connection: Connection): Promise<void> {
    if (error instanceof ExpiredCredentials) {
      await connection.renewCredentials().catch((cause: unknown) => {
        throw credentialFailure(cause);
      });
    } else if (error instanceof WrongRegion && error.region !== connection.region) {
      const now = await current;
      if (now === connection) {
        await open(error.region);
        connection.client.destroy();
      }
    } else throw error;
  }

  async function use<T>(
    body: (connection: Connection) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const connection = await connected(signal);
    try {
      return await body(connection);
    } catch (error) {
      await untilAborted(signal, mend(error, connection));
      return await body(await connected(signal));
    }
  }

  async function send<T>(connection: Connection, call: Call<T>): Promise<T> {
    const { client, sdk } = connection;
    const watch = createWatch(call.signal);
    const ms = call.uploadBytes !== undefined ? longestTimer : timeouts.firstByteMs + timeouts.stallMs;
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
      return await watch.bounded(work(), ms, 'the server did not answer');
    } finally {
      watch.release();
    }
  }

  async function once<T>(call: Call<T>): Promise<T> {
    return places.use(call.signal, () => use((connection) => send(connection, call), call.signal));
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
      connection?.client.destroy();
    },
  };
}

/** The most that a timer can wait. */
const longestTimer = 2 ** 31 - 1;

/** From what the SDK throws. Whatever is no refusal of S3 happened on the way: an answer cut off, a connection broken. */
function translate(error: unknown, sdk: Sdk, judge: Call<unknown>['judge']): Error {
  if (error instanceof ZarrError || error instanceof TransientFailure) return error;
  if (error instanceof sdk.S3ServiceException) {
    const refusal = refusalOf(error);
    return judge?.(refusal) ?? failureOf(refusal);
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
  return new StoreDeniedError(
    'no credentials for S3 could be had; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or anonymous=true',
    { cause },
  );
}
