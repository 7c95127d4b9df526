import { baseName } from '../resolvers/nodes/store-name.js';

/** Whether a store can have this name. Names such as `a@SCC7JF0KBE320KSHX7H0` are those of snapshots. */
export function isStoreName(name: string): boolean {
  return baseName(name) === name;
}
