import * as z from 'zod';
import { configSchema, limitsSchema } from './schema.js';
import { storeGroups, storeSchema } from './store-schema.js';

/** Properties of one option, for documentation and for parsing flags and the environment. */
export interface OptionDescription {
  /** Path in the configuration: `["limits", "maxFirst"]`. */
  readonly path: readonly string[];
  readonly env: string;
  /**
   * Name of the flag without the dashes: `max-first`. A switch is `no-graphiql` if it is on by default,
   * `strict-stores` if it is off.
   */
  readonly flag: string;
  readonly kind: 'value' | 'list' | 'switch';
  readonly description: string;
  /** Placeholder of the value in `--help`. */
  readonly placeholder: string;
  readonly unit: string | undefined;
  readonly default: unknown;
  /** Heading in `--help` and in docs/operations.md. */
  readonly group: string;
}

/** The group of every option that has a flag, in the order of `--help`; `limits` is a separate group. */
const optionGroups: Readonly<Record<Exclude<keyof typeof configSchema.shape, 'limits' | 'auth'>, string>> = {
  stores: 'Stores',
  allowWrite: 'Stores',
  strictStores: 'Stores',
  maxMetadataBytes: 'Stores',
  maxConsolidatedBytes: 'Stores',
  host: 'Network',
  port: 'Network',
  socket: 'Network',
  adminAddress: 'Network',
  tlsCertificate: 'Network',
  tlsKey: 'Network',
  publicUrl: 'Network',
  allowedHosts: 'Network',
  corsOrigins: 'Network',
  trustedProxies: 'Network',
  compression: 'Network',
  explorer: 'Network',
  graphiql: 'Network',
  introspection: 'Network',
  federation: 'Network',
  federationPrefix: 'Network',
  hrefKeys: 'Links and persisted documents',
  hrefLifetimeMs: 'Links and persisted documents',
  persistedDocuments: 'Links and persisted documents',
  documentMode: 'Links and persisted documents',
  automaticDocumentBytes: 'Links and persisted documents',
  memory: 'Memory and threads',
  chunkCacheBytes: 'Memory and threads',
  resultCacheBytes: 'Memory and threads',
  schemaCacheBytes: 'Memory and threads',
  metadataCacheBytes: 'Memory and threads',
  maxSchemaFields: 'Memory and threads',
  schemaMaxAgeMs: 'Memory and threads',
  requestMemoryBytes: 'Memory and threads',
  memoryWaitMs: 'Memory and threads',
  decodingThreads: 'Memory and threads',
  jobs: 'Jobs',
  jobTasks: 'Jobs',
  maxRunningJobs: 'Jobs',
  jobMemoryBytes: 'Jobs',
  jobFolder: 'Jobs',
  maxClientRequests: 'Clients and connections',
  maxClientCost: 'Clients and connections',
  maxClientConnections: 'Clients and connections',
  maxConnectionOperations: 'Clients and connections',
  maxClientSubscriptions: 'Clients and connections',
  maxBatchOperations: 'Clients and connections',
  minClientBytesPerSecond: 'Clients and connections',
  maxBodyBytes: 'Clients and connections',
  requestTimeoutMs: 'Clients and connections',
  receiveTimeoutMs: 'Clients and connections',
  idleTimeoutMs: 'Clients and connections',
  shutdownDelayMs: 'Shutdown and log',
  drainTimeoutMs: 'Shutdown and log',
  slowRequestMs: 'Shutdown and log',
  logLevel: 'Shutdown and log',
  redis: 'Replicas',
  redisPassword: 'Replicas',
  redisCertificates: 'Replicas',
  redisPrefix: 'Replicas',
  redisTimeoutMs: 'Replicas',
  redisResultBytes: 'Replicas',
};

const optionSchemas = new Map<string, z.ZodType>(Object.entries(configSchema.shape));

const metaSchema = z.object({
  description: z.string(),
  unit: z.string().optional(),
  flag: z.string().optional(),
  placeholder: z.string().optional(),
  default: z.string().optional(),
  repeat: z.boolean().optional(),
});

/** All options that a flag or an environment variable can set, in the order of the documentation. */
export const optionDescriptions: readonly OptionDescription[] = [
  ...Object.entries(optionGroups).flatMap(([name, group]) => {
    const schema = optionSchemas.get(name);
    return schema === undefined ? [] : [describeOption([name], schema, group)];
  }),
  ...Object.entries(limitsSchema.shape).map(([name, schema]) =>
    describeOption(['limits', name], schema, 'Limits for a single request'),
  ),
];

function describeOption(path: readonly string[], schema: z.ZodType, group: string): OptionDescription {
  const name = path.at(-1) ?? '';
  const meta = metaSchema.parse(schema.meta());
  const standard = schema.safeParse(undefined).data;
  const isSwitch = typeof standard === 'boolean';
  const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    path,
    env: `ZARRQL_${dashed.replaceAll('-', '_').toUpperCase()}`,
    flag: meta.flag ?? (standard === true ? `no-${dashed}` : dashed),
    kind: isSwitch ? 'switch' : meta.repeat === true ? 'list' : 'value',
    description: meta.description,
    placeholder: meta.placeholder ?? (meta.unit === 'bytes' ? 'SIZE' : 'N'),
    unit: meta.unit,
    default: meta.default ?? standard,
    group,
  };
}

/** The default as users write it: `64MiB`, `none`. */
export function defaultText(option: OptionDescription): string {
  const { default: value, unit } = option;
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number' && unit === 'bytes') return sizeText(value);
  if (typeof value !== 'number') return typeof value === 'string' ? value : JSON.stringify(value);
  return unit === 'ms' ? `${value} ms` : `${value}`;
}

/** A size as users write it: `64MiB`. */
export function sizeText(value: number): string {
  for (const [size, unit] of [
    [2 ** 30, 'GiB'],
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
  ] as const)
    if (value >= size && value % size === 0) return `${value / size}${unit}`;
  return `${value}`;
}

/** Properties of one option of a store, for documentation. */
export interface StoreOptionDescription {
  /** Name relative to the store: `maxAgeMs`, `filesystem.lock`. */
  readonly name: string;
  readonly default: string;
  readonly description: string;
}

const storeMetaSchema = z.object({ description: z.string(), default: z.string().optional() });

/** All options of a store, in the order of the documentation. */
export const storeOptionDescriptions: readonly StoreOptionDescription[] = [
  ...describeShape('', storeSchema.shape),
  ...Object.entries(storeGroups).flatMap(([group, schema]) => describeShape(`${group}.`, schema.shape)),
];

function describeShape(prefix: string, shape: Readonly<Record<string, z.ZodType>>): StoreOptionDescription[] {
  return Object.entries(shape)
    .filter(([name]) => !Object.hasOwn(storeGroups, name))
    .map(([name, schema]) => {
      const { description, default: standard } = storeMetaSchema.parse(schema.meta());
      const required = schema.safeParse(undefined).success ? 'none' : 'required';
      return { name: `${prefix}${name}`, default: standard ?? required, description };
    });
}
