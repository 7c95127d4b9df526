/** Reads the facts of a store: its nodes, breadth first, within a bound. */
import { readMembers, resolveMembers, type StableGroup } from '../dataset/open-dataset.js';
import { isVariable, type Dataset } from '../dataset/variable.js';
import type { RequestMemory } from '../memory/budget.js';
import { createPause, isZarrError, type NodeEntry, ZarrArray, type Hierarchy } from '../zarr/index.js';
import {
  factsOfArray,
  factsOfVariable,
  isDecoded,
  levelsOf,
  shortText,
  type ArrayFacts,
  type GroupFacts,
  type TypedStoreFacts,
} from './facts.js';

/** Groups that are read concurrently. */
const READ_TOGETHER = 8;

export interface ReadModelOptions {
  readonly store: string;
  /** Maximum number of arrays and groups to read. Groups beyond it are collapsed. */
  readonly maxNodes: number;
  readonly isCollapsed: (path: string) => boolean;
  readonly signal: AbortSignal | undefined;
  /** Reserves the memory of the members while they are read, and of the facts. */
  readonly memory: Pick<RequestMemory, 'take' | 'give'>;
  /** Called for an array whose facts are read, with what they do not contain. */
  readonly size?: ((path: string, array: ZarrArray) => void) | undefined;
  /** Called for an array that is omitted. */
  readonly warn: (path: string, problem: string) => void;
  /** The facts of a group as last read, used if the store does not answer for it. */
  readonly before?: ((path: string) => GroupFacts | undefined) | undefined;
}

/** Memory of the facts of a node, in bytes. */
const FACTS_BYTES = 1024;
/** Memory of an open member of a group, in bytes, in addition to its documents. */
const MEMBER_BYTES = 3 * 1024;
/** Memory of parsed documents as a multiple of their texts. */
const DOCUMENTS_FACTOR = 4;

/** A group whose child groups are still to be read. */
interface Opened {
  readonly facts: Omit<GroupFacts, 'groups'>;
  readonly children: readonly string[];
  readonly dataset: Dataset | undefined;
  /** Levels of images in this group and those above. */
  readonly levels: ReadonlyMap<string, readonly string[]>;
}

/**
 * @returns the facts of the nodes that the hierarchy shows
 * @throws errors from opening the root
 */
export async function readModel(hierarchy: Hierarchy, options: ReadModelOptions): Promise<TypedStoreFacts> {
  const { store, signal } = options;
  const root = await hierarchy.node('/', { signal });
  if (root instanceof ZarrArray) {
    const arrays = [factsOfArray(root, undefined)];
    options.size?.('/', root);
    return { store, isArray: true, root: { ...emptyGroup('/'), arrays } };
  }
  const reading = new ModelReading(hierarchy, options);
  return { store, isArray: false, root: await reading.run() };
}

function emptyGroup(path: string): GroupFacts {
  return { name: path.slice(path.lastIndexOf('/') + 1), path, isDataset: false, title: undefined, arrays: [], groups: [] }; // prettier-ignore
}

class ModelReading {
  readonly #hierarchy: Hierarchy;
  readonly #options: ReadModelOptions;
  #left: number;

  constructor(hierarchy: Hierarchy, options: ReadModelOptions) {
    this.#hierarchy = hierarchy;
    this.#options = options;
    this.#left = options.maxNodes;
  }

