/** The order of the members along the concatenated dimension, from their labels. */
import { defined } from '../../wire/guards.js';
import type { LabelKey } from '../dataset/labels/label-keys.js';
import { MetadataError } from '../zarr/index.js';
import type { LabelFacts, MemberFacts } from './member-facts.js';

/**
 * The members that have labels, in the order of their labels.
 * @throws MetadataError if a member has no labels, or they overlap, naming the members
 */
export function orderMembers(along: string, facts: readonly MemberFacts[]): MemberFacts[] {
  const path = indexPath(along, facts);
  const labelled = facts.map((one) => ({ one, labels: labelsAt(along, one, path) }));
  const kinds = new Map(labelled.map(({ one, labels }) => [labels.kind, one.member.name]));
  if (kinds.size > 1)
    throw refusal(along, `the labels are of different kinds: ${[...kinds].map(([kind, name]) => `${kind} in "${name}"`).join(', ')}`); // prettier-ignore
  const filled = labelled.filter(({ labels }) => labels.count > 0);
  for (const { one, labels } of filled)
    if (labels.direction === 'unsorted')
      throw refusal(along, `the labels of "${one.member.name}" are not sorted, or some are missing`);
  const sorted = filled.toSorted((a, b) => compare(lowest(a.labels), lowest(b.labels)));
  const descends = sorted.filter(({ labels }) => isDescending(labels));
  const ascends = sorted.filter(({ labels }) => labels.direction === 'ascending' && labels.count > 1 && labels.first !== labels.last); // prettier-ignore
  const [up] = ascends;
  const [down] = descends;
  if (up !== undefined && down !== undefined)
    throw refusal(along, `the labels of "${up.one.member.name}" ascend, those of "${down.one.member.name}" descend`); // prettier-ignore
  for (const [i, { one, labels }] of sorted.entries()) {
    const next = sorted[i + 1];
    if (next === undefined || compare(highest(labels), lowest(next.labels)) < 0) continue;
    const [[a, b], [c, d]] = [labels.shown, next.labels.shown];
    throw refusal(along, `the labels of "${one.member.name}" (${a} to ${b}) and "${next.one.member.name}" (${c} to ${d}) overlap`); // prettier-ignore
  }
  return (down === undefined ? sorted : sorted.toReversed()).map(({ one }) => one);
}

/** The index that determines the order: that of the root, or the first one. */
function indexPath(along: string, facts: readonly MemberFacts[]): string {
  for (const { labels } of facts) {
    const [path] = labels.keys();
    if (path !== undefined) return path;
  }
  throw refusal(along, 'no member has labels: a one-dimensional array of this name');
}

function labelsAt(along: string, { labels, member }: MemberFacts, path: string): LabelFacts {
  const found = labels.get(path);
  if (found !== undefined) return found;
  throw refusal(along, `"${member.name}" has no labels: a one-dimensional array "/${path}"`);
}

/** Throws unless another index has the same order. @param ordered the members in order */
export function assertOrdered(along: string, ordered: readonly MemberFacts[], path: string): void {
  const lists = ordered.filter(({ labels }) => (labels.get(path)?.count ?? 0) > 0);
  const again = orderMembers(along, lists.map((one) => ({ ...one, labels: new Map([[path, defined(one.labels.get(path))]]) }))); // prettier-ignore
  const differs = again.findIndex(({ member }, i) => member !== lists[i]?.member);
  if (differs >= 0)
    throw refusal(along, `the labels of "/${path}" order the members differently from "${lists[differs]?.member.name}" on`); // prettier-ignore
}

function isDescending({ direction, first, last }: LabelFacts): boolean {
  return direction === 'descending' && first !== last;
}

function lowest(labels: LabelFacts): LabelKey {
  return defined(isDescending(labels) ? labels.last : labels.first);
}

function highest(labels: LabelFacts): LabelKey {
  return defined(isDescending(labels) ? labels.first : labels.last);
}

/** Text is in the order of its UTF-16 code units, as the labels of one member are. */
function compare(a: LabelKey, b: LabelKey): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function refusal(along: string, problem: string): MetadataError {
  return new MetadataError(`the stores cannot be concatenated along "${along}": ${problem}`);
}
