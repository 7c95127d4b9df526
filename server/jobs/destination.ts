/** The destination of a running job. In repositories, changes are committed together with the record of their tasks. */
import { type CallOptions, ConflictError, type Hierarchy, type ZarrArray, ZarrGroup } from '../zarr/index.js';
import type { JobPlan } from './plan.js';
import { type JobRecord, readRecord, recordAttribute, removeRecord, writeRecord } from './record.js';
import { TaskRanges } from './task-ranges.js';
import type { JobChanges, JobStore } from './stores.js';

/** What the first message of a commit says. */
const MAX_MESSAGE = 1000;

export class JobDestination {
  readonly #store: JobStore;
  readonly #path: string;
  #changes: JobChanges | undefined;
  #arrays = new Map<string, Promise<ZarrArray>>();

  constructor({ store, path }: { readonly store: JobStore; readonly path: string }) {
    this.#store = store;
    this.#path = path;
  }

  get hierarchy(): Hierarchy {
    return this.#changes?.hierarchy ?? this.#store.hierarchy;
  }

  /** Whether tasks must pause for a commit. */
  get hasCommits(): boolean {
    return this.#store.begin !== undefined;
  }

  array(path: string, options: CallOptions): Promise<ZarrArray> {
    const known = this.#arrays.get(path);
    if (known !== undefined) return known;
    const opening = this.hierarchy.array(path, options);
    this.#arrays.set(path, opening);
    // The next task tries again.
    opening.catch(() => this.#arrays.delete(path));
    return opening;
  }

  /** Begins changes, if the store commits them. */
  async begin(options: CallOptions): Promise<void> {
    if (this.#store.begin === undefined || this.#changes !== undefined) return;
    this.#changes = await this.#store.begin(options);
    this.#arrays.clear();
  }

  /**
   * Continues an unfinished job, or creates the nodes of a new one.
   * @param isCurrent whether all that the finished tasks of a record have read is unchanged
   * @returns the record of the finished tasks
   * @throws AlreadyExistsError; ConflictError for the unfinished destination of another job
   */
  async start(
    plan: JobPlan,
    overwrites: boolean,
    isCurrent: (record: JobRecord) => Promise<boolean>,
    options: CallOptions,
  ): Promise<JobRecord> {
    await this.begin(options);
    const { hierarchy } = this;
    const { exists, record } = await readRecord(hierarchy, this.#path, options);
    const isSame = record?.plan === plan.digest && record.tasks === plan.tasks && (await isCurrent(record));
    if (record !== undefined && !isSame && !overwrites)
      throw new ConflictError(
        'the destination belongs to an unfinished job with another description, or whose source has changed since; allow overwriting to begin again',
        { where: { store: this.#store.name, path: this.#path } },
      );
    const fresh: JobRecord = {
      plan: plan.digest,
      tasks: plan.tasks,
      done: new TaskRanges(),
      seen: 0n,
    };
    const current = isSame && record !== undefined ? record : fresh;
    const isEmpty = exists && !isSame && (await isEmptyRoot(hierarchy, this.#path, options));
    await plan.prepare?.(hierarchy, {
      ...options,
      isResumed: isSame,
      record: recordAttribute(current),
      replaces: exists && (overwrites || isEmpty),
    });
    return current;
  }

  /** Stores the progress. Finished tasks must have no writes in flight. */
  async save(record: JobRecord, plan: JobPlan, options: CallOptions): Promise<void> {
    await this.begin(options);
    await writeRecord(this.hierarchy, this.#path, record, options);
    await this.commit(`${describe(plan)}: ${record.done.count} of ${record.tasks} tasks`);
  }

  async finish(plan: JobPlan, options: CallOptions): Promise<void> {
    await this.begin(options);
    await removeRecord(this.hierarchy, this.#path, options);
    await this.commit(describe(plan));
  }

  /** Commits the changes so far. Other writers of this process may wait for that. */
  async commit(message: string): Promise<void> {
    const changes = this.#changes;
    if (changes === undefined) return;
    this.#changes = undefined;
    this.#arrays.clear();
    await changes.commit(message.slice(0, MAX_MESSAGE));
  }

  async discard(): Promise<void> {
    await this.#changes?.discard();
    this.#changes = undefined;
  }
}

function describe({ job }: JobPlan): string {
  const source = job.kind === 'consolidate' ? job.destination : job.source;
  return `zarrql ${job.kind} of ${source.store}${source.path === '/' ? '' : source.path}`;
}

/** A root group without attributes and members, as of a new repository. */
async function isEmptyRoot(hierarchy: Hierarchy, path: string, options: CallOptions): Promise<boolean> {
  if (path !== '/') return false;
  const node = await hierarchy.node('/', options);
  if (!(node instanceof ZarrGroup) || Object.keys(node.meta.attributes).length > 0) return false;
  for await (const _ of hierarchy.walk('/', options)) return false;
  return true;
}
