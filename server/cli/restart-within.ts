/**
 * Restarts the program with settings of the C library and of V8 that can only be made at the start, so that a limited
 * memory suffices (figures: bench/records.md, "Memory under load").
 */
import { youngGenerationBytes } from '../memory/plan-process.js';
import type { PlannedConfig } from './plan-config.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Prevents a second restart. */
const RESTARTED = 'ZARRQL_RESTARTED';

const MIB = 2 ** 20;

/** Settings for the start of a process. */
interface StartSettings {
  /** Size of the space for new objects of a thread, in bytes. */
  readonly youngBytes: number;
  /** Maximum size of the heap, in bytes. @default that of V8 */
  readonly heapBytes?: number;
  /**
   * Size from which memory is returned to the system when it is freed. Otherwise, the C library raises it up to 32 MiB,
   * and keeps what lies between blocks in use.
   */
  readonly returnedBytes: number;
}

/**
 * Jobs allocate and free objects of some MiB all the time: with these settings, a copy to S3 takes 331 instead of 382 MB,
 * and 2 % more CPU time.
 */
const jobSettings: StartSettings = { youngBytes: 8 * MIB, returnedBytes: 4 * MIB };

/** Restarts a program that runs jobs. See `restartWith`. */
export function restartForJobs(env: Environment): void {
  restartWith(jobSettings, env);
}

/** Restarts a program whose memory is limited. See `restartWith`. */
export function restartWithin({ memoryBytes, isLimited }: PlannedConfig, env: Environment): void {
  if (!isLimited) return;
  restartWith(
    // The heap has at most half of the memory: values are outside of it.
    { youngBytes: youngGenerationBytes(memoryBytes), heapBytes: memoryBytes / 2, returnedBytes: MIB },
    env,
  );
}

/** Replaces the process by itself with other settings, if the system can; otherwise returns. */
function restartWith({ youngBytes, heapBytes, returnedBytes }: StartSettings, env: Environment): void {
  if (env[RESTARTED] !== undefined || process.execve === undefined || process.platform !== 'linux') return;
  const flags = [
    `--max-semi-space-size=${youngBytes / MIB}`,
    ...(heapBytes === undefined ? [] : [`--max-old-space-size=${Math.floor(heapBytes / MIB)}`]),
  ].filter((flag) => !isSet(flag, env));
  const settings = {
    [RESTARTED]: '1',
    MALLOC_MMAP_THRESHOLD_: String(returnedBytes),
    MALLOC_ARENA_MAX: '4',
    ...Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  };
  process.execve(
    process.execPath,
    [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)],
    settings,
  );
}

/** Whether the user has made this setting. */
function isSet(flag: string, env: Environment): boolean {
  const name = flag.slice(0, flag.indexOf('='));
  return [...process.execArgv, ...(env['NODE_OPTIONS'] ?? '').split(' ')].some((given) =>
    given.replaceAll('_', '-').startsWith(name),
  );
}
