import * as z from 'zod';
import { authSchema, accessOptions } from './auth-schema.js';
import { storeName, storeSchema } from './store-schema.js';
import { byteCount, count, hostName, httpAddress, origin, redisAddress, toggle } from './values.js';

/*
 * Limits on a document, its variables and the listings that it causes. Documents written by people, code
 * generators and GraphiQL's introspection stay far below them.
 */
const documentLimits = {
  maxTokens: count(100, 10_000_000).default(20_000).meta({
    unit: 'tokens',
    description: 'Tokens of a document: words, numbers and punctuation marks',
  }),
  // GraphiQL's introspection is 15 levels deep.
  maxDepth: count(16, 1000).default(32).meta({
    unit: 'levels',
    description: 'Nesting depth of fields in a document',
  }),
  maxAliases: count(0, 1_000_000).default(1000).meta({
    unit: 'aliases',
    description: 'Aliased fields in a document',
  }),
  maxRootFields: count(1, 1_000_000).default(500).meta({
    unit: 'fields',
    description: 'Top-level fields of an operation',
  }),
  maxFields: count(500, 1_000_000).default(5000).meta({
    unit: 'fields',
    description: 'Fields of a document, with those of a fragment counted at each use',
  }),
  maxPositions: count(1000, 1e9).default(2_000_000).meta({
    unit: 'positions',
    description: 'Entries of lists, masks and points in selections, counted at each use',
  }),
  maxListedNodes: count(1000, 1e9).default(500_000).meta({
    unit: 'nodes',
    description: 'Nodes, variables and coordinates that one request may visit in listings and searches',
  }),
  maxComplexity: count(1000, 1e12).default(500_000).meta({
    unit: 'fields',
    description: 'Fields that a response may have; a field in a list counts `first` times',
  }),
};

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/*
 * The definitions of all gateway options: name, bounds, default and description. Environment variables
 * (ZARRQL_ and the name in capitals), flags and the tables of the documentation are derived from them
 * (`describe.ts`).
 *
 * `meta`: `placeholder` is shown in `--help` for the value; `unit` is the unit of a bare number; `flag` is the
 * name of the flag if it differs from the option (singular for lists); `repeat` marks lists.
 */
export const limitsSchema = z.strictObject({
  maxOutputBytes: byteCount(1, 2 ** 32)
    .default(64 * MIB)
    .meta({
      unit: 'bytes',
      default: '64MiB, less with little memory',
      description: 'Bytes of values, attributes and metadata that one request may return',
    }),
  maxDecodedBytes: byteCount(1, 2 ** 40)
    .default(GIB)
    .meta({ unit: 'bytes', description: 'Decoded bytes of the chunks that one request may decode' }),
  maxReducedBytes: byteCount(1, 2 ** 50)
    .default(16 * GIB)
    .meta({
      unit: 'bytes',
      description: 'Decoded bytes that the reductions of one request may read; each pass over a chunk counts',
    }),
  maxWork: count(1, Number.MAX_SAFE_INTEGER).default(10_000_000_000).meta({
    unit: 'operations',
    description:
      'Operations on elements that one request may compute for windows, quantiles, interpolation and expressions',
  }),
  maxChunks: count(1, 1e9)
    .default(100_000)
    .meta({ unit: 'chunks', description: 'Chunks that one request may decode' }),
  maxHrefBytes: byteCount(1, 2 ** 50)
    .default(2 * GIB)
    .meta({
      unit: 'bytes',
      description: 'Values of one download, in bytes of their data type',
    }),
  // At least the largest default page size: otherwise every list without `first` would be rejected.
  maxFirst: count(100, 100_000).default(1000).meta({
    unit: 'items',
    description: 'Maximum of `first`, and of the length of a list of ids or slice requests',
  }),
  ...documentLimits,
});

/** A host name, an IPv4 address or an IPv6 address in brackets, and a port; no host for 127.0.0.1; or a path. */
const adminAddressForm = /^(\/.+|((\[[0-9a-f:]+\]|[\w.-]+)?:\d{1,5}))$/i;

