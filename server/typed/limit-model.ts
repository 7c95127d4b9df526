/** Limits a model to a number of fields. Pure. */
import type { GroupFacts } from './facts.js';

/**
 * Counts arrays and groups, breadth first; a family counts once, and its members. A group that does not fit keeps its
 * place, without its members.
 */
export function limitModel(root: GroupFacts, maxFields: number): GroupFacts {
  let left = maxFields;
  const kept = new Set<GroupFacts>();
  let level: readonly GroupFacts[] = [root];
  while (level.length > 0) {
    const next: GroupFacts[] = [];
    for (const group of level) {
      const needed = 1 + group.arrays.length + (group.family?.members.length ?? 0);
      if (needed > left) continue;
      left -= needed;
      kept.add(group);
      const members = new Set(group.family?.members);
      if (group.family !== undefined) next.push(group.family.union);
      for (const child of group.groups) if (!members.has(child.name)) next.push(child);
    }
    level = next;
  }
  return limited(root, kept);
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
