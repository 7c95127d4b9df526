import { existsSync } from 'node:fs';
import {
  type Hierarchy,
  type HierarchyOptions,
  isZarrError,
  NotFoundError,
  openHierarchy,
  StoreDeniedError,
  type ZarrArray,
  type ZarrGroup,
} from '../zarr/index.js';
import { type AddressLevel, addressLevels, isLocal } from './address.js';
import { openAddress } from './combined-address.js';

export interface LocatedNode {
  readonly hierarchy: Hierarchy;
  readonly node: ZarrArray | ZarrGroup;
}

/** The options of a store that change values. */
export type ReadingOptions = Pick<HierarchyOptions, 'netcdfShuffle' | 'trustConsolidated'>;

const MAX_NAMED = 5;
/** Number of levels, from the address up, at which to look for a store of another format. */
const MAX_FOREIGN_LEVELS = 4;

/**
 * Opens the node at an address. The store is the highest ancestor that is reached through groups only, so
 * that paths are relative to the whole store and its consolidated metadata is used.
 * @throws NotFoundError, with the nearest names if the store can list them; store errors
 */
export async function locateNode(
  address: string,
  { netcdfShuffle, trustConsolidated }: ReadingOptions = {},
): Promise<LocatedNode> {
  const options: HierarchyOptions = { netcdfShuffle, trustConsolidated };
  const levels = addressLevels(address);
  const { level, hierarchy } = (await findRoot(levels, options)) ?? (await inArchive(levels, options)) ?? {};
  if (level === undefined || hierarchy === undefined) throw await nothingAt(address, levels);
  const node = await hierarchy.node(level.path);
  if (node !== undefined) return { hierarchy, node };
  const note = await hierarchy.absenceNote(level.path);
  throw new NotFoundError(`no Zarr node at this address${note}`, {
    where: { store: level.label, path: level.path },
  });
}

interface Root {
  readonly level: AddressLevel;
  readonly hierarchy: Hierarchy;
}

function open({ label, url }: AddressLevel, options: HierarchyOptions): Hierarchy {
  return openHierarchy(openAddress(label, url), options);
}

/** @returns undefined if neither the address nor any folder above it is a node */
async function findRoot(
  levels: readonly AddressLevel[],
  options: HierarchyOptions,
): Promise<Root | undefined> {
  let root: Root | undefined;
  let denied: StoreDeniedError | undefined;
  for (const level of levels) {
    if (isLocal(level.url) && level.url !== '' && !existsSync(level.url)) continue;
    const hierarchy = open(level, options);
    try {
      const node = await hierarchy.node('/');
      if (node !== undefined && (root === undefined || node.kind === 'group')) root = { level, hierarchy };
      else if (root !== undefined) break;
    } catch (error) {
      // Errors above a node that can be opened are ignored.
      if (root !== undefined) break;
      // No repository is at this level.
      if (isZarrError(error, 'NOT_FOUND')) continue;
      if (!(error instanceof StoreDeniedError)) throw error;
      denied ??= error;
    }
  }
  if (root === undefined && denied !== undefined) throw denied;
  return root;
}

/** An archive is a store, even without a node at its root. */
async function inArchive(
  levels: readonly AddressLevel[],
  options: HierarchyOptions,
): Promise<Root | undefined> {
  const [level] = levels;
  if (level === undefined || level.path === '/') return undefined;
  const hierarchy = open(level, options);
  return levels.length === 1 ? { level, hierarchy } : undefined;
}

/** Suggests nodes below the address, if the store can be listed, or names the format of a store of another format. */
async function nothingAt(address: string, levels: readonly AddressLevel[]): Promise<NotFoundError> {
  const [level] = levels;
  const isMissing = ({ url }: AddressLevel): boolean => isLocal(url) && !existsSync(url);
  for (const above of levels.slice(0, MAX_FOREIGN_LEVELS)) {
    const format = isMissing(above) ? undefined : await using(above, (store) => store.foreignFormat());
    if (format !== undefined)
      return new NotFoundError(`no Zarr node at ${level?.label ?? address}; ${above.label} is ${format}`);
  }
  if (level !== undefined && isMissing(level))
    return new NotFoundError(`no such folder or file: ${level.label}`);
  const below = level === undefined ? [] : await using(level, namesBelow);
  const hint =
    below.length === 0
      ? ' or in a folder above it; a node is a folder with zarr.json, .zgroup, .zarray or meta'
      : `; the nodes below it are ${list(below)}`;
  return new NotFoundError(`no Zarr node at ${level?.label ?? address}${hint}`);
}

async function using<T>(level: AddressLevel, body: (hierarchy: Hierarchy) => Promise<T>): Promise<T> {
  const hierarchy = open(level, {});
  try {
    return await body(hierarchy);
  } finally {
    await hierarchy.store.close();
  }
}

async function namesBelow(hierarchy: Hierarchy): Promise<string[]> {
  const names: string[] = [];
  if (!hierarchy.store.can.list) return names;
  for await (const entry of hierarchy.walk('/', { throughFolders: true })) {
    names.push(entry.path.slice(1));
    if (names.length >= MAX_NAMED) break;
  }
  return names;
}

function list(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
