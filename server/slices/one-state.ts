/**
 * The guard of one state: all reads of one computation must see the same version of each stored object. Several reads
 * report the versions of their objects to one guard, and the computation checks it before it uses their values.
 */
import type { ObjectVersions } from '../chunks/read/object-versions.js';
import { ConflictError, type ErrorContext } from '../core/errors.js';

/** A stored object that values were read from. */
export interface ReadObject extends ErrorContext {
  /** Name of the store. */
  readonly store: string;
  /** Path of the array that the object belongs to. */
  readonly path: string;
  readonly key: string;
}

/** A key for a stored object that is unique across stores and arrays. */
export function objectName({ store, key }: Pick<ReadObject, 'store' | 'key'>): string {
  return `${store}\0${key}`;
}

/** The versions of objects at their first read, by `objectName`. */
export class FirstVersions {
  readonly #seen = new Map<string, string | undefined>();

  /** Whether an object still has the version of the first read. */
  isUnchanged(name: string, version: string | undefined): boolean {
    if (this.#seen.has(name)) return this.#seen.get(name) === version;
    this.#seen.set(name, version);
    return true;
  }
}

export interface OneStateOptions {
  /** The required versions by `objectName`. @default the versions of the first reads */
  readonly versions?: ObjectVersions | undefined;
  /** The session of several streams that read the same state. */
  readonly session?: { readonly versions: FirstVersions } | undefined;
  /** The caller's own option, which receives all versions too. */
  readonly onVersion?: ((object: ReadObject, version: string | undefined) => void) | undefined;
}

export class OneState {
  /** Option of every read. */
  readonly onVersion: (object: ReadObject, version: string | undefined) => void;
  readonly #store: string | undefined;
  #changed: ReadObject | undefined;

  /** @param slice the slice or computation, for the location of errors */
  constructor(
    { where }: { readonly where: ErrorContext },
    {
      versions,
      session: { versions: first } = { versions: new FirstVersions() },
      onVersion: report,
    }: OneStateOptions = {},
  ) {
    this.#store = where.store;
    this.onVersion = (object, version) => {
      report?.(object, version);
      const name = objectName(object);
      const isUnchanged =
        versions === undefined ? first.isUnchanged(name, version) : versions.get(name) === version;
      if (!isUnchanged) this.#changed ??= object;
    };
  }

  /** Call it after reads, before using their values. @throws ConflictError if an object has another version */
  assertUnchanged(): void {
    if (this.#changed === undefined) return;
    throw new ConflictError('the array changed during the request; try again', {
      where: { ...this.#changed, ...(this.#store === undefined ? {} : { store: this.#store }) },
    });
  }
}
