/** Child groups of the same structure, which share one type. Pure. */
import type { ArrayFacts, GroupFacts } from './facts.js';

/** Members of equal signature that turn a family on without the option. */
const MIN_EQUAL = 20;
/** Members of a family that are fields of the parent. `_members` lists all of them. */
export const MAX_MEMBER_FIELDS = 1000;

/**
 * Replaces the groups of each family by one merged group.
 * @param forced `typedSchema.families`: true forces a family, false forbids it
 */
export function withFamilies(group: GroupFacts, forced: Readonly<Record<string, boolean>>): GroupFacts {
  const groups = group.groups.map((child) => withFamilies(child, forced));
  const choice = Object.hasOwn(forced, group.path) ? forced[group.path] : undefined;
  const members = choice === false ? undefined : familyOf(groups, choice === true);
  if (members === undefined) return { ...group, groups };
  const union = { ...merged(members), name: group.name, path: group.path };
  return { ...group, groups, family: { union, members: members.map(({ name }) => name) } };
}

function familyOf(groups: readonly GroupFacts[], isForced: boolean): readonly GroupFacts[] | undefined {
  if (groups.length < 2) return undefined;
  const signatures = new Map(groups.map((child) => [child, signatureOf(child)]));
  if (!isForced && mostEqual([...signatures.values()]) < MIN_EQUAL) return undefined;
  const counts = new Map<string, number>();
  for (const signature of signatures.values())
    for (const entry of signature) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  const common = new Set(
    [...counts].filter(([, count]) => count > groups.length / 2).map(([entry]) => entry),
  );
  const names = new Map([...common].map((entry) => [nameIn(entry), entry]));
  const members = groups.filter((child) => {
    const own = signatures.get(child) ?? [];
    const shared = own.filter((entry) => common.has(entry)).length;
    const agrees = own.every((entry) => (names.get(nameIn(entry)) ?? entry) === entry);
    return agrees && shared > 0 && 2 * shared >= common.size && 2 * shared >= own.length;
  });
  return members.length < 2 ? undefined : members;
}

function mostEqual(signatures: readonly (readonly string[])[]): number {
  const counts = new Map<string, number>();
  for (const signature of signatures) {
    if (signature.length === 0) continue;
    const key = signature.toSorted().join('\n');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** Name, kind and dimensions of each data variable, and the name of each group, as JSON. */
function signatureOf({ arrays, groups }: GroupFacts): readonly string[] {
  const data = arrays.filter(({ role, isCoordinate }) => role !== 'single' && !isCoordinate);
  return [
    ...data.map(({ name, kind, dims }) => JSON.stringify([name, kind, dims.map((dim) => dim.name)])),
    ...groups.map(({ name }) => JSON.stringify([name])),
  ];
}

function nameIn(entry: string): string {
  const parsed: unknown = JSON.parse(entry);
  return Array.isArray(parsed) ? String(parsed[0]) : '';
}

/** The union of groups. Arrays of one name that differ become elements without labels. */
function merged(members: readonly GroupFacts[]): GroupFacts {
  const [first] = members;
  if (first === undefined) throw new TypeError('a family has members');
  const arrays = new Map<string, ArrayFacts>();
  const groups = new Map<string, GroupFacts[]>();
  for (const member of members) {
    for (const array of member.arrays) {
      const other = arrays.get(array.name);
      arrays.set(array.name, other === undefined ? array : mergedArray(other, array));
    }
    for (const group of member.groups) groups.set(group.name, [...(groups.get(group.name) ?? []), group]);
  }
  return {
    ...first,
    isDataset: members.some(({ isDataset }) => isDataset),
    arrays: [...arrays.values()],
    groups: [...groups.values()].map((alike) => merged(alike)),
  };
}

function mergedArray(a: ArrayFacts, b: ArrayFacts): ArrayFacts {
  if (a.kind === b.kind && a.role === b.role && sameDims(a, b))
    return { ...a, coordinates: [...new Set([...a.coordinates, ...b.coordinates])], hasGeography: a.hasGeography || b.hasGeography }; // prettier-ignore
  return { ...a, kind: 'Elements', fields: [] };
}

function sameDims(a: ArrayFacts, b: ArrayFacts): boolean {
  return a.dims.length === b.dims.length && a.dims.every((dim, d) => dim.name === b.dims[d]?.name);
}
