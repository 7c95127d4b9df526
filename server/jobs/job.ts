/**
 * Jobs as plain data: long work on stores, divided into tasks. Jobs come from callers and from queues, so all of them are
 * checked here.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { isRecord } from '../../wire/guards.js';
import { MAX_EXPRESSION_BYTES } from '../analysis/expression/tokens.js';
import { MAX_STEPS } from '../analysis/operations/apply-steps.js';
import { isSliceStep, type SliceStep } from '../analysis/operations/table.js';
import { assertInputs, MAX_RECIPE_DEPTH, MAX_INPUTS, type SliceRecipe } from '../analysis/recipe.js';
import { coarsenMethods, InputError, type JsonValue } from '../zarr/index.js';

export const jobKinds = ['copy', 'pyramid', 'consolidate', 'verify', 'statistics', 'reduce'] as const;
export type JobKind = (typeof jobKinds)[number];

/** The convention of the metadata of a pyramid. */
export const pyramidConventions = ['geozarr', 'ome'] as const;
export type PyramidConvention = (typeof pyramidConventions)[number];

const MAX_NAME = 4096;
const MAX_RANK = 64;
/** Maximum size of the JSON in a job, in characters: codecs, fill values. */
const MAX_JSON = 65_536;
/** Maximum size of a job as JSON, in characters. */
export const MAX_JOB = 2 ** 20;

const json = z.custom<JsonValue>(isSmallJson, `expected JSON of at most ${MAX_JSON} characters`);
const length = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** The lengths of all dimensions, or of some by their names or positions. */
const lengths = z.union([
  z.array(length).max(MAX_RANK),
  z.record(z.string().min(1).max(MAX_NAME), length).refine((named) => Object.keys(named).length <= MAX_RANK),
]);
export type Lengths = z.output<typeof lengths>;

const place = z.strictObject({ store: z.string().min(1).max(MAX_NAME), path: z.string().max(MAX_NAME) });
/** A node of a store. */
export type JobPlace = Readonly<z.output<typeof place>>;

/** @param depth how deep the results that an expression names may be nested */
function sourceForm(depth: number): z.ZodType<SliceRecipe> {
  const recipe = z.strictObject({
    version: z.literal(1).exactOptional(),
    store: z.string().min(1).max(MAX_NAME),
    path: z.string().max(MAX_NAME),
    decode: z.strictObject({ maskOutOfRange: z.boolean() }).exactOptional(),
    compute: z.string().max(MAX_EXPRESSION_BYTES).exactOptional(),
    steps: z.array(z.custom<SliceStep>(isSliceStep)).max(MAX_STEPS),
  });
  if (depth === 0) return recipe;
  const input = z.strictObject({ name: z.string().min(1).max(MAX_NAME), slice: sourceForm(depth - 1) });
  return recipe.extend({ inputs: z.array(input).max(MAX_INPUTS).exactOptional() });
}

const source = sourceForm(MAX_RECIPE_DEPTH);

const target = z.strictObject({
  /** @default that of the source, or of the group of the destination */
  format: z.union([z.literal(2), z.literal(3)]).exactOptional(),
  /** Chunk shape; with shards, of the inner chunks. @default that of the source */
  chunks: lengths.exactOptional(),
  /** Shard shape; null for none. @default that of the source */
  shards: lengths.nullable().exactOptional(),
  /** As in `CreateArrayRequest`. @default those of the source, if the format is the same */
  codecs: json.exactOptional(),
  fillValue: json.exactOptional(),
  /** Whether an existing node is replaced. @default false */
  overwrite: z.boolean().exactOptional(),
  /** Whether consolidated metadata is written at the end. @default if the source has some */
  consolidate: z.boolean().exactOptional(),
});
export type TargetOptions = Readonly<z.output<typeof target>>;

const pyramid = target.extend({
  convention: z.enum(pyramidConventions).exactOptional(),
  /** Number of levels, with the first. @default until the dimensions have at most 256 elements */
  levels: z.int().min(1).max(32).exactOptional(),
  /** Names or positions of the dimensions that shrink. @default the last two */
  dimensions: z.array(z.string().min(1).max(MAX_NAME)).min(1).max(MAX_RANK).exactOptional(),
  /** @default MEAN; MODE for booleans and text */
  method: z.enum(coarsenMethods).exactOptional(),
});
export type PyramidOptions = Readonly<z.output<typeof pyramid>>;

const form = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('copy'), source, destination: place, options: target }),
  z.strictObject({
    kind: z.literal('reduce'),
    source,
    /** Without one, the values are kept with the job. */
    destination: place.exactOptional(),
    options: target.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('pyramid'), source, destination: place, options: pyramid }),
  z.strictObject({ kind: z.literal('consolidate'), destination: place }),
  z.strictObject({ kind: z.literal('verify'), source }),
  z.strictObject({ kind: z.literal('statistics'), source }),
]);

export type JobSpec = Readonly<z.output<typeof form>>;
export type JobOf<K extends JobKind> = Extract<JobSpec, { kind: K }>;

/** @throws InputError naming the first invalid member */
export function parseJob(value: unknown): JobSpec {
  const parsed = form.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue?.path.map(String).join('.') ?? '';
    throw new InputError(
      `invalid job${at === '' ? '' : `, "${at.slice(0, 200)}"`}: ${issue?.message ?? ''}`,
      {
        cause: parsed.error,
      },
    );
  }
  const job = parsed.data;
  if (job.kind !== 'consolidate') assertInputs(job.source.inputs ?? []);
  if (job.kind === 'reduce' && !job.source.steps.some((step) => 'reduce' in step || 'group' in step))
    throw new InputError('a job of the kind "reduce" needs a reduction among the steps of its source');
  if (job.kind === 'reduce' && (job.destination === undefined) !== (job.options === undefined))
    throw new InputError(
      'a job of the kind "reduce" has "options" if it has a "destination", and none otherwise',
    );
  if (job.kind !== 'consolidate' && job.source.compute !== undefined && job.source.decode !== undefined)
    throw new InputError('"compute" and "decode" cannot be combined: an expression decodes its variables');
  return job;
}

/** A job without what does not change its result, for `digestOfPlan`. */
export function essenceOf(job: JobSpec): unknown {
  if (!('options' in job) || job.options === undefined) return job;
  const { overwrite: _, ...options } = job.options;
  return { ...job, options };
}

/** Whether two jobs are the same is decided by this digest. */
export function digestOfPlan(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, inOneOrder) ?? '')
    .digest('base64url');
}

/** Sorts members by name. Lists of positions are represented by their numbers. */
function inOneOrder(_: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'); // prettier-ignore
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isSmallJson(value: unknown): value is JsonValue {
  try {
    const text = JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'bigint' ? String(each) : each,
    );
    return text !== undefined && text.length <= MAX_JSON && isJson(value);
  } catch {
    return false;
  }
}

function isJson(value: unknown): value is JsonValue {
  if (value === null || ['string', 'boolean', 'bigint'].includes(typeof value)) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return isRecord(value) && Object.values(value).every(isJson);
}
