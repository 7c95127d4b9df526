/** Converts jobs to plain data. */
import { isRecord } from '../../../wire/guards.js';
import { MAX_JOB, type JobSpec, parseJob } from '../../jobs/job.js';
import { InputError } from '../../zarr/index.js';

/** @throws InputError for an invalid job, or one that is too large */
export function parsePlainJob(spec: unknown): JobSpec {
  const plain = withLists(spec);
  const { length } = JSON.stringify(plain, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  if (length > MAX_JOB)
    throw new InputError(`the job has ${length} characters as JSON; at most ${MAX_JOB} are allowed`);
  return parseJob(plain);
}

/** Replaces typed arrays of positions by lists, so that the job is JSON. */
function withLists(value: unknown): unknown {
  if (value instanceof Float64Array) return [...value];
  if (Array.isArray(value)) return value.map(withLists);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withLists(each)]));
}
