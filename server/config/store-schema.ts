import * as z from 'zod';
import { cacheControlOption } from './auth-schema.js';
import { byteCount, count, httpAddress, toggle } from './values.js';
import { HOW_TO_GIVE_SECRETS, secretSource, type SecretSource } from './secrets.js';
import { InputError, parseNodePath } from '../zarr/index.js';
import { isRecord } from '../../wire/guards.js';

/*
 * The definitions of all store options: names, bounds and descriptions. Absent options take the default of
 * the store's kind. `meta` is as in schema.ts; `default` is for documentation.
 */

export const storeName = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9_.-]+$/, 'expected a name of letters, digits, "_", "." and "-"');

/**
 * Options that contain secrets, or may contain one by mistake (a token instead of its hash). Messages never
 * quote the values of these options, including nested ones, except the names of unknown stores in permissions.
 */
export const confidential: ReadonlySet<string> = new Set([
  'headers',
  'credentials',
  'hrefKeys',
  'redisPassword',
  'auth',
]);

const filesystemSchema = z.strictObject({
  create: toggle().exactOptional().meta({
    default: 'off',
    description: 'Create a missing folder of a writable store at startup',
  }),
  fsync: toggle().exactOptional().meta({
    default: 'off',
    description: 'Complete a write only after it is on disk (fsync)',
  }),
  lock: toggle().exactOptional().meta({
    default: 'on',
    description: 'Lock a writable folder between processes',
  }),
  followLinks: toggle().exactOptional().meta({
    default: 'off',
    description: 'Allow symbolic links to lead out of the folder',
  }),
});

/** Options of stores that are read over a network. */
const timeoutsOfAttempt = {
  firstByteMs: timeout().meta({
    default: 'a third of deadlineMs',
    description: 'Maximum time until the response to one attempt starts',
  }),
  stallMs: timeout().meta({
    default: 'a third of deadlineMs',
    description: 'Maximum time between two pieces of a body',
  }),
};

/** A header's value or its source; `prefix` (such as "Bearer ") is prepended. */
export type HeaderValue = string | (SecretSource & { readonly prefix?: string });

const httpSchema = z.strictObject({
  headers: z
    .record(z.string(), z.unknown())
    .transform((entries, context) => {
      const headers: Record<string, HeaderValue> = {};
      for (const [name, value] of Object.entries(entries)) {
        const header = parseHeader(name, value);
        if ('problem' in header) context.addIssue({ code: 'custom', path: [name], message: header.problem });
        else headers[name] = header.value;
      }
      return headers;
    })
    .exactOptional()
    .meta({
      default: 'none',
      description: 'Headers sent with every request to this server',
    }),
  ...timeoutsOfAttempt,
  maxRedirects: count(0, 20).exactOptional().meta({
    default: '5',
    description: 'Maximum number of redirects per request',
  }),
  forbiddenMeansAbsent: toggle().exactOptional().meta({
    default: 'off',
    description: 'Treat 403 as an absent object',
  }),
});

const s3Schema = z.strictObject({
  endpoint: httpAddress().exactOptional().meta({
    default: "Amazon's",
    description: 'Endpoint of another S3 server; overrides `AWS_ENDPOINT_URL`',
  }),
  region: text().meta({ default: 'us-east-1', description: 'Region of the bucket; overrides `AWS_REGION`' }),
  pathStyle: toggle().exactOptional().meta({
    default: 'on with an endpoint',
    description: 'Put the bucket in the path of URLs',
  }),
  anonymous: toggle()
    .exactOptional()
    .meta({ default: 'off', description: 'Do not sign requests, for public buckets' }),
  profile: text().meta({
    default: 'none',
    description: 'Profile of the shared AWS files; overrides `AWS_PROFILE`',
  }),
  requesterPays: toggle()
    .exactOptional()
    .meta({ default: 'off', description: 'The requester pays for the transfer' }),
  forbiddenMeansAbsent: toggle().exactOptional().meta({
    default: 'off',
    description: 'Treat 403 as an absent object',
  }),
  credentials: z
    .strictObject({
      accessKeyId: secretSource(),
      secretAccessKey: secretSource(),
      sessionToken: secretSource().exactOptional(),
    })
    .exactOptional()
    .meta({
      default: "the AWS SDK's chain",
      description: 'Credentials for this store only',
    }),
  ...timeoutsOfAttempt,
  hedge: toggle().exactOptional().meta({
    default: 'on',
    description: 'Send slow reads a second time',
  }),
});

