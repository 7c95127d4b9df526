import { z } from 'zod';
import { accessOptions } from './access-options.js';
import { authSchema } from './auth-schema.js';
import { documentLimits } from './document-limits.js';
import { storeName, storeSchema } from './store-schema.js';
import { byteCount, count, hostName, httpAddress, origin, toggle } from './values.js';

const MiB = 2 ** 20;
const GiB = 2 ** 30;

/*
 * Every option of the gateway, once: its name, bounds, default and meaning. The environment variable (ZARRQL_ and the
 * name in capitals), the flag and the tables in the documents are made from this (`describe.ts`).
 *
 * `meta`: `placeholder` is what `--help` shows for the value; `unit` of a bare number; `flag` where the flag has
 * another name than the option (a list's is singular); `repeat` marks lists.
 */
export const limitsSchema = z.strictObject({
  maxOutputBytes: byteCount(1, 2 ** 32)
    .default(64 * MiB)
    .meta({
      unit: 'bytes',
      description:
        'Values that one request asks for, as stored bytes of their type, with attributes and metadata as bytes of JSON',
    }),
  maxDecodedBytes: byteCount(1, 2 ** 40)
    .default(GiB)
    .meta({ unit: 'bytes', description: 'Chunks that one request may decode, in decoded bytes' }),
  maxReducedBytes: byteCount(1, 2 ** 50)
    .default(16 * GiB)
    .meta({
      unit: 'bytes',
      description:
        'Chunks that one request may decode only to reduce them (means, lines, statistics), in decoded bytes, once for each pass',
    }),
  maxChunks: count(1, 1e9)
    .default(100_000)
    .meta({ unit: 'chunks', description: 'Chunks that one request may decode' }),
  maxHrefBytes: byteCount(1, 2 ** 50)
    .default(2 * GiB)
    .meta({
      unit: 'bytes',
      description: 'Values of one download, as bytes of their type',
    }),
  // Not below the largest default of a list: then every list that does not say `first` would be refused.
  maxFirst: count(100, 100_000).default(1000).meta({
    unit: 'items',
    description: 'Largest `first` of a list, and most entries of a list of ids or slice requests',
  }),
  ...documentLimits,
});

export const configSchema = z.strictObject({
  stores: z.array(storeSchema, 'expected a list of stores, each with its `name` and `url`').default([]).meta({
    flag: 'store',
    placeholder: 'NAME=URL',
    repeat: true,
    description:
      'A store to serve: a path, file:, s3:, http: or https: (each also ending in .zip), or memory:',
  }),
  allowWrite: z.array(storeName).default([]).meta({
    placeholder: 'NAME',
    repeat: true,
    description: 'Stores that requests may write to',
  }),
  strictStores: toggle().default(false).meta({
    description: 'Refuse to start unless every store can be used',
  }),
  host: z
    .string()
    .min(1, 'expected a host name or address')
    .default('127.0.0.1')
    .meta({ placeholder: 'HOST', description: 'Address to listen on; 0.0.0.0 for every network' }),
  port: count(0, 65_535, 'a port')
    .default(4000)
    .meta({ placeholder: 'PORT', description: 'Port to listen on; 0 picks a free one' }),
  corsOrigins: z.array(origin()).default([]).meta({
    flag: 'cors-origin',
    placeholder: 'ORIGIN',
    repeat: true,
    description: 'Origins of web pages that may ask from a browser; "*" for any',
  }),
  publicUrl: httpAddress().optional().meta({
    placeholder: 'URL',
    description: 'Address under which clients reach the gateway, where a proxy stands in front',
  }),
  allowedHosts: z.array(hostName()).default([]).meta({
    flag: 'allowed-host',
    placeholder: 'NAME',
    repeat: true,
    description:
      'Further names that the Host header may carry; loopback names, `host` and that of `publicUrl` always may; "*" for any',
  }),
  hrefKeys: z.array(z.string().min(16, 'expected at least 16 characters')).default([]).meta({
    flag: 'href-key',
    placeholder: 'SECRET',
    repeat: true,
    description:
      'Secrets that sign links to files: the first signs, all open. Replicas need the same; without any, each process makes its own. Better given as a variable or in the file than as a flag, which others on the machine can see',
  }),
  hrefLifetimeMs: count(1000, 7 * 24 * 3_600_000)
    .default(3_600_000)
    .meta({ unit: 'ms', description: 'How long a link to a file may be followed' }),
  limits: limitsSchema.prefault({}),
  auth: authSchema.optional(),
  ...accessOptions,
  maxBodyBytes: byteCount(1024, 2 ** 31)
    .default(MiB)
    .meta({ unit: 'bytes', description: 'Largest body of a request' }),
  requestTimeoutMs: count(10, 3_600_000).default(60_000).meta({
    unit: 'ms',
    description: 'Time until an answer must have begun; then what is under way is aborted',
  }),
  receiveTimeoutMs: count(1000, 3_600_000)
    .default(30_000)
    .meta({ unit: 'ms', description: 'Time in which a request must have arrived whole' }),
  idleTimeoutMs: count(1000, 3_600_000)
    .default(120_000)
    .meta({ unit: 'ms', description: 'Time without a byte either way after which a connection is closed' }),
  shutdownDelayMs: count(0, 3_600_000).default(3000).meta({
    unit: 'ms',
    description:
      'Time after SIGTERM in which /readyz fails but everything is still served, so that load balancers turn away first',
  }),
  drainTimeoutMs: count(0, 3_600_000)
    .default(10_000)
    .meta({ unit: 'ms', description: 'Time that requests in flight have to end after that' }),
  chunkCacheBytes: byteCount(0, 2 ** 40)
    .default(256 * MiB)
    .meta({ unit: 'bytes', description: 'Memory for decoded chunks; 0 turns the cache off' }),
  // 0 would decode on the thread that serves requests; each thread may hold some hundred megabytes.
  decodingThreads: count(1, 256).optional().meta({
    unit: 'threads',
    description: 'Threads that decode and encode chunks; as many as there are processors by default',
  }),
  maxMetadataBytes: byteCount(1024, 2 ** 28)
    .default(16 * MiB)
    .meta({
      unit: 'bytes',
      description:
        'Largest metadata document of a node, without consolidated metadata; longer ones are neither read nor written',
    }),
  maxConsolidatedBytes: byteCount(1024, 2 ** 30)
    .default(256 * MiB)
    .meta({
      unit: 'bytes',
      description:
        'Largest document with consolidated metadata; a longer one is not used, and removed by a write that would make it',
    }),
  graphiql: toggle().default(true).meta({ description: 'Serve GraphiQL to browsers that open /graphql' }),
  logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').meta({
    placeholder: 'LEVEL',
    description: 'Least level that is logged: fatal, error, warn, info, debug, trace or silent',
  }),
});

type Frozen<T> = T extends readonly (infer U)[]
  ? readonly Frozen<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** The complete configuration: every option has its value, and nothing changes it. */
export type Config = Frozen<z.output<typeof configSchema>>;
export type StoreConfig = Config['stores'][number];
export type LimitsConfig = Config['limits'];
