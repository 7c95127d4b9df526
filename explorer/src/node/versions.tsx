/** The versions of a store that keeps its history: its branches, tags and latest commits. */
import type { SnapshotInfo } from 'zarrql-client';
import { client } from '../gateway/client.js';
import { useLoad } from '../gateway/use-load.js';
import { Problem } from '../parts/problem.js';
import { addressOf } from '../state/current.js';

/** Number of listed commits. */
const MAX_COMMITS = 50;
/** Maximum number of listed branches and tags: each is a request. */
const MAX_NAMES = 50;
/** Maximum length of the title of a commit. */
const MAX_TITLE = 200;

/** The configured name of a store; the name of a snapshot is `NAME@SNAPSHOT`. */
export function baseName(store: string): string {
  return store.split('@')[0] ?? store;
}

export interface Versions {
  /** Names of stores, with what they show. The first one is the store itself. */
  readonly choices: readonly { readonly store: string; readonly text: string }[];
  readonly history: readonly SnapshotInfo[];
}

/** @returns undefined for a store without a history */
export async function versionsOf(store: string, signal: AbortSignal): Promise<Versions | undefined> {
  const base = client.store(baseName(store));
  if ((await base.info({ signal })).kind !== 'ICECHUNK') return undefined;
  const [{ branches, tags }, history] = await Promise.all([
    base.versions({ signal }),
    base.history({ first: MAX_COMMITS, signal }),
  ]);
  const named = await Promise.all(
    [
      ...branches.map((branch) => ({ at: { branch }, text: `branch ${branch}` })),
      ...tags.map((tag) => ({ at: { tag }, text: `tag ${tag}` })),
    ]
      .slice(0, MAX_NAMES)
      .map(async ({ at, text }) => ({ store: (await base.at(at, { signal })).store, text })),
  );
  const commits = history.map((commit) => ({
    store: `${baseName(store)}@${commit.id}`,
    text: `${timeText(commit)} ${titleOf(commit)}`,
  }));
  return { choices: [{ store: baseName(store), text: 'current state' }, ...named, ...commits], history };
}

/** The first line of the message. */
function titleOf({ message, id }: SnapshotInfo): string {
  const line = message?.trim().split('\n')[0] ?? '';
  return line === '' ? id : line.slice(0, MAX_TITLE);
}

function timeText({ writtenAt }: SnapshotInfo): string {
  return writtenAt.slice(0, 16).replace('T', ' ');
}

/** Menu of the versions of the shown store. Shows the same view of another version. */
export function VersionMenu({ store }: { readonly store: string }) {
  const loaded = useLoad(`versions of ${baseName(store)}`, (signal) => versionsOf(store, signal));
  const { data } = loaded;
  if (data === undefined) return <Problem error={loaded.error} retry={loaded.retry} />;
  const { choices, history } = data;
  const isListed = choices.some((choice) => choice.store === store);
  return (
    <div class="versions">
      <label>
        Version{' '}
        <select
          value={store}
          onChange={({ currentTarget }) => {
            location.hash = addressOf({ store: currentTarget.value });
          }}
        >
          {!isListed && <option value={store}>{store}</option>}
          {choices.map((choice, i) => (
            <option key={i} value={choice.store}>
              {choice.text}
            </option>
          ))}
        </select>
      </label>
      <details>
        <summary>History</summary>
        <ol class="history">
          {history.map((commit) => (
            <li key={commit.id}>
              <time dateTime={commit.writtenAt}>{timeText(commit)}</time>{' '}
              <a href={addressOf({ store: `${baseName(store)}@${commit.id}` })}>{titleOf(commit)}</a>
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}
