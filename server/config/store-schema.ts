import { z } from 'zod';
import { cacheControlOption } from './access-options.js';
import { howToGiveSecrets, secretSource, type SecretSource } from './secret.js';
import { isRecord } from './record.js';
import { byteCount, count, httpAddress, toggle } from './values.js';

/*
 * The options of one store, once: names, bounds and meanings. What is absent has the default of its kind of store.
 * `meta` as in schema.ts; `default` is for people.
 */

export const storeName = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9_.-]+$/, 'expected a name of letters, digits, "_", "." and "-"');

/**
 * Options that hold secrets, or into which one may slip (a token instead of its hash): no message repeats a value of
 * theirs or of anything in them.
 */
export const confidential: ReadonlySet<string> = new Set(['headers', 'credentials', 'hrefKeys', 'auth']);

export const filesystemSchema = z.strictObject({
  create: toggle().exactOptional().meta({
    default: 'off',
    description:
      'Make the folder of a writable store at the start if it is missing; without it, a missing folder is an error',
  }),
  fsync: toggle().exactOptional().meta({
    default: 'off',
    description: 'A write ends only when the disk has it, which takes milliseconds',
  }),
  lock: toggle().exactOptional().meta({
    default: 'on',
    description:
      'Locks a writable folder between processes, so that several gateways can write to it. Switch it off only if no other process writes there: changes get lost otherwise',
  }),
  followLinks: toggle().exactOptional().meta({
    default: 'off',
    description:
      'Symbolic links may lead out of the folder; whoever can write there can then have any file read. One that leads to nothing (data that were not fetched) is an error, never the fill value',
  }),
});

/** A header's value, or where it is; `prefix` (such as "Bearer ") goes before it. */
export type HeaderValue = string | (SecretSource & { readonly prefix?: string });

export const httpSchema = z.strictObject({
  headers: z
    .record(z.string(), z.unknown())
    .transform((given, context) => {
      const headers: Record<string, HeaderValue> = {};
      for (const [name, value] of Object.entries(given)) {
        const header = parseHeader(name, value);
        if ('problem' in header) context.addIssue({ code: 'custom', path: [name], message: header.problem });
        else headers[name] = header.value;
      }
      return headers;
    })
    .exactOptional()
    .meta({
      default: 'none',
      description:
        'Sent with every request to this server, and to no other: a text, or where it is: `{ env: NAME }` or `{ file: PATH }`, with a `prefix` such as "Bearer " if need be',
    }),
  firstByteMs: timeout().meta({
    default: 'a third of deadlineMs',
    description: 'Time of one try until its answer must have begun',
  }),
  stallMs: timeout().meta({
    default: 'a third of deadlineMs',
    description: 'Time between two pieces of a body',
  }),
  maxRedirects: count(0, 20).exactOptional().meta({
    default: '5',
    description:
      'Redirects followed per request; never from https to http, and to other hosts only at public addresses',
  }),
  forbiddenMeansAbsent: toggle().exactOptional().meta({
    default: 'off',
    description: '403 means that there is no such object, as buckets say that may not be listed',
  }),
});

export const s3Schema = z.strictObject({
  endpoint: httpAddress().exactOptional().meta({
    default: 'that of Amazon',
    description: 'Another server than Amazon’s; else `AWS_ENDPOINT_URL` counts',
  }),
  region: text().meta({ default: 'us-east-1', description: 'Else `AWS_REGION` counts' }),
  pathStyle: toggle().exactOptional().meta({
    default: 'on with an endpoint',
    description: 'The bucket stands in the path of addresses, not in the host name',
  }),
  anonymous: toggle()
    .exactOptional()
    .meta({ default: 'off', description: 'Requests are not signed: for public buckets' }),
  profile: text().meta({
    default: 'none',
    description: 'Of the shared AWS files; else `AWS_PROFILE` counts',
  }),
  requesterPays: toggle()
    .exactOptional()
    .meta({ default: 'off', description: 'Whoever asks pays for the transfer' }),
  forbiddenMeansAbsent: toggle().exactOptional().meta({
    default: 'off',
    description: '403 means that there is no such object, as S3 says to those who may not list',
  }),
  credentials: z
    .strictObject({
      accessKeyId: secretSource(),
      secretAccessKey: secretSource(),
      sessionToken: secretSource().exactOptional(),
    })
    .exactOptional()
    .meta({
      default: "the SDK's chain",
      description:
        '`accessKeyId`, `secretAccessKey` and, if need be, `sessionToken`, each as `{ env: NAME }` or `{ file: PATH }`',
    }),
  firstByteMs: timeout().meta({
    default: 'a third of deadlineMs',
    description: 'Time of one try until its answer must have begun',
  }),
  stallMs: timeout().meta({
    default: 'a third of deadlineMs',
    description: 'Time between two pieces of a body',
  }),
});

