/**
 * The messages between processes that run a job. They come from Redis, which others may write to, so that all of them are
 * checked and bounded. A message names a job and numbers of tasks; what they are follows from the job and from the stores
 * of the process that receives it.
 */
import * as z from 'zod';
import { errorCodes } from '../../../wire/error-codes.js';
import { InputError } from '../../zarr/index.js';
import { MAX_JOB, type JobSpec, parseJob } from '../job.js';
import type { FailedTask, RangeReport } from '../run-job.js';
import type { JobPlan, TaskReport } from '../plan.js';
import { parseSeen, seenText } from '../seen-versions.js';
import { MAX_TRACE_LENGTH, type TraceContext } from '../tracer.js';

/** Maximum number of tasks in a message. */
export const MAX_TASKS = 64;
/** Maximum size of a report as text: partial results of a range, as base64. */
const MAX_REPORT = 8 * 2 ** 20;
/** Maximum length of the description of a job, with its signature. */
export const MAX_SHARED = 2 * MAX_JOB + 100;
const MAX_MESSAGE = 4000;

const task = z.int().min(0);
const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

const rangeForm = z
  .strictObject({ job: z.string().min(1).max(100), plan: z.string().min(1).max(100), from: task, to: task })
  .refine(({ from, to }) => to > from && to - from <= MAX_TASKS);

/** Consecutive tasks to run. */
export type RangeMessage = Readonly<z.output<typeof rangeForm>>;

/** @throws InputError */
export function parseRange(json: unknown): RangeMessage {
  return parsed(rangeForm, json, 'tasks');
}

const sharedForm = z.strictObject({
  plan: z.string().min(1).max(100),
  spec: z.unknown(),
  trace: z.string().max(MAX_TRACE_LENGTH).optional(),
});

/** The description of a job, for other processes. */
export interface SharedJob {
  /** Digest of the plan. */
  readonly plan: string;
  readonly spec: JobSpec;
  /** The span of the job. */
  readonly trace: TraceContext | undefined;
}

/** @throws InputError */
export function parseShared(text: string): SharedJob {
  if (text.length > MAX_SHARED) throw new InputError('the description of a job is too long');
  const { plan, spec, trace } = parsed(sharedForm, parseText(text), 'job');
  return { plan, spec: parseJob(spec), trace };
}

const text = z.string().max(MAX_MESSAGE);
const broken = z.strictObject({ path: text, key: text.optional(), code: z.enum(errorCodes), message: text });

const reportForm = z.strictObject({
  done: z
    .array(
      z.strictObject({
        task,
        read: amount,
        written: amount,
        chunks: amount,
        seen: z.string().max(32).optional(),
        broken: z.array(broken).max(1000).optional(),
        partial: z.unknown().optional(),
      }),
    )
    .max(MAX_TASKS),
  failed: z.array(broken.extend({ task })).max(MAX_TASKS),
});

/** A report as text. Long messages are cut. */
export function printReport({ done, failed }: RangeReport, { merging }: JobPlan): string {
  const cut = <T extends { readonly message: string; readonly path: string }>(each: T): T => ({
    ...each,
    message: each.message.slice(0, MAX_MESSAGE),
    path: each.path.slice(0, MAX_MESSAGE),
  });
  return JSON.stringify({
    done: done.map(({ task: number, report }) => ({
      task: number,
      read: report.counts.bytesRead,
      written: report.counts.bytesWritten,
      chunks: report.counts.chunksWritten,
      ...(report.seen === undefined ? {} : { seen: seenText(report.seen) }),
      ...(report.broken === undefined ? {} : { broken: report.broken.map(cut) }),
      ...(report.partial === undefined ? {} : { partial: merging?.codec.encode(report.partial) }),
    })),
    failed: failed.map(cut),
  });
}

/** @throws InputError for another form, or tasks outside of the range */
export function parseReport(
  json: unknown,
  { from, to }: Pick<RangeMessage, 'from' | 'to'>,
  { merging }: JobPlan,
): RangeReport {
  if (typeof json !== 'string' || json.length > MAX_REPORT)
    throw new InputError('the report of tasks is too long, or not text');
  const { done, failed } = parsed(reportForm, parseText(json), 'report of tasks');
  const named = [...done, ...failed].map((each) => each.task);
  const isComplete = named.length === to - from && new Set(named).size === named.length;
  if (!isComplete || named.some((each) => each < from || each >= to))
    throw new InputError('the report of tasks does not name each task once');
  return {
    done: done.map(({ task: number, read, written, chunks, seen, broken: chunksBroken, partial }) => {
      const report: TaskReport = {
        counts: { bytesRead: read, bytesWritten: written, chunksWritten: chunks },
        seen: seen === undefined ? undefined : parseSeen(seen),
        ...(chunksBroken === undefined
          ? {}
          : { broken: chunksBroken.map((each) => ({ ...each, key: each.key })) }),
        ...(merging === undefined ? {} : { partial: merging.codec.decode(partial) }),
      };
      return { task: number, report };
    }),
    failed: failed.map((each): FailedTask => ({ ...each, key: each.key })),
  };
}

function parseText(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new InputError('a message of a job is not JSON', { cause });
  }
}

function parsed<T>(form: z.ZodType<T>, json: unknown, what: string): T {
  const result = form.safeParse(json);
  if (result.success) return result.data;
  throw new InputError(`invalid message of a job: ${what}`, { cause: result.error });
}
