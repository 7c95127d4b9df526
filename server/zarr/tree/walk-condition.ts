/** Which nodes of a listing are wanted, as far as their names tell: what cannot be wanted is not looked at. */

export interface WalkCondition {
  /** Whether the node at the path (`/a/b`), or any below it, may be wanted. */
  enters(path: string): boolean;
  /** Whether any node below the path may be wanted. */
  descends(path: string): boolean;
  /** The name of the one child of the node at the path that may be entered; undefined where there may be several. */
  onlyChild(path: string): string | undefined;
  passes(path: string, kind: 'group' | 'array'): boolean;
}
