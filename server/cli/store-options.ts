import { ConfigError, type HeaderValue, readSecret, type SecretSource, type StoreConfig } from '../config.js';
import { DEFAULT_DEADLINE_MS, type OpenStoreOptions } from '../zarr/index.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Converts the options of a store to those of the engine, and resolves secrets.
 * @param requestTimeoutMs exclusive upper bound of the store's own deadline
 * @throws ConfigError naming each secret that is missing or invalid; ConfigError for an invalid deadline
 */
export function openOptionsOf(
  config: StoreConfig,
  env: Environment,
  requestTimeoutMs: number,
): OpenStoreOptions {
  const { name, writable, maxAgeMs, cacheBytes, concurrency, maxVersionChecks, retries } = config;
  const secrets = createSecretReader(`store "${name}"`, env);
  const groups = groupsOf(config, secrets);
  const virtualChunks = config.virtualChunks?.map(({ prefix, ...options }) => ({
    prefix,
    ...groupsOf(options, secrets),
  }));
  secrets.check();
  const { deadlineMs = Math.min(DEFAULT_DEADLINE_MS, Math.ceil(requestTimeoutMs / 4)) } = config;
  if (deadlineMs >= requestTimeoutMs)
    throw new ConfigError([
      `store "${name}": deadlineMs (${deadlineMs}) must be less than requestTimeoutMs (${requestTimeoutMs}), so that a store that hangs fails only its own fields`,
    ]);
  return {
    readonly: !writable,
    maxAgeMs,
    cacheBytes,
    concurrency,
    maxVersionChecks,
    retries,
    deadlineMs,
    ...groups,
    ...(virtualChunks === undefined ? {} : { virtualChunks }),
  };
}

type GroupName = 'filesystem' | 'http' | 's3' | 'gcs' | 'azure';
type Groups = Pick<StoreConfig, GroupName>;

function groupsOf(
  { filesystem, http, s3, gcs, azure }: Groups,
  secrets: SecretReader,
): Pick<OpenStoreOptions, GroupName> {
  return {
    ...(filesystem === undefined ? {} : { filesystem }),
    ...(http === undefined ? {} : { http: httpOptions(http, secrets) }),
    ...(s3 === undefined ? {} : { s3: s3Options(s3, secrets) }),
    ...(gcs === undefined ? {} : { gcs: gcsOptions(gcs, secrets) }),
    ...(azure === undefined ? {} : { azure: azureOptions(azure, secrets) }),
  };
}

type SecretReader = ReturnType<typeof createSecretReader>;

function createSecretReader(store: string, env: Environment) {
  const problems: string[] = [];
  return {
    /** The secret; "" if it is invalid, which `check` reports. */
    read(source: SecretSource, option: string, form?: RegExp): string {
      try {
        const secret = readSecret(source, env, `${store}: ${option}`);
        if (form?.test(secret) !== false) return secret;
        problems.push(
          `${store}: ${option}: the secret contains characters that are not allowed in this option`,
        );
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        problems.push(...error.problems);
      }
      return '';
    },
    /** @throws ConfigError naming all invalid secrets */
    check(): void {
      if (problems.length > 0) throw new ConfigError(problems);
    },
  };
}

const oneLine = /^[\x20-\x7e\x80-\xff]*$/;

function httpOptions(
  { headers, ...others }: NonNullable<StoreConfig['http']>,
  secrets: SecretReader,
): NonNullable<OpenStoreOptions['http']> {
  if (headers === undefined) return others;
  const valueOf = (name: string, value: HeaderValue): string =>
    typeof value === 'string'
      ? value
      : `${value.prefix ?? ''}${secrets.read(value, `http.headers.${name}`, oneLine)}`;
  const resolved = Object.entries(headers).map(([name, value]) => [name, valueOf(name, value)] as const);
  return { ...others, headers: Object.fromEntries(resolved) };
}

function s3Options(
  { credentials, ...others }: NonNullable<StoreConfig['s3']>,
  secrets: SecretReader,
): NonNullable<OpenStoreOptions['s3']> {
  if (credentials === undefined) return others;
  const read = (name: keyof typeof credentials, source: SecretSource): string =>
    secrets.read(source, `s3.credentials.${name}`, oneLine);
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  return {
    ...others,
    credentials: {
      accessKeyId: read('accessKeyId', accessKeyId),
      secretAccessKey: read('secretAccessKey', secretAccessKey),
      ...(sessionToken === undefined ? {} : { sessionToken: read('sessionToken', sessionToken) }),
    },
  };
}

function gcsOptions(
  { credentials, ...others }: NonNullable<StoreConfig['gcs']>,
  secrets: SecretReader,
): NonNullable<OpenStoreOptions['gcs']> {
  if (credentials === undefined) return others;
  return { ...others, credentials: secrets.read(credentials, 'gcs.credentials') };
}

function azureOptions(
  { credentials = {}, ...others }: NonNullable<StoreConfig['azure']>,
  secrets: SecretReader,
): NonNullable<OpenStoreOptions['azure']> {
  const { accountKey, sas, clientSecret } = credentials;
  const read = (name: keyof typeof credentials, source: SecretSource): string =>
    secrets.read(source, `azure.credentials.${name}`, oneLine);
  return {
    ...others,
    ...(accountKey === undefined ? {} : { accountKey: read('accountKey', accountKey) }),
    ...(sas === undefined ? {} : { sas: read('sas', sas) }),
    ...(clientSecret === undefined ? {} : { clientSecret: read('clientSecret', clientSecret) }),
  };
}
