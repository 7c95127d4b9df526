/**
 * The progress of an unfinished job, in an attribute of the node that it creates: it is written atomically by any store,
 * in repositories together with the chunks, and shows every reader that the node is incomplete. Bound to the digest of the
 * plan, so that no job continues another one, or one of a changed source.
 */
import * as z from 'zod';
import { type CallOptions, ConflictError, type Hierarchy, type JsonObject } from '../zarr/index.js';
import { parseSeen, seenText } from './seen-versions.js';
import { TaskRanges } from './task-ranges.js';

export const RECORD_ATTRIBUTE = '_zarrql_job';

const MAX_RANGES = 100_000;

const form = z.strictObject({
  version: z.literal(1),
  plan: z.string().max(100),
  tasks: z.int().min(0),
  done: z.array(z.tuple([z.int().min(0), z.int().min(1)])).max(MAX_RANGES),
  seen: z.string().max(32).optional(),
});

export interface JobRecord {
  /** Digest of the plan. */
  readonly plan: string;
  readonly tasks: number;
  readonly done: TaskRanges;
  /** Sum of the digests of the finished tasks; undefined if the source has no versions. */
  readonly seen: bigint | undefined;
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
  const parsed = form.safeParse(json);
  const where = { store: hierarchy.store.label, path };
  if (!parsed.success)
    throw new ConflictError(`the attribute ${RECORD_ATTRIBUTE} is not the progress of a job of this version`, { where }); // prettier-ignore
  const { plan, tasks, done, seen } = parsed.data;
  return {
    exists: true,
    record: {
      plan,
      tasks,
      done: new TaskRanges(done, tasks),
      seen: seen === undefined ? undefined : parseSeen(seen),
    },
  };
}

export function recordAttribute({ plan, tasks, done, seen }: JobRecord): JsonObject {
  return {
    [RECORD_ATTRIBUTE]: {
      version: 1,
      plan,
      tasks,
      done: done.ranges.map((range) => [...range]),
      ...(seen === undefined ? {} : { seen: seenText(seen) }),
    },
  };
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
