/** Resolves the keys of consolidated metadata to paths, and finds closed parts of paths. */
import { defined } from '../../../wire/guards.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { InputError, MetadataError } from '../../core/errors.js';
import type { ConsolidatedScan } from '../../format/metadata/consolidated.js';
import { parseNodePath } from '../../format/metadata/paths.js';
import { isDocumentKey } from '../../format/metadata/resolve-node.js';
import { joinKey } from '../../store/keys.js';

/** Number of members to process before yielding. */
export const PIECE_NODES = 1024;

/**
 * Computes the paths of the applicable members, their indices among all members, and the precedence among
 * members with the same path.
 */
export function* pathsOf(
  scan: ConsolidatedScan,
  holder: string,
): Generator<void, { paths: string[]; memberIndices: number[]; ranks: number[] }, void> {
  const paths: string[] = [];
  const memberIndices: number[] = [];
  const ranks: number[] = [];
  const isV3 = scan.name === 'zarr.json';
  /** Prefixes by index; undefined for members that do not apply. */
  const bases: (string | undefined)[] = [holder];
  const levels: number[] = [0];
  for (const [index, member] of scan.members.entries()) {
    if (index % PIECE_NODES === 0) yield;
    if (index === 0) continue;
    const base = bases[member.parent];
    bases.push(undefined);
    levels.push(defined(levels[member.parent]) + 1);
    if (base === undefined || scan.members[member.parent]?.members === undefined) continue;
    const slash = isV3 ? member.key.length : member.key.lastIndexOf('/');
    const name = member.key.slice(slash + 1);
    const path = parseMember(member.key.slice(0, Math.max(slash, 0)), member.key);
    if (!isV3 && !(name.startsWith('.z') && isDocumentKey(name))) continue;
    const prefix = path === '/' ? base : joinKey(base, path.slice(1));
    bases[index] = prefix;
    paths.push(prefix);
    memberIndices.push(index);
    ranks.push(defined(levels[index]));
  }
  return { paths, memberIndices, ranks };
}

function parseMember(path: string, key: string): string {
  try {
    return parseNodePath(path);
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new MetadataError(
      `consolidated metadata has the key ${describeJson(key)}, which is not a path in the store: ${cause.detail}`,
      { cause },
    );
  }
}

/** The outermost node that must not be entered, on the path to a prefix. @param inside start of the path */
export function firstClosed(
  prefix: string,
  inside: string,
  canTraverse: (prefix: string) => boolean,
): string | undefined {
  for (let slash = prefix.indexOf('/', inside.length); slash >= 0; slash = prefix.indexOf('/', slash + 1)) {
    const above = prefix.slice(0, slash);
    if (!canTraverse(above)) return above;
  }
  return canTraverse(prefix) ? undefined : prefix;
}
