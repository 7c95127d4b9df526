/** The SDK's client of one bucket, and signing for requests outside of it. Loaded with the first request. */
import type * as Sdk from '@aws-sdk/client-s3';
import { UnsupportedError } from '../../errors.js';
import type { S3Settings } from './address.js';
import { createSigner } from './sign.js';
import { createTransport, type Transport } from './transport.js';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Expiry; set only by functions that provide credentials. */
  readonly expiration?: Date;
}

export interface ConnectionOptions extends S3Settings {
  readonly bucket: string;
  /** @default the SDK's chain: variables, profile, web identity, container, instance */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>) | undefined;
  /** Maximum open connections. */
  readonly maxSockets: number;
  /** Time limit for connecting, in milliseconds. */
  readonly connectMs: number;
  /** Maximum silence on a connection, in milliseconds. */
  readonly silenceMs: number;
}

export interface Connection {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
  /** For requests without the SDK. */
  readonly transport: Transport;
  /** Base URL of the bucket's objects. */
  readonly base: URL;
  readonly region: string;
  /** Signed headers of a request without a body; unchanged if requests are not signed. */
  sign(method: string, address: URL, headers: Record<string, string>): Promise<Record<string, string>>;
  /** Throws the reason if credentials cannot be loaded. */
  assertCredentials(): Promise<void>;
  /** Reloads credentials from their source. */
  renewCredentials(): Promise<void>;
  /** Closes all connections. */
  close(): void;
}

const FALLBACK_REGION = 'us-east-1';

/**
 * Resolves endpoint, region and credentials like the SDK, whose retries are disabled, because the store
 * retries requests itself.
 * @param region reported by the server; overrides all others
 * @throws UnsupportedError for directory buckets
 */
export async function connect(options: ConnectionOptions, region?: string): Promise<Connection> {
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
      ? { credentials: nobody, signer: { sign: async (request) => request } }
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
  const transport = createTransport(await import('undici'), options);
  return {
    sdk,
    client,
    transport,
    base: endpoint,
    region: signingRegion,
    async sign(method, address, headers) {
      const all = { ...headers, host: address.host };
      if (options.anonymous === true) return all;
      const keys = await client.config.credentials();
      const time = new Date(Date.now() + client.config.systemClockOffset);
      return signer({ method, path: address.pathname, headers: all }, keys, time);
    },
    async assertCredentials() {
      await client.config.credentials();
    },
    async renewCredentials() {
      await client.config.credentials({ forceRefresh: true });
    },
    close() {
      transport.close();
      client.destroy();
    },
  };
}

/** Satisfies the SDK's requirement for credentials; nothing is signed with it. */
const nobody = { accessKeyId: 'anonymous', secretAccessKey: 'anonymous' };

async function defaultRegion(sdk: typeof Sdk, config: Sdk.S3ClientConfig): Promise<string> {
  const client = new sdk.S3Client(config);
  return client.config.region().catch(() => FALLBACK_REGION);
}

/** Whether an endpoint is configured in one of the SDK's ways. */
async function hasOwnEndpoint(
  sdk: typeof Sdk,
  config: Sdk.S3ClientConfig,
  { endpoint, bucket }: ConnectionOptions,
): Promise<boolean> {
  if (endpoint !== undefined) return true;
  const pathStyle = { ...config, forcePathStyle: true };
  const configured = await endpointOf(sdk, pathStyle, bucket);
  const amazons = await endpointOf(sdk, { ...pathStyle, ignoreConfiguredEndpointUrls: true }, bucket);
  return configured.host !== amazons.host;
}

/** Applies the SDK's rules to bucket, region and endpoint; sends nothing. */
async function endpointOf(sdk: typeof Sdk, config: Sdk.S3ClientConfig, bucket: string): Promise<URL> {
  const client = new sdk.S3Client({ ...config, credentials: nobody });
  const command = new sdk.HeadBucketCommand({ Bucket: bucket });
  let found: { readonly url: URL; readonly properties?: Record<string, unknown> } | undefined;
  command.middlewareStack.addRelativeTo(
    (_: unknown, context: { readonly endpointV2?: typeof found }) => async () => {
      found = context.endpointV2;
      return { output: { $metadata: {} }, response: {} };
    },
    { relation: 'after', toMiddleware: 'endpointV2Middleware', name: 'keepEndpoint' },
  );
  await client.send(command);
  if (found === undefined || found.properties?.['backend'] === 'S3Express')
    throw new UnsupportedError(
      'directory buckets (S3 Express) are not supported; use a general purpose bucket',
    );
  return found.url;
}
