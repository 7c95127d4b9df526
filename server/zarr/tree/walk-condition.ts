/** A condition on the names of nodes in a listing. Subtrees that cannot match are not visited. */

export interface WalkCondition {
  /** Whether the node at the path (e.g. `/a/b`), or any node below it, may match. */
  mayMatchWithin(path: string): boolean;
  /** Whether any node below the path may match. */
  mayMatchBelow(path: string): boolean;
  /** The name of the only child that may match; undefined if several may match. */
  onlyChild(path: string): string | undefined;
  matches(path: string, kind: 'group' | 'array'): boolean;
}
