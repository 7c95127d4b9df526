/**
 * Restarts the program with settings of the C library and of V8 that can only be made at the start, so that a limited
 * memory suffices (figures: bench/records.md, "Memory under load").
 */
import { youngGenerationBytes } from '../memory/plan-process.js';
import type { PlannedConfig } from './plan-config.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Prevents a second restart. */
const RESTARTED = 'ZARRQL_RESTARTED';

/**
 * Size from which memory is returned to the system when it is freed. Otherwise, the C library raises it up to 32 MiB,
 * and keeps what lies between blocks in use.
 */
const MMAP_THRESHOLD_BYTES = 2 ** 20;

const MIB = 2 ** 20;

/** Replaces the process by itself with other settings, if the memory is limited and the system can; otherwise returns. */
export function restartWithin({ memoryBytes, isLimited }: PlannedConfig, env: Environment): void {
  if (
    !isLimited ||
    env[RESTARTED] !== undefined ||
    process.execve === undefined ||
    process.platform !== 'linux'
  )
    return;
  const young = youngGenerationBytes(memoryBytes) / MIB;
  const flags = [
    `--max-semi-space-size=${young}`,
    // The heap has at most half of the memory: values are outside of it.
    `--max-old-space-size=${Math.floor(memoryBytes / MIB / 2)}`,
  ].filter((flag) => !isSet(flag, env));
  const settings = {
    [RESTARTED]: '1',
    MALLOC_MMAP_THRESHOLD_: String(MMAP_THRESHOLD_BYTES),
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