  async run(): Promise<GroupFacts> {
    const opened = new Map<string, Opened>();
    const kept = new Map<string, GroupFacts>();
    let level: { readonly path: string; readonly above: Opened | undefined }[] = [
      { path: '/', above: undefined },
    ];
    while (level.length > 0) {
      const next: typeof level = [];
      for (let at = 0; at < level.length; at += READ_TOGETHER) {
        const part = level.slice(at, at + READ_TOGETHER);
        const groups = await Promise.all(part.map(async ({ path, above }) => this.#open(path, above)));
        for (const [i, group] of groups.entries()) {
          const path = part[i]?.path ?? '';
          if (!('children' in group)) {
            kept.set(path, group);
            continue;
          }
          opened.set(path, group);
          for (const child of group.children) next.push({ path: child, above: group });
        }
      }
      level = next;
    }
    return assemble('/', opened, kept);
  }

  async #open(path: string, above: Opened | undefined): Promise<Opened | GroupFacts> {
    const { signal, isCollapsed, before } = this.#options;
    const why = isCollapsed(path) ? 'The configuration collapses it.' : this.#left <= 0 ? 'The store has too many nodes for one schema.' : undefined; // prettier-ignore
    if (why !== undefined) return { ...emptyGroup(path), collapsed: why };
    this.#left -= 1;
    try {
      const node = await this.#hierarchy.node(path, { signal });
      if (node === undefined) return await this.#openHidden(path);
      if (node instanceof ZarrArray) return { ...emptyGroup(path), collapsed: 'The group was replaced.' };
      const stable = await readMembers(this.#hierarchy, node, signal);
      const { size } = stable.members.arrays;
      this.#left -= size;
      const membersBytes = MEMBER_BYTES * size + DOCUMENTS_FACTOR * stable.bytes;
      await this.#reserve(FACTS_BYTES * (1 + size) + membersBytes);
      try {
        return await this.#openMembers(path, stable, above);
      } finally {
        this.#options.memory.give(membersBytes);
      }
    } catch (error) {
      if (!isZarrError(error) || error.code === 'ABORTED' || path === '/' && error.code === 'STORE_UNAVAILABLE') throw error; // prettier-ignore
      const last = before?.(path);
      if (last !== undefined && error.code === 'STORE_UNAVAILABLE') return last;
      this.#options.warn(path, `its members cannot be listed: ${error.detail}`);
      return { ...emptyGroup(path), collapsed: `its members cannot be listed: ${error.detail}` };
    }
  }

  /** A group that the caller may not read, but some nodes below it: without the dataset, its arrays are selected by position. */
  async #openHidden(path: string): Promise<Opened | GroupFacts> {
    const arrays: ArrayFacts[] = [];
    const children = new Set<string>();
    const prefix = path === '/' ? '/' : `${path}/`;
    for await (const entry of this.#hierarchy.walk(path, {
      signal: this.#options.signal,
      recursive: true,
      complete: true,
    })) {
      // prettier-ignore
      if (this.#left <= 0) break;
      this.#left -= 1;
      await this.#reserve(FACTS_BYTES);
      const [name = '', ...below] = entry.path.slice(prefix.length).split('/');
      if (entry.kind === 'group' || below.length > 0) {
        children.add(prefix + name);
        continue;
      }
      const array = this.#opened(entry);
      if (array === undefined) continue;
      this.#options.size?.(entry.path, array);
      arrays.push(factsOfArray(array, undefined));
    }
    if (arrays.length === 0 && children.size === 0) return { ...emptyGroup(path), collapsed: 'The group was deleted.' }; // prettier-ignore
    const facts = { ...emptyGroup(path), isHidden: true, arrays };
    return { facts, children: [...children], dataset: undefined, levels: new Map() };
  }

  async #reserve(bytes: number): Promise<void> {
    await this.#options.memory.take(bytes, { signal: this.#options.signal });
  }

  #opened(entry: NodeEntry): ZarrArray | undefined {
    try {
      const node = entry.open();
      return node.kind === 'array' ? node : undefined;
    } catch (error) {
      if (!isZarrError(error)) throw error;
      this.#options.warn(entry.path, error.detail);
      return undefined;
    }
  }

  async #openMembers(path: string, stable: StableGroup, above: Opened | undefined): Promise<Opened> {
    const { group, members } = stable;
    const dataset = await resolveMembers(stable, above?.dataset, { ignoreSizes: true }).catch(
      (error: unknown) => {
        if (isZarrError(error, 'INVALID_METADATA', 'LIMIT_EXCEEDED')) return undefined;
        throw error;
      },
    );
    const levels = new Map([...(above?.levels ?? []), ...levelsOf(group)]);
    const arrays: ArrayFacts[] = [];
    const pause = createPause(this.#options.signal);
    for (const [name, array] of members.arrays) {
      await pause();
      if (array instanceof Error) {
        this.#options.warn(`${path === '/' ? '' : path}/${name}`, array.detail);
        continue;
      }
      this.#options.size?.(array.path, array);
      const variable = dataset?.variables.get(name);
      const axes = levels.get(array.path);
      const decoded = isVariable(variable) && isDecoded(variable, axes !== undefined);
      arrays.push(decoded && dataset !== undefined ? factsOfVariable(variable, dataset) : factsOfArray(array, axes)); // prettier-ignore
    }
    const facts = {
      ...emptyGroup(path),
      isDataset: arrays.some(({ role }) => role !== 'array'),
      title: shortText(group.meta.attributes, 'title'),
      arrays,
    };
    return { facts, children: members.groups, dataset: dataset ?? above?.dataset, levels };
  }
}

function assemble(
  path: string,
  opened: ReadonlyMap<string, Opened>,
  kept: ReadonlyMap<string, GroupFacts>,
): GroupFacts {
  const group = opened.get(path);
  if (group === undefined) return kept.get(path) ?? emptyGroup(path);
  return { ...group.facts, groups: group.children.map((child) => assemble(child, opened, kept)) };
}
