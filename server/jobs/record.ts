/**
 * The progress of an unfinished job, in an attribute of the node that it creates: it is written atomically by any store,
 * in repositories together with the chunks, and shows every reader that the node is incomplete. Jobs that create no node
 * keep it elsewhere. Bound to the digest of the plan, so that no job continues another one, or one of a changed source.
 */
import * as z from 'zod';
import {
  type CallOptions,
  ConflictError,
  type Hierarchy,
  InputError,
  type JsonObject,
  type JsonValue,
} from '../zarr/index.js';
import { parseSeen, seenText } from './seen-versions.js';
import { TaskRanges } from './task-ranges.js';

export const RECORD_ATTRIBUTE = '_zarrql_job';

const MAX_RANGES = 100_000;
const MAX_WAITING = 10_000;
/**
 * Partial results in an attribute, in characters of JSON, and elsewhere: recording 2 MiB takes 15 ms. A job with larger ones
 * begins again.
 */
export const MAX_ATTRIBUTE_PARTIALS = 2 ** 20;
export const MAX_KEPT_PARTIALS = 2 * 2 ** 20;
/** Maximum length of a record that is kept elsewhere. */
export const MAX_RECORD = MAX_KEPT_PARTIALS + 2 ** 16;

/** JSON by its origin. `PartialCodec.decode` checks its form. */
const partialForm = z.custom<JsonValue>(() => true);
const seenForm = z.string().max(32).optional();

const form = z.strictObject({
  version: z.literal(1),
  plan: z.string().max(100),
  tasks: z.int().min(0),
  done: z.array(z.tuple([z.int().min(0), z.int().min(1)])).max(MAX_RANGES),
  seen: seenForm,
  partials: z
    .strictObject({
      merged: z.int().min(0),
      state: partialForm,
      waiting: z
        .array(z.strictObject({ task: z.int().min(0), seen: seenForm, partial: partialForm }))
        .max(MAX_WAITING),
    })
    .optional(),
});

/** The partial results of finished tasks, as JSON. */
export interface RecordedPartials {
  /** Number of the first tasks, whose partial results have been merged. */
  readonly merged: number;
  /** What has been merged. */
  readonly state: JsonValue;
  /** Partial results of later tasks, which wait for those before them. */
  readonly waiting: readonly {
    readonly task: number;
    readonly seen?: string | undefined;
    readonly partial: JsonValue;
  }[];
}

/** Keeps the records of jobs that create no node. Its functions do not reject because the place is unavailable. */
export interface JobRecords {
  /** @param plan digest of the plan. @returns the text; undefined if there is none that this program has written */
  read(plan: string): Promise<string | undefined>;
  write(plan: string, text: string): Promise<void>;
  remove(plan: string): Promise<void>;
}

export interface JobRecord {
  /** Digest of the plan. */
  readonly plan: string;
  readonly tasks: number;
  readonly done: TaskRanges;
  /** Sum of the digests of the finished tasks; undefined if the source has no versions. */
  readonly seen: bigint | undefined;
  /** Set if the result is merged from partial results. Without them, no task is finished. */
  readonly partials?: RecordedPartials | undefined;
}

/**
 * @returns undefined if there is no node, or no record in it
 * @throws ConflictError for a record of another form
 */
export async function readRecord(
  hierarchy: Hierarchy,
  path: string,
  options: CallOptions,
): Promise<{ readonly exists: boolean; readonly record: JobRecord | undefined }> {
  const node = await hierarchy.node(path, options);
  if (node === undefined) return { exists: false, record: undefined };
  const json = node.meta.attributes[RECORD_ATTRIBUTE];
  if (json === undefined) return { exists: true, record: undefined };
  const where = { store: hierarchy.store.label, path };
  const record = parseRecord(json);
  if (record === undefined)
    throw new ConflictError(`the attribute ${RECORD_ATTRIBUTE} is not the progress of a job of this version`, { where }); // prettier-ignore
  return { exists: true, record };
}

/** @returns undefined for another form */
export function parseRecord(json: unknown): JobRecord | undefined {
  const parsed = form.safeParse(json);
  if (!parsed.success) return undefined;
  const { plan, tasks, done, seen, partials } = parsed.data;
  try {
    return {
      plan,
      tasks,
      done: new TaskRanges(done, tasks),
      seen: seen === undefined ? undefined : parseSeen(seen),
      ...(partials === undefined ? {} : { partials }),
    };
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

export function recordJson({ plan, tasks, done, seen, partials }: JobRecord): JsonObject {
  return {
    version: 1,
    plan,
    tasks,
    done: done.ranges.map((range) => [...range]),
    ...(seen === undefined ? {} : { seen: seenText(seen) }),
    ...(partials === undefined
      ? {}
      : {
          partials: {
            merged: partials.merged,
            state: partials.state,
            waiting: partials.waiting.map(({ task, seen: own, partial }) => ({
              task,
              ...(own === undefined ? {} : { seen: own }),
              partial,
            })),
          },
        }),
  };
}

export function recordAttribute(record: JobRecord): JsonObject {
  return { [RECORD_ATTRIBUTE]: recordJson(record) };
}

export async function writeRecord(
  hierarchy: Hierarchy,
  path: string,
  record: JobRecord,
  options: CallOptions,
): Promise<void> {
  await hierarchy.setAttributes(path, { set: recordAttribute(record) }, options);
}

export async function removeRecord(hierarchy: Hierarchy, path: string, options: CallOptions): Promise<void> {
  await hierarchy.setAttributes(path, { remove: [RECORD_ATTRIBUTE] }, options);
}
