/** Changes of folders and repositories with arrays, by this process or another one. */
import { readdir, rename, rm, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createFilesystemStore,
  type Hierarchy,
  type JsonValue,
  type KeyStore,
  openHierarchy,
} from '../../../server/zarr/index.js';
import { createIcechunkStore } from '../../../server/store/icechunk.js';
import { defined } from '../../../wire/guards.js';

export type Change =
  | { readonly kind: 'attributes'; readonly store: number; readonly path: string; readonly value: number }
  | {
      readonly kind: 'group' | 'array';
      readonly store: number;
      readonly path: string;
      readonly value: number;
    }
  | { readonly kind: 'delete' | 'consolidate'; readonly store: number; readonly path: string }
  | { readonly kind: 'resize'; readonly store: number; readonly path: string; readonly size: number }
  | {
      readonly kind: 'write';
      readonly store: number;
      readonly path: string;
      readonly at: number;
      readonly value: number;
    }
  /** A chunk disappears. */
  | { readonly kind: 'unlink'; readonly store: number; readonly path: string; readonly value: number }
  /** A chunk is replaced by one of equal size. */
  | { readonly kind: 'replace'; readonly store: number; readonly path: string; readonly value: number };

export interface Folder {
  readonly root: string;
  /** Undefined for a repository, each of whose changes is a commit. */
  readonly hierarchy: Hierarchy | undefined;
  readonly store: KeyStore;
}

/** How the root of a repository begins. */
export const REPOSITORY = 'repository:';

export function openFolders(roots: readonly string[]): readonly Folder[] {
  return roots.map((given) => {
    const isRepository = given.startsWith(REPOSITORY);
    const root = isRepository ? given.slice(REPOSITORY.length) : given;
    const store = isRepository
      ? openRepository('changed', root)
      : createFilesystemStore({ label: 'changed', root });
    return { root, store, hierarchy: isRepository ? undefined : openHierarchy(store) };
  });
}

export function openRepository(label: string, root: string): KeyStore {
  const files = createFilesystemStore({ label, root });
  return createIcechunkStore({ label, files, writable: true, maxAgeMs: 0, deadlineMs: 60_000 });
}

/** Changes nodes of a folder, or of a repository with a commit. */
export async function edit(
  { hierarchy, store }: Folder,
  body: (hierarchy: Hierarchy) => Promise<void>,
): Promise<void> {
  if (hierarchy !== undefined) return body(hierarchy);
  const session = await defined(store.versions?.writing).begin();
  try {
    await body(openHierarchy(session.store));
    await session.commit('a change');
  } finally {
    await session.discard();
  }
}

/** The codecs of an array whose chunks may have any bytes. */
export function uncompressed(format: 2 | 3): JsonValue {
  return format === 3
    ? [{ name: 'bytes', configuration: { endian: 'little' } }]
    : { compressor: null, filters: null };
}

/** Applies a change. Changes of nodes that do not exist (any more), or exist already, have no effect. */
export async function applyChange(folders: readonly Folder[], change: Change): Promise<void> {
  const folder = folders[change.store];
  if (folder === undefined) throw new Error(`there is no folder ${change.store}`);
  try {
    if (change.kind === 'unlink' || change.kind === 'replace') await changeFile(folder, change);
    else await edit(folder, (hierarchy) => applyTo(hierarchy, change));
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (
      ![
        'NOT_FOUND',
        'ALREADY_EXISTS',
        'BAD_INPUT',
        'BAD_SELECTION',
        'CONFLICT',
        'CODEC_ERROR',
        'UNSUPPORTED',
        'ENOENT',
      ].includes(String(code))
    )
      throw error;
  }
}

type FileChange = Extract<Change, { readonly kind: 'unlink' | 'replace' }>;

async function applyTo(hierarchy: Hierarchy, change: Exclude<Change, FileChange>): Promise<void> {
  const { path } = change;
  switch (change.kind) {
    case 'attributes':
      await hierarchy.setAttributes(path, { set: { value: change.value } });
      return;
    case 'group':
      await hierarchy.createGroup(path, { attributes: { value: change.value } });
      return;
    case 'array':
      await hierarchy.createArray(path, {
        shape: [8],
        dtype: 'int32',
        codecs: uncompressed(change.store === 1 ? 2 : 3),
        chunkShape: [2],
        fillValue: change.value,
        dimensionNames: ['x'],
        attributes: { value: change.value },
      });
      return;
    case 'delete':
      await hierarchy.deleteNode(path, { recursive: true });
      return;
    case 'consolidate':
      await hierarchy.consolidate(path);
      return;
    case 'resize':
      await hierarchy.resize(path, [change.size]);
      return;
    case 'write': {
      const slice = { kind: 'slice', start: change.at, stop: change.at + 3 } as const;
      await (await hierarchy.array(path)).select({ kind: 'dims', dims: [slice] }).write(change.value);
    }
  }
}

/** Repositories have no files of chunks that may change. */
async function changeFile({ root, hierarchy }: Folder, { kind, path, value }: FileChange): Promise<void> {
  const chunk = hierarchy === undefined ? undefined : await chunkOf(join(root, path), value);
  if (chunk === undefined) return;
  if (kind === 'unlink') return rm(chunk, { force: true });
  const bytes = await readFile(chunk);
  bytes.fill(value % 256);
  await writeFile(`${chunk}.new`, bytes);
  await rename(`${chunk}.new`, chunk);
}

/** The file of a chunk of an array without codecs. */
async function chunkOf(folder: string, index: number): Promise<string | undefined> {
  const inner = join(folder, 'c');
  const isV3 = (await readdir(folder)).includes('c');
  const names = (await readdir(isV3 ? inner : folder)).filter((name) => /^\d+$/.test(name)).toSorted();
  const name = names[index % Math.max(1, names.length)];
  return name === undefined ? undefined : join(isV3 ? inner : folder, name);
}