const gcsSchema = z.strictObject({
  endpoint: httpAddress().exactOptional().meta({
    default: "Google's",
    description: 'Endpoint of another server of the JSON API',
  }),
  anonymous: toggle()
    .exactOptional()
    .meta({ default: 'off', description: 'Send no credentials, for public buckets' }),
  userProject: text().meta({ default: 'none', description: 'Project that pays for the requests' }),
  forbiddenMeansAbsent: toggle().exactOptional().meta({
    default: 'off',
    description: 'Treat 401 and 403 as an absent object',
  }),
  credentials: secretSource().exactOptional().meta({
    default: '`GOOGLE_APPLICATION_CREDENTIALS`, gcloud, the machine',
    description: 'JSON key of a service account, for this store only',
  }),
  ...timeoutsOfAttempt,
});

const azureSchema = z.strictObject({
  account: text().meta({
    default: 'none',
    description: 'Storage account, unless the URL names it; overrides `AZURE_STORAGE_ACCOUNT`',
  }),
  endpoint: httpAddress().exactOptional().meta({
    default: "Azure's",
    description: 'Endpoint of another server, with the account in its path if needed',
  }),
  anonymous: toggle()
    .exactOptional()
    .meta({ default: 'off', description: 'Send no credentials, for public containers' }),
  tenantId: text().meta({ default: '`AZURE_TENANT_ID`', description: 'Tenant of Entra ID' }),
  clientId: text().meta({
    default: '`AZURE_CLIENT_ID`',
    description: 'Client of Entra ID, or the managed identity to use',
  }),
  credentials: z
    .strictObject({
      accountKey: secretSource().exactOptional(),
      sas: secretSource().exactOptional(),
      clientSecret: secretSource().exactOptional(),
    })
    .exactOptional()
    .meta({
      default: 'variables, then the managed identity',
      description: 'One of `accountKey`, `sas` (shared access signature) and `clientSecret`',
    }),
  ...timeoutsOfAttempt,
});

/** Names of fields: letters, digits and underscores after a letter, as `assertFixedNames` checks. */
const fieldNames = z
  .record(
    z.string(),
    z
      .string()
      .regex(
        /^(?!(?:true|false|null)$)[A-Za-z][A-Za-z0-9_]{0,99}$/,
        'expected a letter, then letters, digits and "_"',
      ),
  )
  .refine(
    (names) => new Set(Object.values(names)).size === Object.keys(names).length,
    'expected different names',
  );

const typedSchemaOption = z.strictObject({
  enabled: toggle().exactOptional().meta({ default: 'on', description: 'Serve it at `/graphql/NAME`' }),
  names: fieldNames.exactOptional().meta({
    default: 'derived',
    description: 'Names of fields by names in the store: `{"2m temperature": "t2m"}`',
  }),
  families: z.record(z.string(), toggle()).exactOptional().meta({
    default: 'from 20 equal groups',
    description: 'Whether the child groups of a path share one type: `{"/stations": true}`',
  }),
  collapse: z
    .array(z.string().min(1).max(1000))
    .max(1000)
    .exactOptional()
    .meta({ default: 'none', description: 'Patterns of groups whose members have no fields: `["/raw/**"]`' }),
  maxFields: count(1, 100_000)
    .exactOptional()
    .meta({ default: '`maxSchemaFields`', description: 'Maximum number of arrays and groups with fields' }),
});

const virtualChunksOption = z
  .array(
    z.strictObject({
      prefix: z.string().min(1).max(2000),
      filesystem: filesystemSchema.pick({ followLinks: true }).exactOptional(),
      http: httpSchema.exactOptional(),
      s3: s3Schema.exactOptional(),
      gcs: gcsSchema.exactOptional(),
      azure: azureSchema.exactOptional(),
    }),
  )
  .max(1000);

const discoverOption = z.strictObject({
  enabled: toggle()
    .exactOptional()
    .meta({ default: 'on', description: 'Serve the stores below the address' }),
  depth: count(1, 20)
    .default(4)
    .meta({ description: 'Maximum number of folders between the address and a store' }),
  maxStores: count(1, 10_000).default(1000).meta({ description: 'Maximum number of stores' }),
  intervalMs: count(100, 86_400_000).exactOptional().meta({
    default: '10000 ms; buckets 60000',
    description: 'Time between two searches for new and removed stores',
  }),
});

/** Addresses with wildcards, or without. */
const memberPaths = z.union([
  z.string().min(1).max(1000),
  z.array(z.string().min(1).max(1000)).min(1).max(1000),
]);

const membersShape = {
  stores: z.array(storeName).min(1).max(10_000).exactOptional(),
  paths: memberPaths.exactOptional(),
  maxStores: count(1, 10_000).default(10_000),
  compareValues: toggle().default(true),
};

const concatOption = z.strictObject({ along: z.string().min(1).max(1000), ...membersShape });
const mergeOption = z.strictObject(membersShape);

/** What stands for the address of a combined store. */
export const COMBINED_URL = 'combined:';

