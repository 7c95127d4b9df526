/** The commands that run jobs in this process: copy, reduce, pyramid, consolidate, verify, statistics. */
import { byteCount } from '../config/values.js';
import { MAX_JOB_MEMORY, MIN_JOB_MEMORY } from '../jobs/limits.js';
import { createFolderRecords } from '../jobs/folder-records.js';
import { type JobSpec, type JobKind, parseJob } from '../jobs/job.js';
import type { JobPlan } from '../jobs/plan.js';
import { planJob } from '../jobs/plan-job.js';
import type { JobRecords } from '../jobs/record.js';
import { type JobOutcome, runJob } from '../jobs/run-job.js';
import { isVariableSource, resolveSteps } from '../jobs/source.js';
import type { GivenStep, SliceStep } from '../analysis/operations/table.js';
import type { SliceRecipe } from '../analysis/recipe.js';
import { blockText } from '../transport/json/block-text.js';
import { isZarrError, type JsonValue, parseJsonText, printJson } from '../zarr/index.js';
import { argumentsOf, parseSliceOptions, type SliceOptions } from './array-slice.js';
import { CommandStores } from './job-stores.js';
import { writeOutput } from './output.js';
import { printable, printableLines } from './printable.js';
import { bytesText, outcomeJson, ProgressDisplay } from './progress.js';
import { fail, print, runCommand, UsageError } from './run-command.js';

