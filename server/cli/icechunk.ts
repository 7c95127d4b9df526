/** The commands of `zarrql icechunk`. */
import {
  InputError,
  type KeyStore,
  openStoreFromUrl,
  ReadOnlyError,
  type SnapshotDiff,
  type StoreVersions,
  type VersionRef,
  type VersionWriting,
} from '../zarr/index.js';
import { writeOutput } from './output.js';
import { printable, printableJson } from './printable.js';
import { runCommand, UsageError } from './run-command.js';

export interface LogOptions {
  /** Maximum number of snapshots. @default 20 */
  readonly first?: number;
  readonly json?: boolean;
}

const FIRST = 20;

export function createRepositoryAt(address: string, specVersion: number): Promise<void> {
  return withRepository(address, true, async ({ writing }) => {
    await writing().createRepository(specVersion);
  });
}

export function printLog(address: string, version: string | undefined, options: LogOptions): Promise<void> {
  return withRepository(address, false, async ({ versions }) => {
    const snapshot = await resolve(versions, version);
    const found = await versions.history({ snapshot, first: options.first ?? FIRST });
    const lines = found.map(
      ({ id, writtenAt, message }) => `${id}  ${printable(writtenAt)}  ${printable(message)}\n`,
    );
    await writeOutput(options.json === true ? [jsonOf(found)] : lines, undefined);
  });
}

/** Prints the names, or creates a branch or tag at a version. */
export function listOrCreate(
  kind: 'branch' | 'tag',
  address: string,
  name: string | undefined,
  at: string | undefined,
): Promise<void> {
  const isNew = name !== undefined;
  return withRepository(address, isNew, async ({ versions, writing }) => {
    if (!isNew) {
      if (at !== undefined) throw new UsageError(`state the name of the new ${kind}`);
      const names = await (kind === 'branch' ? versions.branches() : versions.tags());
      await writeOutput(
        names.toSorted().map((each) => `${printable(each)}\n`),
        undefined,
      );
      return;
    }
    const snapshot = await resolve(versions, at);
    await (kind === 'branch' ? writing().createBranch(name, snapshot) : writing().createTag(name, snapshot));
    await writeOutput([`${snapshot}\n`], undefined);
  });
}

export function printDiff(
  address: string,
  from: string,
  to: string | undefined,
  isJson: boolean,
): Promise<void> {
  return withRepository(address, false, async ({ versions }) => {
    const [older, newer] = [await resolve(versions, from), await resolve(versions, to)];
    const diff = older === newer ? noDifference : await versions.diff(older, newer);
    await writeOutput(isJson ? [jsonOf(diff)] : diffLines(diff), undefined);
  });
}

const noDifference: SnapshotDiff = {
  newGroups: [],
  newArrays: [],
  deletedGroups: [],
  deletedArrays: [],
  updatedGroups: [],
  updatedArrays: [],
  updatedChunks: [],
  movedNodes: [],
};

function diffLines(diff: SnapshotDiff): readonly string[] {
  const created = [...diff.newGroups, ...diff.newArrays];
  const updated = new Set([...diff.updatedGroups, ...diff.updatedArrays]);
  const isNew = new Set(created);
  // A new array has new chunks only.
  const chunks = new Map(
    diff.updatedChunks.filter(({ path }) => !isNew.has(path)).map(({ path, count }) => [path, count]),
  );
  const changed = [...new Set([...updated, ...chunks.keys()])].map((path) => {
    const count = chunks.get(path);
    const what = [updated.has(path) ? 'metadata' : '', count === undefined ? '' : `chunks: ${count}`];
    return { path, text: `~ ${printable(path)}  ${what.filter(Boolean).join(', ')}` };
  });
  const lines = [
    ...created.map((path) => ({ path, text: `+ ${printable(path)}` })),
    ...[...diff.deletedGroups, ...diff.deletedArrays].map((path) => ({ path, text: `- ${printable(path)}` })),
    ...changed,
    ...diff.movedNodes.map(({ from, to }) => ({
      path: from,
      text: `> ${printable(from)}  ${printable(to)}`,
    })),
  ];
  return lines.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ text }) => `${text}\n`);
}

function jsonOf(value: unknown): string {
  return `${printableJson(JSON.stringify(value, undefined, 2))}\n`;
}

interface OpenRepository {
  readonly versions: StoreVersions;
  /** @throws ReadOnlyError */
  readonly writing: () => VersionWriting;
}

function withRepository(
  address: string,
  writable: boolean,
  body: (repository: OpenRepository) => Promise<void>,
): Promise<void> {
  return runCommand(async () => {
    const store = open(address, writable);
    try {
      const { versions, readOnlyReason = 'its address cannot be written' } = store;
      if (versions === undefined) throw new InputError('the address is not that of a repository');
      await body({
        versions,
        writing() {
          if (versions.writing !== undefined) return versions.writing;
          throw new ReadOnlyError(`the repository is read-only; ${readOnlyReason}`);
        },
      });
    } finally {
      await store.close();
    }
  });
}

function open(address: string, writable: boolean): KeyStore {
  const url = /^icechunk\+/i.test(address)
    ? address
    : `icechunk+${/^[a-z][a-z0-9+.-]+:/i.test(address) ? '' : 'file:'}${address}`;
  const [label = address] = address.split('?');
  return openStoreFromUrl(label, url, { readonly: !writable, filesystem: { create: writable } });
}

/** The id of the snapshot of a version. @throws UsageError for an ambiguous name; NotFoundError */
async function resolve(versions: StoreVersions, version: string | undefined): Promise<string> {
  return versions.resolve(version === undefined ? undefined : await refOf(versions, version), {
    fresh: true,
  });
}

async function refOf(versions: StoreVersions, version: string): Promise<VersionRef> {
  const [, kind, name = ''] = /^(branch|tag|snapshot)=(.+)$/.exec(version) ?? [];
  if (kind === 'branch') return { branch: name };
  if (kind === 'tag') return { tag: name };
  if (kind === 'snapshot') return { snapshot: name };
  const isBranch = (await versions.branches()).includes(version);
  const isTag = (await versions.tags()).includes(version);
  if (isBranch && isTag)
    throw new UsageError(
      `a branch and a tag are named ${version}; write branch=${version} or tag=${version}`,
    );
  if (isBranch) return { branch: version };
  if (isTag) return { tag: version };
  if (/^[0-9A-Z]{20}$/.test(version)) return { snapshot: version };
  throw new UsageError(`the repository has no branch or tag ${JSON.stringify(version)}`);
}