const commonShape = {
  name: storeName.meta({ description: 'Name of the store in requests' }),
  url: z.string().default('').meta({
    default: 'required',
    description: 'Address of the store',
  }),
  kind: z.literal('combined', 'expected "combined"').exactOptional().meta({
    default: 'that of the address',
    description: '`combined`: several stores as one, by `concat` or `merge` in place of `url`',
  }),
  concat: concatOption.exactOptional().meta({
    default: 'none',
    description:
      'Joins stores `along` a dimension: `stores` (names in this configuration) or `paths` (`/data/*.zarr`), at most `maxStores`; `compareValues: false` compares only metadata of what must be equal',
  }),
  merge: mergeOption.exactOptional().meta({
    default: 'none',
    description:
      'Joins the variables of stores: `stores`, `paths`, `maxStores` and `compareValues` as for `concat`',
  }),
  description: z
    .string()
    .optional()
    .meta({ description: 'Description that clients read as `Store.description`' }),
  writable: toggle()
    .default(false)
    .meta({ default: 'off', description: 'Whether requests may write to the store' }),
  cacheControl: cacheControlOption,
  netcdfShuffle: toggle().exactOptional().meta({
    default: 'on for libnetcdf',
    description: 'Interpret `"elementsize": 0` as libnetcdf does',
  }),
  trustConsolidated: toggle().exactOptional().meta({
    default: 'off',
    description: 'Read arrays without documents as fill values',
  }),
  paths: z
    .array(z.string().refine(isNodePath, 'expected the path of a node, such as /group/array'))
    .max(10_000)
    .exactOptional()
    .meta({ default: 'none', description: 'Nodes of a store that cannot be listed' }),
  typedSchema: typedSchemaOption.exactOptional().meta({
    default: 'on, with derived names',
    description: 'The GraphQL schema that is generated from the store',
  }),
  discover: discoverOption.exactOptional().meta({
    default: 'off',
    description: 'Serve each store below the address as `NAME/PATH`',
  }),
  watchMs: count(0, 86_400_000).exactOptional().meta({
    unit: 'ms',
    default: '10000 ms',
    description:
      'Time between two searches for changes by others while the store has subscribers; 0 for none',
  }),
  searchIndexMs: count(0, 30 * 86_400_000)
    .exactOptional()
    .meta({
      unit: 'ms',
      default: '0 (none)',
      description:
        'Time between two listings of all nodes in the background, from whose names `search` answers without consolidated metadata',
    }),
  virtualChunks: virtualChunksOption.exactOptional().meta({
    default: 'none',
    description:
      'Files that virtual chunks of an Icechunk repository, or references, may lead to: a list of a `prefix` of their addresses, which ends with a slash (`./`: the folder of the references), ' +
      'and optionally `http`, `s3`, `gcs`, `azure` or `filesystem` options',
  }),
  maxAgeMs: count(0, 86_400_000).exactOptional().meta({
    unit: 'ms',
    default: '10000 ms; folders 0',
    description: 'Time for which cached bytes are used before revalidation',
  }),
  cacheBytes: byteCount(0, 2 ** 40)
    .exactOptional()
    .meta({
      unit: 'bytes',
      default: '64MiB; folders 0',
      description: 'Memory for the cache of stored bytes',
    }),
  concurrency: count(1, 1024).exactOptional().meta({
    default: 'buckets: 64, web: 32, folders: 16',
    description: 'Concurrent requests, or open files',
  }),
  maxVersionChecks: count(0, 100_000).exactOptional().meta({
    default: 'buckets, web: 256',
    description: 'Maximum number of objects to revalidate for a cached result',
  }),
  retries: count(0, 20).exactOptional().meta({
    default: 'buckets: 4, web: 3',
    description: 'Maximum number of retries of a request after transient failures',
  }),
  deadlineMs: timeout().meta({
    unit: 'ms',
    default: '15000 ms',
    description: 'Time limit of one request to the store, including retries',
  }),
};

/** Options that apply only to some kinds of stores. */
export const storeGroups = {
  filesystem: filesystemSchema,
  http: httpSchema,
  s3: s3Schema,
  gcs: gcsSchema,
  azure: azureSchema,
};
type Group = keyof typeof storeGroups;

export const storeSchema = z
  .strictObject(
    {
      ...commonShape,
      filesystem: filesystemSchema.exactOptional(),
      http: httpSchema.exactOptional(),
      s3: s3Schema.exactOptional(),
      gcs: gcsSchema.exactOptional(),
      azure: azureSchema.exactOptional(),
    },
    {
      error: ({ code }) => (code === 'invalid_type' ? 'expected the `name` and `url` of a store' : undefined),
    },
  )
  .superRefine((store, context) => {
    for (const [path, message] of store.kind === undefined ? plainProblems(store) : combinedProblems(store))
      context.addIssue({ code: 'custom', path: [path], message });
    if (store.kind !== undefined) return;
    const kind = kindOf(store.url);
    if (isDiscovered(store) && (kind === undefined || kind === 'http'))
      context.addIssue({
        code: 'custom',
        path: ['discover'],
        message: 'requires a path, or an s3:, gs: or az: URL, which can be listed',
      });
    for (const group of ['filesystem', 'http', 's3', 'gcs', 'azure'] as const)
      if (store[group] !== undefined && group !== kind)
        context.addIssue({
          code: 'custom',
          path: [group],
          message: `these options are for ${addressesOf[group]}; this store has a URL of another kind`,
        });
  });

