/** The stores of jobs on the command line: those at the addresses of the arguments. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JobPlace } from '../jobs/job.js';
import type { JobStore, JobStores } from '../jobs/stores.js';
import { type KeyStore, openHierarchy, openStoreFromUrl } from '../zarr/index.js';
import { type AddressLevel, addressLevels, archiveName, isLocal } from './address.js';
import { locateNode, type ReadingOptions } from './locate-node.js';
import { UsageError } from './run-command.js';

interface OpenedPlace {
  readonly place: JobPlace;
  readonly store: JobStore;
}

/** Opens the stores of one command. Each has the name of its location, so that the same command means the same job. */
export class CommandStores implements JobStores {
  readonly #sources = new Map<string, JobStore>();
  readonly #destinations = new Map<string, JobStore>();
  readonly #opened: KeyStore[] = [];

  /** @throws errors from `locateNode` */
  async openSource(address: string, options: ReadingOptions): Promise<OpenedPlace> {
    const { hierarchy, node } = await locateNode(address, options);
    this.#opened.push(hierarchy.store);
    const level = levelWith(address, node.path);
    const location = await locationOf(level);
    const { versions } = hierarchy.store;
    let store: JobStore = { name: location, hierarchy, location };
    if (versions !== undefined) {
      const snapshot = await versions.resolve();
      const fixed = openHierarchy(versions.at(snapshot), options);
      store = { name: `${location}@${snapshot}`, hierarchy: fixed, location, isFixed: true };
    }
    this.#sources.set(store.name, store);
    return { place: { store: store.name, path: node.path }, store };
  }

  /** Opens the store that contains a new node: the topmost group above it, or a new store at the address. */
  async openDestination(address: string): Promise<OpenedPlace> {
    const levels = addressLevels(address);
    const [whole] = levels;
    if (whole === undefined) throw new UsageError('the address of the destination is empty');
    if (archiveName.test(whole.url))
      throw new UsageError('a zip archive cannot be continued after an interruption; copy to a folder, then run zarrql zip'); // prettier-ignore
    const level = (await this.#topGroup(levels)) ?? whole;
    const key = openStoreFromUrl(level.label, level.url, { readonly: false });
    this.#opened.push(key);
    const location = await locationOf(level);
    const store: JobStore = {
      name: location,
      hierarchy: openHierarchy(key),
      location,
      ...(key.versions?.writing === undefined ? {} : { begin: beginWith(key.versions.writing) }),
    };
    this.#destinations.set(location, store);
    return { place: { store: location, path: level.path }, store };
  }

  async #topGroup(levels: readonly AddressLevel[]): Promise<AddressLevel | undefined> {
    let top: AddressLevel | undefined;
    for (const level of levels) {
      if (isLocal(level.url) && !existsSync(level.url)) continue;
      const store = openStoreFromUrl(level.label, level.url);
      try {
        const node = await openHierarchy(store)
          .node('/')
          .catch(() => undefined);
        if (node?.kind === 'group') top = level;
        else if (top !== undefined) return top;
        else if (node?.kind === 'array') top = level;
      } finally {
        await store.close();
      }
    }
    return top;
  }

  async source(name: string): Promise<JobStore> {
    return found(this.#sources.get(name), name);
  }

  async destination({ store }: JobPlace): Promise<JobStore> {
    return found(this.#destinations.get(store), store);
  }

  async close(): Promise<void> {
    for (const store of this.#opened) await store.close();
  }
}

function found(store: JobStore | undefined, name: string): JobStore {
  if (store === undefined) throw new TypeError(`the command has no store ${name}`);
  return store;
}

type Writing = NonNullable<NonNullable<KeyStore['versions']>['writing']>;

function beginWith(writing: Writing): JobStore['begin'] {
  return async (options) => {
    const session = await writing.begin(options);
    return {
      hierarchy: openHierarchy(session.store),
      commit: async (message) => (await session.commit(message))?.snapshot,
      discard: () => session.discard(),
    };
  };
}

/** The interpretation of an address whose path is that of the node. */
function levelWith(address: string, path: string): AddressLevel {
  const levels = addressLevels(address);
  const level = levels.find((each) => each.path === path) ?? levels[0];
  if (level === undefined) throw new UsageError('the address of the source is empty');
  return level;
}

/** Where a store is, without links. */
async function locationOf({ url }: AddressLevel): Promise<string> {
  const [, repository] = /^(?:icechunk|references)\+file:(?:\/\/)?([^?]*)/i.exec(url) ?? [];
  if (repository !== undefined) return realPath(repository);
  return isLocal(url) ? realPath(url) : url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
}

/** The path without links. What does not exist is below the nearest folder that does. */
async function realPath(path: string): Promise<string> {
  if (existsSync(path)) return realpath(path);
  const parent = dirname(path);
  return parent === path ? path : join(await realPath(parent), basename(path));
}
