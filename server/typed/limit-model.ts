/** Limits a model to a number of fields. Pure. */
import type { ArrayFacts, FieldFacts, GroupFacts } from './facts.js';

/** Dimensions and fields of records that count as one array: each becomes arguments or fields of types. */
const PARTS_PER_FIELD = 8;
/** Child groups without members that keep their places, as a multiple of the maximum number of fields. */
const CHILDREN_PER_FIELD = 2;

/**
 * Counts arrays and groups, breadth first; a family counts once, and its members. A group that does not fit keeps its
 * place, without its members.
 */
export function limitModel(root: GroupFacts, maxFields: number): GroupFacts {
  let left = maxFields;
  let children = maxFields * CHILDREN_PER_FIELD;
  const kept = new Set<GroupFacts>();
  let level: readonly GroupFacts[] = [root];
  while (level.length > 0) {
    const next: GroupFacts[] = [];
    for (const group of level) {
      const needed = group.arrays.reduce((sum, array) => sum + sizeOf(array), 1 + (group.family?.members.length ?? 0)); // prettier-ignore
      const own = group.groups.length - (group.family?.members.length ?? 0);
      if (needed > left || own > children) continue;
      left -= needed;
      children -= own;
      kept.add(group);
      const members = new Set(group.family?.members);
      if (group.family !== undefined) next.push(group.family.union);
      for (const child of group.groups) if (!members.has(child.name)) next.push(child);
    }
    level = next;
  }
  return limited(root, kept);
}

function sizeOf({ dims, fields }: ArrayFacts): number {
  return Math.max(1, Math.ceil((dims.length + countFields(fields)) / PARTS_PER_FIELD));
}

function countFields(fields: readonly FieldFacts[]): number {
  return fields.reduce((sum, field) => sum + 1 + countFields(field.fields), 0);
}

function limited(group: GroupFacts, kept: ReadonlySet<GroupFacts>): GroupFacts {
  if (!kept.has(group)) {
    const { family: _, ...rest } = group;
    return { ...rest, isDataset: false, arrays: [], groups: [], collapsed: group.collapsed ?? 'The store has too many nodes for one schema.' }; // prettier-ignore
  }
  const members = new Set(group.family?.members);
  const groups = group.groups.map((child) => (members.has(child.name) ? child : limited(child, kept)));
  if (group.family === undefined) return { ...group, groups };
  return { ...group, groups, family: { ...group.family, union: limited(group.family.union, kept) } };
}