const commonShape = {
  name: storeName.meta({ description: 'Name under which requests ask for the store' }),
  url: z.string().min(1, 'expected a path or a URL').meta({
    description:
      'A path, file:, s3:, http: or https: (each also ending in .zip), or memory:; relative paths count from the folder of the configuration file',
  }),
  description: z.string().optional().meta({ description: 'Text for people, shown in the schema' }),
  writable: toggle()
    .default(false)
    .meta({ default: 'off', description: 'Whether requests may write to the store' }),
  cacheControl: cacheControlOption,
  netcdfShuffle: toggle().exactOptional().meta({
    default: 'on for NCZarr',
    description:
      'Meaning of `"elementsize": 0` in the v2 filter `shuffle`: the size of the data type (on), as libnetcdf writes it, or not shuffled (off), as numcodecs reads it. By default on for arrays with an NCZarr note (`_nczarr_*`), off for others',
  }),
  maxAgeMs: count(0, 86_400_000).exactOptional().meta({
    unit: 'ms',
    default: '10000 ms; folders 0',
    description: 'How long an answer is trusted before the store is asked whether it still holds',
  }),
  cacheBytes: byteCount(0, 2 ** 40)
    .exactOptional()
    .meta({
      unit: 'bytes',
      default: '64MiB; folders 0',
      description: 'Memory for stored bytes that were read',
    }),
  concurrency: count(1, 1024).exactOptional().meta({
    default: 'S3 64, web 32, folders 16',
    description: 'Requests, or files, under way at a time',
  }),
  retries: count(0, 20).exactOptional().meta({
    default: 'S3 4, web 3',
    description:
      'How often a request is repeated after a transient failure, within deadlineMs; the pause doubles each time',
  }),
  deadlineMs: timeout().meta({
    unit: 'ms',
    default: '15000 ms',
    description:
      'Time that one request to the store may take over all its tries; each MiB that is transferred adds a second. Never more than a quarter of requestTimeoutMs unless set',
  }),
};

/** The options that only some kinds of store have. */
export const storeGroups = { filesystem: filesystemSchema, http: httpSchema, s3: s3Schema };
type Group = keyof typeof storeGroups;

export const storeSchema = z
  .strictObject(
    {
      ...commonShape,
      filesystem: filesystemSchema.exactOptional(),
      http: httpSchema.exactOptional(),
      s3: s3Schema.exactOptional(),
    },
    {
      error: ({ code }) => (code === 'invalid_type' ? 'expected the `name` and `url` of a store' : undefined),
    },
  )
  .superRefine((store, context) => {
    const kind = kindOf(store.url);
    for (const group of ['filesystem', 'http', 's3'] as const)
      if (store[group] !== undefined && group !== kind)
        context.addIssue({
          code: 'custom',
          path: [group],
          message: `these options are for ${addressesOf[group]}; this store's address is of another kind`,
        });
  });

const addressesOf: Readonly<Record<Group, string>> = {
  filesystem: 'paths and file: addresses',
  http: 'http: and https: addresses',
  s3: 's3: addresses',
};

/** One letter before a colon is a drive. */
function kindOf(url: string): Group | undefined {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === 'file') return 'filesystem';
  if (scheme === 'http' || scheme === 'https') return 'http';
  return scheme === 's3' ? 's3' : undefined;
}

function timeout(): z.ZodExactOptional<z.ZodType<number>> {
  return count(10, 600_000).exactOptional();
}

function text(): z.ZodExactOptional<z.ZodString> {
  return z.string().min(1, 'expected a text').exactOptional();
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Names of headers that mostly hold secrets. */
const secretName = /auth|cookie|token|secret|password|signature|api-?key|access-?key/i;
/** What the store itself says, or the connection. */
const taken = new Set(
  'accept-encoding connection content-length host if-match if-modified-since if-none-match if-range if-unmodified-since range te transfer-encoding upgrade'.split(
    ' ',
  ),
);

function parseHeader(
  name: string,
  value: unknown,
): { readonly value: HeaderValue } | { readonly problem: string } {
  if (!headerName.test(name)) return { problem: 'this is no name of a header' };
  if (taken.has(name.toLowerCase())) return { problem: 'this header is set by the store itself' };
  if (typeof value === 'string') {
    if (secretName.test(name))
      return { problem: `a secret must not stand in the configuration; ${howToGiveSecrets}` };
    return headerText.test(value) ? { value } : { problem: 'the value holds characters that no header can' };
  }
  const { prefix, ...source } = isRecord(value) ? value : {};
  const parsed = secretSource().safeParse(source);
  if (!parsed.success) return { problem: `expected a text, or where it is: ${howToGiveSecrets}` };
  if (prefix === undefined) return { value: parsed.data };
  return typeof prefix === 'string' && headerText.test(prefix)
    ? { value: { ...parsed.data, prefix } }
    : { problem: 'prefix: expected a text' };
}