export interface JobCommandOptions extends SliceOptions {
  readonly kind: JobKind;
  readonly format?: string;
  readonly chunks?: string;
  readonly shards?: string;
  readonly codecs?: string;
  readonly fillValue?: string;
  readonly consolidate?: boolean;
  readonly overwrite?: boolean;
  readonly convention?: string;
  readonly levels?: number;
  readonly dimension?: readonly string[];
  readonly method?: string;
  readonly memory?: string;
  readonly jobFolder?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Exit codes of programs that a signal has ended. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Kinds that compute with values, which are decoded if the array is a variable. */
const decodedKinds: readonly JobKind[] = ['reduce', 'statistics', 'pyramid'];

/** Number of unreadable chunks and failed tasks that are printed. */
const MAX_PRINTED = 20;

/** @param addresses the source and, unless the kind has none, the destination */
export function runJobCommand(addresses: readonly string[], options: JobCommandOptions): Promise<void> {
  return runCommand(async () => {
    const stores = new CommandStores();
    const ending = new AbortController();
    let ended: keyof typeof signalCodes | undefined;
    const end = (signal: keyof typeof signalCodes) => () => {
      // A second signal does not wait for the progress to be stored.
      if (ended !== undefined) process.exit(signalCodes[signal]);
      ended = signal;
      ending.abort();
    };
    const [onInt, onTerm] = [end('SIGINT'), end('SIGTERM')];
    process.on('SIGINT', onInt).on('SIGTERM', onTerm);
    try {
      const memoryBytes = memoryOf(options);
      const job = await jobOf(addresses, options, stores);
      const plan = await planJob(job, stores, { signal: ending.signal });
      if (options.dryRun === true) return await printPlan(plan, options.json === true);
      const display = displayOf(options.json === true);
      let outcome: JobOutcome;
      try {
        const { signal } = ending;
        const records = recordsIn(options.jobFolder);
        outcome = await runJob(plan, { signal, memoryBytes, records, onProgress: display.update });
      } finally {
        display.end();
      }
      await printOutcome(plan, outcome, options.json === true);
    } catch (error) {
      if (ended === undefined || !isZarrError(error, 'ABORTED')) throw error;
      const isKept = addresses.length > 1 || options.jobFolder !== undefined;
      const hint = isKept ? '; the same command continues the job' : '';
      fail(`interrupted${hint}`, signalCodes[ended]);
    } finally {
      process.off('SIGINT', onInt).off('SIGTERM', onTerm);
      await stores.close();
    }
  });
}

async function jobOf(
  [from, to]: readonly string[],
  options: JobCommandOptions,
  stores: CommandStores,
): Promise<JobSpec> {
  const { kind } = options;
  if (from === undefined) throw new UsageError('the address of the source is missing');
  if (kind === 'consolidate') {
    const { place } = await stores.openDestination(from);
    return parseJob({ kind, destination: place });
  }
  const opened = await stores.openSource(from, options);
  const source = await sourceOf(opened, options);
  if (kind === 'verify' || kind === 'statistics') return parseJob({ kind, source });
  if (to === undefined && kind === 'reduce') return parseJob({ kind, source });
  if (to === undefined) throw new UsageError('the address of the destination is missing');
  const { place: destination } = await stores.openDestination(to);
  return parseJob({ kind, source, destination, options: targetOptions(options) });
}

/** Copies take stored values, unless they are to be decoded; computations take decoded ones. */
async function sourceOf(
  { place, store }: Awaited<ReturnType<CommandStores['openSource']>>,
  options: JobCommandOptions,
): Promise<SliceRecipe> {
  const { kind, compute, raw = false, decode = false } = options;
  const { selection, group, reductions } = parseSliceOptions(options);
  const whole: SliceRecipe = { ...place, steps: [], ...(compute === undefined ? {} : { compute }) };
  const decodes =
    compute === undefined &&
    !raw &&
    (decode || (decodedKinds.includes(kind) && (await isVariableSource(store, whole))));
  const recipe: SliceRecipe = decodes ? { ...whole, decode: { maskOutOfRange: false } } : whole;
  const given: GivenStep[] = [
    ...(options.select === undefined ? [] : [{ select: selection }]),
    ...(options.field ?? []).map((field) => ({ field })),
    ...(group === undefined ? [] : [{ group }]),
    ...reductions.map((reduction) => ({ reduce: argumentsOf(reduction) })),
  ];
  const steps: readonly SliceStep[] = await resolveSteps(store, recipe, given);
  return { ...recipe, steps };
}

function targetOptions(options: JobCommandOptions): Record<string, unknown> {
  const { kind, format, chunks, shards, codecs, fillValue, consolidate, overwrite } = options;
  const { convention, levels, dimension, method } = options;
  return {
    ...(format === undefined ? {} : { format: Number(format) }),
    ...(chunks === undefined ? {} : { chunks: parseLengths(chunks, 'chunks') }),
    ...(shards === undefined ? {} : { shards: shards === 'none' ? null : parseLengths(shards, 'shards') }),
    ...(codecs === undefined ? {} : { codecs: parseJsonOption(codecs, 'codecs') }),
    ...(fillValue === undefined ? {} : { fillValue: parseJsonOption(fillValue, 'fill-value') }),
    ...(consolidate === undefined ? {} : { consolidate }),
    ...(overwrite === undefined ? {} : { overwrite }),
    ...(kind === 'pyramid' && convention !== undefined ? { convention } : {}),
    ...(levels === undefined ? {} : { levels }),
    ...(dimension === undefined ? {} : { dimensions: dimension }),
    ...(method === undefined ? {} : { method: method.toUpperCase() }),
  };
}

/** @throws UsageError */
function parseLengths(text: string, name: string): number[] | Record<string, number> {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every((part) => /^[1-9]\d{0,15}$/.test(part))) return parts.map(Number);
  const named = parts.map((part) => /^(.+)=([1-9]\d{0,15})$/.exec(part));
  if (named.some((match) => match === null))
    throw new UsageError(`--${name} ${JSON.stringify(text)} must be lengths "1,256,256", or lengths by dimension "time=1,lat=256"`); // prettier-ignore
  return Object.fromEntries(named.map((match) => [match?.[1]?.trim() ?? '', Number(match?.[2])]));
}

