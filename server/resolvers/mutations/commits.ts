/**
 * The commits of a request: all of its changes of one store that keeps its history are committed together at its end, or
 * none of them.
 */
import { type ExecutionResult, GraphQLError, type GraphQLResolveInfo } from 'graphql';
import {
  ConflictError,
  InputError,
  isZarrError,
  throwIfAborted,
  UnsupportedError,
} from '../../zarr/index.js';
import type { RequestMemory } from '../../memory/budget.js';
import type { StoreChanges, StoreModel } from '../models.js';

/** A mutation of the request. */
interface Change {
  /** Its name in the response. */
  readonly key: string;
  readonly nodes: GraphQLResolveInfo['fieldNodes'];
  /** What it does, for the default message. */
  readonly title: string;
}

interface StoreCommit {
  readonly changes: Change[];
  readonly messages: Set<string>;
  readonly failed: Set<string>;
  open: StoreChanges | undefined;
}

interface CommitContext {
  readonly signal?: AbortSignal | undefined;
  readonly memory: RequestMemory;
}

/** Maximum length of a message, in characters: readers show no more. */
const MAX_MESSAGE = 4000;
/** Maximum number of changes that the default message names. */
const MAX_TITLES = 5;

export class RequestCommits {
  readonly #stores = new Map<string, StoreCommit>();
  readonly #show: (name: string, changed: StoreModel) => void;

  /** @param show makes the changed store that of all later fields of the request */
  constructor(show: (name: string, changed: StoreModel) => void) {
    this.#show = show;
  }

  /** Whether the request has changed the store, and will commit the changes. */
  isOpen(store: string): boolean {
    return this.#stores.has(store);
  }

  /**
   * Runs a change of a store with its message. On a store without a history, it is independent of others.
   * @param change receives the store with the changes of the request
   * @throws ConflictError if an earlier change of the store failed; errors from `change`
   */
  async run<T>(
    store: StoreModel,
    { message, path, info }: { readonly message: string | null | undefined; readonly path: string; readonly info: GraphQLResolveInfo }, // prettier-ignore
    context: CommitContext,
    change: (store: StoreModel) => Promise<T>,
  ): Promise<T> {
    const { history } = store;
    if (history?.begin === undefined) {
      if (typeof message === 'string') throw new UnsupportedError('the store keeps no history, so its changes have no message; omit "message"'); // prettier-ignore
      return change(store);
    }
    const commit = this.#of(store.name);
    const key = String(info.path.key);
    commit.changes.push({ key, nodes: info.fieldNodes, title: `${info.fieldName} ${path}` });
    try {
      if (commit.failed.size > 0) throw notExecuted(commit);
      if (typeof message === 'string') addMessage(commit, message);
      if (commit.open === undefined) {
        commit.open = await history.begin({
          signal: context.signal,
          charge: (bytes) => context.memory.take(bytes, { signal: context.signal }),
          // Otherwise, two requests that change two stores in a different order could wait for each other.
          waits: [...this.#stores.values()].every(({ open }) => open === undefined),
        });
        this.#show(store.name, commit.open.store);
      }
      return await change(commit.open.store);
    } catch (error) {
      commit.failed.add(key);
      throw error;
    }
  }

  /** Records a mutation that failed before it changed anything. */
  fail(store: string, info: GraphQLResolveInfo): void {
    const commit = this.#of(store);
    const key = String(info.path.key);
    if (!commit.changes.some((change) => change.key === key))
      commit.changes.push({ key, nodes: info.fieldNodes, title: '' });
    commit.failed.add(key);
  }

  /** Commits or discards all changes. @returns the result, in which mutations of discarded changes are null */
  async end(result: ExecutionResult, signal: AbortSignal | undefined): Promise<ExecutionResult> {
    let ended = result;
    const commits: Record<string, string> = {};
    for (const [store, commit] of this.#stores) {
      const { open, changes, failed } = commit;
      for (const { key } of changes) if ((result.data?.[key] ?? null) === null) failed.add(key);
      try {
        if (failed.size > 0) throw notExecuted(commit);
        throwIfAborted(signal);
        const snapshot = await open?.commit(messageOf(commit));
        if (snapshot !== undefined) commits[store] = snapshot;
      } catch (error) {
        await open?.discard();
        if (!(error instanceof Error)) throw error;
        ended = withoutChanges(ended, commit, error);
      }
    }
    this.#stores.clear();
    return Object.keys(commits).length === 0
      ? ended
      : { ...ended, extensions: { ...ended.extensions, commits } };
  }

  /** Discards what was not committed, for requests that fail as a whole. */
  async discard(): Promise<void> {
    for (const { open } of this.#stores.values()) await open?.discard();
    this.#stores.clear();
  }

  #of(store: string): StoreCommit {
    const known = this.#stores.get(store);
    if (known !== undefined) return known;
    const commit = { changes: [], messages: new Set<string>(), failed: new Set<string>(), open: undefined };
    this.#stores.set(store, commit);
    return commit;
  }
}

function addMessage({ messages }: StoreCommit, message: string): void {
  if (message.trim() === '') throw new InputError('"message" is empty');
  messages.add(message);
  const length = [...messages].join('\n').length;
  if (length > MAX_MESSAGE)
    throw new InputError(
      `the message of the commit has ${length} characters; at most ${MAX_MESSAGE} are allowed`,
    );
}

function messageOf({ messages, changes }: StoreCommit): string {
  if (messages.size > 0) return [...messages].join('\n');
  const titles = changes.slice(0, MAX_TITLES).map(({ title }) => title);
  const more = changes.length - titles.length;
  return `${titles.join(', ')}${more > 0 ? `, and ${more} more` : ''}`.slice(0, MAX_MESSAGE);
}

function notExecuted({ failed }: StoreCommit): ConflictError {
  const [first = ''] = failed;
  return new ConflictError(
    `nothing was changed, because the mutation "${first}" of the same request failed; all changes of a store that keeps its history are committed together`,
  );
}

/** Replaces the results of changes that were not committed. Changes that failed keep their errors. */
function withoutChanges(
  { data, errors = [], ...result }: ExecutionResult,
  { changes, failed }: StoreCommit,
  error: Error,
): ExecutionResult {
  const undone = changes.filter(({ key }) => !failed.has(key));
  const keys = new Set(undone.map(({ key }) => key));
  const shown = isZarrError(error) ? error : undefined;
  return {
    ...result,
    data: { ...data, ...Object.fromEntries([...keys].map((key) => [key, null])) },
    errors: [
      ...errors.filter(({ path }) => !keys.has(String(path?.[0]))),
      ...undone.map(
        ({ key, nodes }) =>
          new GraphQLError(shown?.message ?? error.message, { path: [key], nodes, originalError: error }),
      ),
    ],
  };
}
