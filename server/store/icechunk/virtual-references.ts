/** Finds references to chunks in other files in the manifests of snapshots. */
import { LRUCache } from 'lru-cache';
import { MetadataError, throwIfAborted } from '../../core/errors.js';
import { get } from '../define-reading.js';
import type { KeyStore } from '../store.js';
import { decodeManifest, type Manifest, type ChunkReference } from './manifest.js';
import { MAX_FILE_BYTES, type Wanted } from './protocol.js';

export interface VirtualReferencesOptions {
  /** The objects of the repository, without a cache. */
  readonly objects: KeyStore;
  /** The ids of all manifests of a snapshot. */
  readonly manifestsOf: (snapshot: string) => Promise<readonly string[]>;
}

/** Memory for decompressed manifests of a repository, in bytes. A larger one is used, and not kept. */
const KEPT_BYTES = 32 * 2 ** 20;
/** Maximum number of snapshots whose manifests are known. */
const MAX_SNAPSHOTS = 10;

export class VirtualReferences {
  readonly #options: VirtualReferencesOptions;
  readonly #manifests = new LRUCache<string, Manifest>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes + 1,
  });
  readonly #snapshots = new LRUCache<string, readonly string[]>({ max: MAX_SNAPSHOTS });
  /** The end of the last search: one at a time, because manifests are large. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: VirtualReferencesOptions) {
    this.#options = options;
  }

  /**
   * @returns undefined if no manifest of the snapshot refers to the chunk
   * @param signal ends the search, which may read all manifests of the snapshot
   * @throws store errors; MetadataError for damaged manifests; AbortedError
   */
  find(snapshot: string, wanted: Wanted, signal: AbortSignal): Promise<ChunkReference | undefined> {
    const found = this.#last.then(() => this.#find(snapshot, wanted, signal));
    this.#last = found.catch(() => {});
    return found;
  }

  async #find(
    snapshot: string,
    { node, index, recent }: Wanted,
    signal: AbortSignal,
  ): Promise<ChunkReference | undefined> {
    throwIfAborted(signal);
    const nodeId = bytesOf(node);
    // Other snapshots have other references to the same chunk.
    const all = new Set(await this.#manifestsOf(snapshot));
    const first = recent.filter((id) => all.delete(id));
    for (const id of [...first, ...all]) {
      const reference = (await this.#read(id, signal)).find(nodeId, index);
      if (reference !== undefined) return reference;
    }
    return undefined;
  }

  async #manifestsOf(snapshot: string): Promise<readonly string[]> {
    const ids = this.#snapshots.get(snapshot) ?? (await this.#options.manifestsOf(snapshot));
    this.#snapshots.set(snapshot, ids);
    return ids;
  }

  async #read(id: string, signal: AbortSignal): Promise<Manifest> {
    throwIfAborted(signal);
    const known = this.#manifests.get(id);
    if (known !== undefined) return known;
    const file = await get(this.#options.objects, `manifests/${id}`, { maxBytes: MAX_FILE_BYTES, signal });
    if (file === undefined) throw new MetadataError(`the manifest ${id} of the repository is missing`);
    const manifest = await decodeManifest(file.bytes);
    this.#manifests.set(id, manifest);
    return manifest;
  }
}

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The bytes of an id: Crockford's base 32, most significant bits first. */
function bytesOf(id: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((id.length * 5) / 8));
  let [bits, value, at] = [0, 0, 0];
  for (const digit of id) {
    const five = DIGITS.indexOf(digit);
    if (five < 0) throw new MetadataError('the Icechunk library returned an invalid id');
    value = ((value << 5) | five) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (value >> bits) & 0xff;
  }
  return bytes;
}
