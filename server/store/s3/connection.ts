/** The AWS SDK's client for one bucket, and requests without it. Loaded with the first request. */
import type * as Sdk from '@aws-sdk/client-s3';
import { StoreDeniedError, UnsupportedError } from '../../core/errors.js';
import type { S3Settings } from './address.js';
import { createSigner, type SigningKeys } from './sign.js';
import { createTransport } from '../http/transport.js';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Expiry; set only by functions that provide credentials. */
  readonly expiration?: Date;
}

export interface ConnectionOptions extends S3Settings {
  readonly bucket: string;
  /** @default the AWS SDK's chain: variables, profile, web identity, container, instance */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>) | undefined;
  /** Maximum number of open connections. */
  readonly maxSockets: number;
  /** Time limit for connecting, in milliseconds. */
  readonly connectMs: number;
  /** Maximum time without data on a connection, in milliseconds. */
  readonly silenceMs: number;
}

export type S3Connection = Awaited<ReturnType<typeof connect>>;

const FALLBACK_REGION = 'us-east-1';

/**
 * Resolves endpoint, region and credentials like the AWS SDK. Disables its retries, because the store retries
 * requests itself.
 * @param region reported by the server; overrides all others
 * @throws UnsupportedError for directory buckets
 */
export async function connect(options: ConnectionOptions, region?: string) {
  const sdk = await import('@aws-sdk/client-s3');
  const common: Sdk.S3ClientConfig = {
    maxAttempts: 1,
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
  };
  const signingRegion = region ?? options.region ?? (await defaultRegion(sdk, common));
  const located = { ...common, region: signingRegion };
  const forcePathStyle = options.pathStyle ?? (await hasOwnEndpoint(sdk, located, options));
  const target = { ...located, forcePathStyle };
  const endpoint = await endpointOf(sdk, target, options.bucket);
  const agent = { keepAlive: true, maxSockets: options.maxSockets };
  const client = new sdk.S3Client({
    ...target,
    ...(options.anonymous === true
      ? { credentials: placeholder, signer: { sign: async (request) => request } }
      : options.credentials === undefined
        ? {}
        : { credentials: options.credentials }),
    requestHandler: {
      connectionTimeout: options.connectMs,
      socketTimeout: options.silenceMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  const signer = createSigner(signingRegion);
  let sendable: SigningKeys | undefined;
  const loadKeys = async (renewal?: { forceRefresh: boolean }): Promise<SigningKeys> => {
    const keys = await client.config.credentials(renewal);
    if (keys !== sendable) assertSendable(keys);
    sendable = keys;
    return keys;
  };
  const transport = createTransport(await import('undici'), options);
  return {
    sdk,
    client,
    /** Sends requests without the AWS SDK. */
    transport,
    /** Base URL of the bucket's objects. */
    base: endpoint,
    region: signingRegion,
    /**
     * Adds `host` and the signature to the headers of a request without a body; only `host` if requests are not
     * signed.
     */
    async sign(
      method: string,
      address: URL,
      headers: Record<string, string>,
    ): Promise<Record<string, string>> {
      const all = Object.assign({}, headers);
      all['host'] = address.host;
      if (options.anonymous === true) return all;
      const keys = await loadKeys();
      const time = new Date(Date.now() + client.config.systemClockOffset);
      return signer({ method, path: address.pathname, headers: all }, keys, time);
    },
    /** Loads the credentials. @throws errors from their source; StoreDeniedError if they cannot be sent */
    async assertCredentials(): Promise<void> {
      await loadKeys();
    },
    /** Reloads credentials from their source. */
    async renewCredentials(): Promise<void> {
      await loadKeys({ forceRefresh: true });
    },
    /** Closes all connections. */
    close(): void {
      transport.close();
      client.destroy();
    },
  };
}

/** @throws StoreDeniedError for keys that cannot be sent in a header. A retry would not change that */
function assertSendable({ accessKeyId, sessionToken = '' }: SigningKeys): void {
  const problem = isToken(accessKeyId) ? (isToken(sessionToken) ? undefined : 'session token') : 'access key';
  if (problem !== undefined)
    throw new StoreDeniedError(
      `the S3 ${problem} contains a character that is not allowed in a header, such as a line break; check how it was copied`,
    );
}

/** Whether a text consists of visible ASCII characters. */
function isToken(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

/** Credentials for requests that are not signed, because the AWS SDK requires some. */
const placeholder = { accessKeyId: 'anonymous', secretAccessKey: 'anonymous' };

async function defaultRegion(sdk: typeof Sdk, config: Sdk.S3ClientConfig): Promise<string> {
  const client = new sdk.S3Client(config);
  return client.config.region().catch(() => FALLBACK_REGION);
}

/** Whether an endpoint is configured, in the options or in one of the AWS SDK's ways. */
async function hasOwnEndpoint(
  sdk: typeof Sdk,
  config: Sdk.S3ClientConfig,
  { endpoint, bucket }: ConnectionOptions,
): Promise<boolean> {
  if (endpoint !== undefined) return true;
  const pathStyle = { ...config, forcePathStyle: true };
  const configured = await endpointOf(sdk, pathStyle, bucket);
  const standard = await endpointOf(sdk, { ...pathStyle, ignoreConfiguredEndpointUrls: true }, bucket);
  return configured.host !== standard.host;
}

/** Applies the AWS SDK's rules to bucket, region and endpoint; sends nothing. */
async function endpointOf(sdk: typeof Sdk, config: Sdk.S3ClientConfig, bucket: string): Promise<URL> {
  const client = new sdk.S3Client({ ...config, credentials: placeholder });
  const command = new sdk.HeadBucketCommand({ Bucket: bucket });
  let endpoint: { readonly url: URL; readonly properties?: Record<string, unknown> } | undefined;
  command.middlewareStack.addRelativeTo(
    (_: unknown, context: { readonly endpointV2?: typeof endpoint }) => async () => {
      endpoint = context.endpointV2;
      return { output: { $metadata: {} }, response: {} };
    },
    { relation: 'after', toMiddleware: 'endpointV2Middleware', name: 'keepEndpoint' },
  );
  await client.send(command);
  if (endpoint === undefined || endpoint.properties?.['backend'] === 'S3Express')
    throw new UnsupportedError(
      'directory buckets (S3 Express) are not supported; use a general purpose bucket',
    );
  return endpoint.url;
}
