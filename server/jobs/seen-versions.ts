/**
 * The versions of the objects that tasks have read, as one number: the sum over all tasks of a digest of each. Comparing
 * it with the current versions shows whether an object has changed since it was read, without remembering the objects.
 */
import { createHash } from 'node:crypto';
import {
  type ArraySlice,
  ConflictError,
  type LazySlice,
  objectName,
  type ReadObject,
  sizeOf,
} from '../zarr/index.js';

const MODULUS = 2n ** 128n;

export function addSeen(a: bigint, b: bigint): bigint {
  return (a + b) % MODULUS;
}

/** The sum without one of its terms. */
export function withoutSeen(sum: bigint, term: bigint): bigint {
  return (sum - term + MODULUS) % MODULUS;
}

export function seenText(seen: bigint): string {
  return seen.toString(16);
}

/** @returns undefined for other text */
export function parseSeen(text: string): bigint | undefined {
  return /^[0-9a-f]{1,32}$/.test(text) ? BigInt(`0x${text}`) : undefined;
}

/** The versions of one task. */
export class TaskVersions {
  readonly #versions = new Map<string, string | undefined>();
  #changed: ReadObject | undefined;

  readonly onVersion = (object: ReadObject, version: string | undefined): void => {
    const name = objectName(object);
    if (this.#versions.has(name) && this.#versions.get(name) !== version) this.#changed ??= object;
    else this.#versions.set(name, version);
  };

  /** @throws ConflictError if an object had two versions */
  assertOneState(): void {
    if (this.#changed === undefined) return;
    throw new ConflictError('the source changed while it was read', { where: this.#changed });
  }

  digest(): bigint {
    const hash = createHash('sha256');
    // Absent objects are left out: not all ways of reading report each of them. One that appears changes the digest.
    for (const [name, version] of [...this.#versions].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      if (version !== undefined) hash.update(`${name}\0${version}\n`);
    return BigInt(`0x${hash.digest('hex').slice(0, 32)}`);
  }
}

/** The digest of the current versions of everything that a slice reads; undefined if the store has no versions. */
export async function currentVersions(
  slice: LazySlice,
  signal: AbortSignal | undefined,
): Promise<bigint | undefined> {
  const versions = new TaskVersions();
  for (const input of slice.inputs) if (!(await lookAtVersions(input, versions, signal))) return undefined;
  return versions.digest();
}

/**
 * Adds the current versions of everything that a slice reads, in parts if these are more objects than its store compares
 * together.
 * @returns false if the store has no versions
 */
export async function lookAtVersions(
  slice: ArraySlice,
  versions: TaskVersions,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const found = await slice.objectVersions({ signal, fresh: true });
  if (found !== undefined) {
    const { store } = slice.array.context;
    for (const [key, version] of found)
      versions.onVersion({ store: store.label, path: slice.array.path, key }, version);
    return true;
  }
  if (sizeOf(slice.shape) < 2 || slice.cost().chunks < 2) return false;
  const axis = slice.shape.reduce(
    (longest, length, d) => (length > (slice.shape[longest] ?? 0) ? d : longest),
    0,
  );
  const middle = Math.ceil((slice.shape[axis] ?? 2) / 2);
  for (const range of [{ stop: middle }, { start: middle }]) {
    const before = Array.from({ length: axis }, () => ({ kind: 'slice' as const }));
    const half = slice.select({
      kind: 'dims',
      dims: [...before, { kind: 'slice', ...range }, { kind: 'ellipsis' }],
    });
    if (!(await lookAtVersions(half, versions, signal))) return false;
  }
  return true;
}