/** @throws UsageError */
function parseJsonOption(text: string, name: string): JsonValue {
  try {
    return parseJsonText(text);
  } catch (cause) {
    throw new UsageError(`--${name} is not JSON: ${text.slice(0, 200)}`, { cause });
  }
}

/** @throws UsageError */
function memoryOf({ memory }: JobCommandOptions): number | undefined {
  if (memory === undefined) return undefined;
  const parsed = byteCount(MIN_JOB_MEMORY, MAX_JOB_MEMORY).safeParse(memory);
  if (!parsed.success) throw new UsageError(`--memory ${JSON.stringify(memory)}: ${parsed.error.issues[0]?.message ?? 'invalid'}`); // prettier-ignore
  return parsed.data;
}

function recordsIn(folder: string | undefined): JobRecords | undefined {
  if (folder === undefined) return undefined;
  return createFolderRecords(folder, (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    print(printableLines(`the progress was not kept in ${folder}: ${reason}`));
  });
}

function displayOf(isJson: boolean): ProgressDisplay {
  if (isJson) return new ProgressDisplay('json', (text) => void process.stdout.write(text));
  const write = (text: string): void => void process.stderr.write(text);
  return new ProgressDisplay(process.stderr.isTTY ? 'bar' : 'none', write);
}

async function printPlan({ nodes, tasks, totalBytes, needBytes }: JobPlan, isJson: boolean): Promise<void> {
  if (isJson) {
    await writeOutput([`${JSON.stringify({ event: 'plan', tasks, bytesToRead: totalBytes, memoryPerTask: needBytes, nodes })}\n`], undefined); // prettier-ignore
    return;
  }
  const lines = nodes.map(({ path, kind, shape = [], dtype = '', chunks, shards }) => {
    const form =
      kind === 'group' ? '' : `  ${dtype} [${shape.join(', ')}]  chunks [${(chunks ?? []).join(', ')}]`;
    return `${kind.padEnd(5)} ${printable(path)}${form}${shards === undefined ? '' : `  shards [${shards.join(', ')}]`}\n`;
  });
  await writeOutput([...lines, `${tasks} tasks, ${bytesText(totalBytes)} to read, ${bytesText(needBytes)} of memory for each\n`], undefined); // prettier-ignore
}

async function printOutcome({ job }: JobPlan, outcome: JobOutcome, isJson: boolean): Promise<void> {
  const { failed, broken, counts, done, tasks, result, values } = outcome;
  if (isJson) await writeOutput([`${JSON.stringify(outcomeJson(outcome), withBigInts)}\n`], undefined);
  else if (values !== undefined) await writeOutput([...blockText(values, 'STRING'), '\n'], undefined);
  else if (result !== undefined) await writeOutput([resultText(result)], undefined);
  else {
    const what = job.kind === 'verify' ? 'verified' : 'done';
    print(
      `${what}: ${done} of ${tasks} tasks, ${bytesText(counts.bytesRead)} read, ${bytesText(counts.bytesWritten)} written`,
    );
  }
  for (const { path, key, message } of [...broken, ...failed].slice(0, MAX_PRINTED))
    print(printableLines(key === undefined ? `${path}: ${message}` : message));
  const problems = broken.length + failed.length;
  if (problems > MAX_PRINTED) print(`and ${problems - MAX_PRINTED} more`);
  if (problems > 0)
    fail(broken.length > 0 ? `${broken.length} chunks are unreadable` : `${failed.length} tasks failed; the same command tries them again`); // prettier-ignore
}

function withBigInts(_: string, value: unknown): unknown {
  return typeof value === 'bigint'
    ? Number.isSafeInteger(Number(value))
      ? Number(value)
      : String(value)
    : value;
}

function resultText(result: JsonValue): string {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return `${printJson(result)}\n`;
  return Object.entries(result)
    .map(
      ([name, value]) =>
        `${name.padEnd(8)} ${typeof value === 'string' ? printable(value) : value === null ? 'none' : printJson(value)}\n`,
    )
    .join('');
}
