/** Derives the options for memory and threads from the option `memory`, unless they are set. */
import { availableParallelism } from 'node:os';
import { sizeText, type Config, ConfigError, type StoreConfig } from '../config.js';
import { machineMemory } from '../memory/machine-memory.js';
import {
  type DerivedValues,
  isEnough,
  leastMemoryBytes,
  planProcess,
  type ProcessMemoryOptions,
  type ProcessMemoryPlan,
} from '../memory/plan-process.js';
import { remoteScheme } from './address.js';

/** A configuration in which every derived option has its value. */
export type PlannedOptions = Config & Pick<DerivedValues, 'decodingThreads' | 'requestMemoryBytes'>;

export interface PlannedConfig {
  readonly config: PlannedOptions;
  readonly plan: ProcessMemoryPlan;
  readonly memoryBytes: number;
  /** Whether an option or a control group limits the memory. */
  readonly isLimited: boolean;
  /** Where each value comes from, by the path of its option; those with their default are absent. */
  readonly origins: ReadonlyMap<string, string>;
  /** A problem that does not prevent the start. */
  readonly warning: string | undefined;
}

/** The derived options, as paths. */
const derivedPaths = [
  'chunkCacheBytes',
  'resultCacheBytes',
  'schemaCacheBytes',
  'metadataCacheBytes',
  'maxConsolidatedBytes',
  'decodingThreads',
  'limits.maxOutputBytes',
  'jobMemoryBytes',
  'requestMemoryBytes',
] as const;

/**
 * @param given where set values come from, by the path of the option
 * @throws ConfigError if set values contradict each other or the memory
 */
export function planConfig(
  config: Config,
  given: ReadonlyMap<string, string>,
  machine = machineMemory(),
  processors = availableParallelism(),
): PlannedConfig {
  const memoryBytes = config.memory ?? machine.bytes;
  const isLimited = config.memory !== undefined || machine.isLimited;
  const options = optionsOf(config, given, { memoryBytes, isLimited, processors });
  const plan = planProcess(options);
  const { values } = plan;
  const problem = isEnough(plan) ? undefined : describe(options, plan, given);
  const isExplicit = config.memory !== undefined || derivedPaths.some((path) => given.has(path));
  if (problem !== undefined && isExplicit) throw new ConfigError([problem]);
  const { chunkCacheBytes, resultCacheBytes, schemaCacheBytes, metadataCacheBytes } = values;
  const { maxConsolidatedBytes, decodingThreads, requestMemoryBytes, maxOutputBytes } = values;
  const { jobMemoryBytes } = values;
  return {
    config: {
      ...config,
      ...{ chunkCacheBytes, resultCacheBytes, schemaCacheBytes, metadataCacheBytes },
      ...{ maxConsolidatedBytes, decodingThreads, requestMemoryBytes, jobMemoryBytes },
      limits: { ...config.limits, maxOutputBytes },
      stores: config.stores.map((store) =>
        isUnsized(store) ? { ...store, cacheBytes: values.remoteCacheBytes } : store,
      ),
    },
    plan,
    memoryBytes,
    isLimited,
    origins: new Map([
      ['memory', machine.isLimited ? 'control group' : 'machine'],
      ...derivedPaths.map((path) => [path, 'derived from memory'] as const),
      ...given,
    ]),
    warning: problem,
  };
}

function optionsOf(
  config: Config,
  given: ReadonlyMap<string, string>,
  machine: Pick<ProcessMemoryOptions, 'memoryBytes' | 'isLimited' | 'processors'>,
): ProcessMemoryOptions {
  const { limits, stores } = config;
  const set = <T>(path: (typeof derivedPaths)[number], value: T): T | undefined =>
    given.has(path) ? value : undefined;
  return {
    ...machine,
    automaticDocumentBytes: config.automaticDocumentBytes,
    maxBodyBytes: config.maxBodyBytes,
    maxDecodedBytes: limits.maxDecodedBytes,
    given: {
      chunkCacheBytes: set('chunkCacheBytes', config.chunkCacheBytes),
      resultCacheBytes: set('resultCacheBytes', config.resultCacheBytes),
      schemaCacheBytes: set('schemaCacheBytes', config.schemaCacheBytes),
      metadataCacheBytes: set('metadataCacheBytes', config.metadataCacheBytes),
      maxConsolidatedBytes: set('maxConsolidatedBytes', config.maxConsolidatedBytes),
      jobMemoryBytes: set('jobMemoryBytes', config.jobMemoryBytes),
      decodingThreads: config.decodingThreads,
      maxOutputBytes: set('limits.maxOutputBytes', limits.maxOutputBytes),
      requestMemoryBytes: config.requestMemoryBytes,
    },
    runningJobs: config.jobs ? config.maxRunningJobs : 0,
    remoteStores: stores.filter(isUnsized).length,
    repositories: stores.filter(({ url }) => /^(?:icechunk|references)\+/i.test(url)).length,
    storeCacheBytes: stores.reduce((sum, { cacheBytes = 0 }) => sum + cacheBytes, 0),
  };
}

/** Whether the store is remote, and its cache has no explicit size. */
function isUnsized({ url, cacheBytes }: StoreConfig): boolean {
  return cacheBytes === undefined && remoteScheme.test(url);
}

function describe(
  options: ProcessMemoryOptions,
  plan: ProcessMemoryPlan,
  given: ReadonlyMap<string, string>,
): string {
  const mib = (bytes: number): string => sizeText(Math.ceil(bytes / 2 ** 20) * 2 ** 20);
  const origin = given.get('memory');
  const set = derivedPaths.filter((path) => given.has(path) && path !== 'decodingThreads');
  const names = set.map((path) => `${path} (${given.get(path)})`).join(', ');
  return (
    `memory is ${mib(options.memoryBytes)}${origin === undefined ? '' : ` (${origin})`}: ` +
    `runtime and threads take ${mib(plan.runtimeBytes)}, caches and jobs ${mib(plan.cacheBytes)}, ` +
    `consolidated metadata ${mib(plan.documentBytes)}, and requests need at least ${mib(plan.leastRequestBytes)}` +
    `${given.has('requestMemoryBytes') ? `, with requestMemoryBytes ${mib(plan.values.requestMemoryBytes)}` : ''}; ` +
    `these options need ${mib(leastMemoryBytes(options))}${names === '' ? '' : `, or lower ${names}`}`
  );
}
