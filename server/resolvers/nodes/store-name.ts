/** Names of stores, and of their snapshots: `coads@SCC7JF0KBE320KSHX7H0`. */

const ofSnapshot = /^(.+)@([0-9A-HJKMNP-TV-Z]{20})$/;

/** The configured name of the store. */
export function baseName(name: string): string {
  return ofSnapshot.exec(name)?.[1] ?? name;
}

/** The id of the snapshot; undefined for the name of a store. */
export function snapshotOf(name: string): string | undefined {
  return ofSnapshot.exec(name)?.[2];
}

export function nameAt(name: string, snapshot: string): string {
  return `${name}@${snapshot}`;
}
