/** Shows the progress of a job: a bar on a terminal, JSON lines for programs. */
import { NDArrayValue } from '../transport/nd-array-value.js';
import type { JobOutcome, JobProgress } from '../jobs/run-job.js';

/** Time between two lines or two states of the bar, in ms. */
const EVERY_MS = { bar: 100, json: 1000 };
const BAR_WIDTH = 24;
/** Number of earlier states from which the rate is computed: the last half minute. */
const RATE_MS = 30_000;

interface Sample {
  readonly at: number;
  readonly done: number;
  readonly bytes: number;
}

export class ProgressDisplay {
  readonly #kind: 'bar' | 'json' | 'none';
  readonly #samples: Sample[] = [];
  readonly #write: (text: string) => void;
  readonly #now: () => number;
  #shownAt = -Infinity;
  #last: JobProgress | undefined;

  /** @param write writes to stderr for a bar, to stdout for JSON */
  constructor(kind: 'bar' | 'json' | 'none', write: (text: string) => void, now = () => performance.now()) {
    this.#kind = kind;
    this.#write = write;
    this.#now = now;
  }

  readonly update = (progress: JobProgress): void => {
    this.#last = progress;
    const at = this.#now();
    const first = this.#samples[0];
    if (first === undefined || at - (this.#samples.at(-1)?.at ?? 0) >= RATE_MS / 60)
      this.#samples.push({ at, done: progress.done, bytes: progress.counts.bytesRead });
    while ((this.#samples[1]?.at ?? Infinity) < at - RATE_MS) this.#samples.shift();
    if (this.#kind === 'none' || at - this.#shownAt < EVERY_MS[this.#kind]) return;
    this.#shownAt = at;
    this.#show(progress);
  };

  /** Shows the last state, and leaves the line of the bar. */
  end(): void {
    if (this.#kind !== 'bar' || this.#last === undefined) return;
    this.#show(this.#last);
    this.#write('\n');
  }

  #show(progress: JobProgress): void {
    if (this.#kind === 'json')
      this.#write(`${JSON.stringify({ event: 'progress', ...numbersOf(progress), ...this.#rate(progress) })}\n`); // prettier-ignore
    else this.#write(`\r\u001b[K${barOf(progress, this.#rate(progress))}`);
  }

  /** Bytes per second and remaining seconds, from the tasks of the last half minute. */
  #rate({ tasks, done, counts }: JobProgress): Rate {
    const [first] = this.#samples;
    const seconds = first === undefined ? 0 : (this.#now() - first.at) / 1000;
    if (first === undefined || seconds <= 0 || done <= first.done) return {};
    const perSecond = (done - first.done) / seconds;
    return {
      bytesPerSecond: Math.round((counts.bytesRead - first.bytes) / seconds),
      remainingSeconds: Math.ceil((tasks - done) / perSecond),
    };
  }
}

interface Rate {
  readonly bytesPerSecond?: number;
  readonly remainingSeconds?: number;
}

function numbersOf({ tasks, done, resumed, failed, counts, phase }: JobProgress): Record<string, unknown> {
  return { phase, tasks, done, resumed, failed, ...counts };
}

function barOf(
  { tasks, done, failed, phase }: JobProgress,
  { bytesPerSecond, remainingSeconds }: Rate,
): string {
  const share = tasks === 0 ? 1 : done / tasks;
  const filled = Math.floor(share * BAR_WIDTH);
  const parts = [
    `[${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)} %`,
    `${done}/${tasks} tasks`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(phase === 'checking' ? ['checking the source'] : []),
    ...(bytesPerSecond === undefined ? [] : [`${bytesText(bytesPerSecond)}/s`]),
    ...(remainingSeconds === undefined || phase === 'checking'
      ? []
      : [`${durationText(remainingSeconds)} left`]),
  ];
  return parts.join('  ');
}

export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
}

export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** The outcome as plain data, for `--json`. */
export function outcomeJson(outcome: JobOutcome): Record<string, unknown> {
  const { counts, result, values, seen: _, ...others } = outcome;
  const shown = values === undefined ? result : new NDArrayValue(values, 'STRING').toNested();
  return { event: 'end', ...others, ...counts, ...(shown === undefined ? {} : { result: shown }) };
}