export const configSchema = z.strictObject({
  stores: z.array(storeSchema, 'expected a list of stores, each with its `name` and `url`').default([]).meta({
    flag: 'store',
    placeholder: 'NAME=URL',
    repeat: true,
    description:
      'A store to serve: a path, file:, s3:, gs:, az:, http: or https: (each may end in .zip), or memory:',
  }),
  allowWrite: z.array(storeName).default([]).meta({
    placeholder: 'NAME',
    repeat: true,
    description: 'Stores that requests may write to',
  }),
  strictStores: toggle().default(false).meta({
    description: 'Refuse to start if any store is unavailable',
  }),
  host: z
    .string()
    .min(1, 'expected a host name or address')
    .default('127.0.0.1')
    .meta({ placeholder: 'HOST', description: 'Address to listen on; 0.0.0.0 for all networks' }),
  port: count(0, 65_535, 'a port')
    .default(4000)
    .meta({ placeholder: 'PORT', description: 'Port to listen on; 0 picks a free one' }),
  socket: z.string().min(1, 'expected a path').optional().meta({
    placeholder: 'PATH',
    description: 'Unix socket to listen on instead of a port',
  }),
  adminAddress: z
    .string()
    .regex(adminAddressForm, 'expected HOST:PORT, :PORT, or the path of a unix socket')
    .optional()
    .meta({
      placeholder: 'HOST:PORT',
      description: 'Separate address for /metrics, /livez and /readyz, which then need no token',
    }),
  tlsCertificate: z.string().min(1, 'expected the path of a file').optional().meta({
    placeholder: 'FILE',
    description: 'Certificate chain in PEM; the gateway then serves HTTPS only',
  }),
  tlsKey: z.string().min(1, 'expected the path of a file').optional().meta({
    placeholder: 'FILE',
    description: 'Private key of the certificate in PEM',
  }),
  corsOrigins: z.array(origin()).default([]).meta({
    flag: 'cors-origin',
    placeholder: 'ORIGIN',
    repeat: true,
    description: 'Web origins that may send requests (CORS); "*" for any',
  }),
  publicUrl: httpAddress().optional().meta({
    placeholder: 'URL',
    description: 'URL under which clients reach the gateway, if it is behind a proxy',
  }),
  allowedHosts: z.array(hostName()).default([]).meta({
    flag: 'allowed-host',
    placeholder: 'NAME',
    repeat: true,
    description: 'Additional host names allowed in the Host header; "*" for any',
  }),
  hrefKeys: z.array(z.string().min(16, 'expected at least 16 characters')).default([]).meta({
    flag: 'href-key',
    placeholder: 'SECRET',
    repeat: true,
    description:
      'Secrets that sign links to files; set them in the environment or the file, not with the flag',
  }),
  hrefLifetimeMs: count(1000, 7 * 24 * 3_600_000)
    .default(3_600_000)
    .meta({ unit: 'ms', description: 'Lifetime of a link to a file' }),
  redis: redisAddress().optional().meta({
    placeholder: 'URL',
    description:
      'Redis or Valkey that connects the replicas of a gateway: redis://[USER@]HOST[:PORT][/DATABASE], or rediss: for TLS',
  }),
  redisPassword: z.string().min(1, 'expected a password').optional().meta({
    placeholder: 'SECRET',
    description: 'Password of Redis; set it in the environment or the file, not with the flag',
  }),
  redisCertificates: z.string().min(1, 'expected the path of a file').optional().meta({
    placeholder: 'FILE',
    default: 'those of the system',
    description: 'PEM file of the certificates that sign that of Redis',
  }),
  redisPrefix: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'expected 1 to 64 letters, digits and "_.-"')
    .default('zarrql')
    .meta({
      placeholder: 'NAME',
      description: 'Start of the keys in Redis; gateways with different stores need different ones',
    }),
  redisTimeoutMs: count(10, 60_000).default(500).meta({
    unit: 'ms',
    description: 'Maximum time of a command of Redis; requests then continue without it',
  }),
  redisResultBytes: byteCount(0, 2 ** 40)
    .default(256 * MIB)
    .meta({
      unit: 'bytes',
      description: 'Memory in Redis for results that replicas share, if `hrefKeys` are set; 0 for none',
    }),
  limits: limitsSchema.prefault({}),
  auth: authSchema.optional(),
  ...accessOptions,
  maxBodyBytes: byteCount(1024, 2 ** 31)
    .default(MIB)
    .meta({ unit: 'bytes', description: 'Maximum size of a request body' }),
  requestTimeoutMs: count(10, 3_600_000).default(60_000).meta({
    unit: 'ms',
    description: 'Maximum time until a response starts; then the request is aborted',
  }),
  receiveTimeoutMs: count(1000, 3_600_000)
    .default(30_000)
    .meta({ unit: 'ms', description: 'Maximum time to receive a complete request' }),
  idleTimeoutMs: count(1000, 3_600_000)
    .default(120_000)
    .meta({ unit: 'ms', description: 'Time without traffic after which a connection is closed' }),
  shutdownDelayMs: count(0, 3_600_000).default(3000).meta({
    unit: 'ms',
    description: 'Time after SIGTERM during which /readyz returns 503 and requests are still served',
  }),
  drainTimeoutMs: count(0, 3_600_000)
    .default(10_000)
    .meta({ unit: 'ms', description: 'Maximum time to finish in-flight requests after `shutdownDelayMs`' }),
  memory: byteCount(64 * MIB, 2 ** 50)
    .optional()
    .meta({
      unit: 'bytes',
      default: 'limit of the control group, else the memory of the machine',
      description: 'Memory of the process, from which sizes of caches, threads and requests are derived',
    }),
  chunkCacheBytes: byteCount(0, 2 ** 40)
    .default(256 * MIB)
    .meta({
      unit: 'bytes',
      default: 'an eighth of the memory; 256MiB without a limit',
      description: 'Memory for decoded chunks; 0 disables the cache',
    }),
  resultCacheBytes: byteCount(0, 2 ** 40)
    .default(64 * MIB)
    .meta({
      unit: 'bytes',
      default: '1/32 of the memory; 64MiB without a limit',
      description: 'Memory for results of computations, pictures and repeated slices; 0 disables the cache',
    }),
  schemaCacheBytes: byteCount(2 ** 20, 2 ** 40)
    .default(64 * MIB)
    .meta({
      unit: 'bytes',
      default: '1/32 of the memory, at most 64MiB',
      description: 'Memory for the schemas of stores',
    }),
  metadataCacheBytes: byteCount(2 ** 20, 2 ** 40)
    .default(320 * MIB)
    .meta({
      unit: 'bytes',
      default: '1/16 of the memory, at most 320MiB',
      description: 'Memory for the metadata of stores and the nodes opened from it',
    }),
  maxSchemaFields: count(1, 100_000)
    .default(2500)
    .meta({ description: 'Maximum number of arrays and groups with fields in the schema of a store' }),
  schemaMaxAgeMs: count(0, 86_400_000)
    .default(10_000)
    .meta({ unit: 'ms', description: 'Time after which the schema of a store is checked for changes' }),
  // 0 is not allowed, because decoding inline would delay requests. Each thread may use a few hundred
  // megabytes.
  decodingThreads: count(1, 256).optional().meta({
    unit: 'threads',
    description: 'Threads that decode and encode chunks',
    default: 'number of processors, less with little memory',
  }),
  maxMetadataBytes: byteCount(1024, 2 ** 28)
    .default(16 * MIB)
    .meta({
      unit: 'bytes',
      description: 'Maximum size of the metadata document of a node, without consolidated metadata',
    }),
  maxConsolidatedBytes: byteCount(1024, 2 ** 30)
    .default(256 * MIB)
    .meta({
      unit: 'bytes',
      default: '1/64 of the memory, at most 256MiB',
      description: 'Maximum size of consolidated metadata',
    }),
  jobs: toggle().default(false).meta({
    description: 'Run jobs: copies, pyramids, statistics. With `auth`, only for roles with `jobs: true`',
  }),
  jobTasks: toggle().default(true).meta({
    description: 'Run tasks of jobs in this process. With Redis, zarrql worker runs them elsewhere',
  }),
  maxRunningJobs: count(1, 64)
    .default(1)
    .meta({ unit: 'jobs', description: 'Jobs that run at the same time; others wait' }),
  jobMemoryBytes: byteCount(MIB, 2 ** 46)
    .default(192 * MIB)
    .meta({
      unit: 'bytes',
      default: 'a quarter of the memory for all jobs, at most 192MiB',
      description: 'Memory for the tasks of one job',
    }),
  jobFolder: z.string().min(1, 'expected the path of a folder').optional().meta({
    placeholder: 'FOLDER',
    description:
      'Keep partial results of jobs without a destination here if Redis does not, to continue them',
  }),
  explorer: toggle().default(true).meta({ description: 'Serve the explorer to browsers that open /' }),
  graphiql: toggle().default(true).meta({ description: 'Serve GraphiQL to browsers that open /graphql' }),
  introspection: toggle()
    .default(true)
    .meta({ description: 'Let clients query the schema; without it, messages suggest no names' }),
  federation: toggle().default(false).meta({
    description: 'Serve the schema as a subgraph of Apollo Federation 2',
  }),
  federationPrefix: z
    .string()
    .regex(
      /^([A-Za-z][A-Za-z0-9_]{0,63})?$/,
      'expected a letter and at most 63 letters, digits and underscores',
    )
    .default('')
    .meta({
      placeholder: 'PREFIX',
      description: 'Start of the names of types in the subgraph; disables the explorer',
    }),
  slowRequestMs: count(0, 3_600_000).default(0).meta({
    unit: 'ms',
    description: 'Log requests that take longer with their plan and cost; 0 for none',
  }),
  logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').meta({
    placeholder: 'LEVEL',
    description: 'Minimum level to log: fatal, error, warn, info, debug, trace or silent',
  }),
});

type Frozen<T> = T extends readonly (infer U)[]
  ? readonly Frozen<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** The complete configuration: every option with a default has a value. Immutable. */
export type Config = Frozen<z.output<typeof configSchema>>;
export type StoreConfig = Config['stores'][number];