type Given = {
  readonly url: string;
  readonly writable: boolean;
  readonly discover?: unknown;
  readonly concat?: z.output<typeof concatOption>;
  readonly merge?: z.output<typeof mergeOption>;
};
type Problem = readonly [option: string, message: string];

function plainProblems({ url, concat, merge }: Given): Problem[] {
  const problems: Problem[] = [];
  if (url === '') problems.push(['url', 'expected a path or a URL']);
  if (concat !== undefined) problems.push(['concat', 'requires `kind: combined`']);
  if (merge !== undefined) problems.push(['merge', 'requires `kind: combined`']);
  return problems;
}

function combinedProblems({ url, writable, discover, concat, merge }: Given): Problem[] {
  const problems: Problem[] = [];
  if (url !== '') problems.push(['url', 'a combined store has `concat` or `merge` in place of an address']);
  if (writable) problems.push(['writable', 'a combined store is read-only; write to its members']);
  if (discover !== undefined) problems.push(['discover', 'requires a path or the URL of a bucket']);
  if ((concat === undefined) === (merge === undefined))
    problems.push(['kind', 'a combined store requires either `concat` or `merge`']);
  for (const [name, group] of [
    ['concat', concat],
    ['merge', merge],
  ] as const)
    // prettier-ignore
    if (group !== undefined && (group.stores === undefined) === (group.paths === undefined))
      problems.push([name, 'requires either `stores` or `paths`']);
  return problems;
}

/** Whether the address is a folder of stores. */
export function isDiscovered({ discover }: { readonly discover?: { readonly enabled?: boolean } }): boolean {
  return discover !== undefined && discover.enabled !== false;
}

const addressesOf: Readonly<Record<Group, string>> = {
  filesystem: 'paths and file: URLs',
  http: 'http: and https: URLs',
  s3: 's3: URLs',
  gcs: 'gs: URLs',
  azure: 'az: and abfs: URLs',
};

/** A URL with one letter before the colon is a path on a drive. */
function kindOf(url: string): Group | undefined {
  // The options of a repository, and of references, are those of their files.
  const scheme = /^(?:(?:icechunk|references)\+)?([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === 'file') return 'filesystem';
  if (scheme === 'http' || scheme === 'https') return 'http';
  if (scheme === 'gs') return 'gcs';
  if (scheme === 'az' || scheme === 'abfs' || scheme === 'abfss') return 'azure';
  return scheme === 's3' ? 's3' : undefined;
}

function isNodePath(path: string): boolean {
  try {
    return parseNodePath(path) !== '/';
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

function timeout(): z.ZodExactOptional<z.ZodType<number>> {
  return count(10, 600_000).exactOptional();
}

function text(): z.ZodExactOptional<z.ZodString> {
  return z.string().min(1, 'expected text').exactOptional();
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Names of headers that usually hold secrets. */
const secretName = /auth|cookie|token|secret|password|signature|api-?key|access-?key/i;
/** Headers that the store or the HTTP client sets itself. */
const reservedHeaders = new Set(
  'accept-encoding connection content-length host if-match if-modified-since if-none-match if-range if-unmodified-since range te transfer-encoding upgrade'.split(
    ' ',
  ),
);

function parseHeader(
  name: string,
  value: unknown,
): { readonly value: HeaderValue } | { readonly problem: string } {
  if (!headerName.test(name)) return { problem: 'invalid header name' };
  if (reservedHeaders.has(name.toLowerCase())) return { problem: 'this header is set by the store itself' };
  if (typeof value === 'string') {
    if (secretName.test(name))
      return { problem: `a secret must not be in the configuration; ${HOW_TO_GIVE_SECRETS}` };
    return headerText.test(value)
      ? { value }
      : { problem: 'the value has characters that are not allowed in headers' };
  }
  const { prefix, ...source } = isRecord(value) ? value : {};
  const parsed = secretSource().safeParse(source);
  if (!parsed.success) return { problem: `expected text, or its source: ${HOW_TO_GIVE_SECRETS}` };
  if (prefix === undefined) return { value: parsed.data };
  return typeof prefix === 'string' && headerText.test(prefix)
    ? { value: { ...parsed.data, prefix } }
    : { problem: 'prefix: expected text' };
}
