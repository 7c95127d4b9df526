/** The last changes, for subscribers that continue after one of them. */

/** Maximum number of changes. */
export const MAX_RECENT = 10_000;

export function createRecentChanges<T extends { readonly id: string }>() {
  let changes: T[] = [];
  /** Positions of the changes in the order of all changes, by id. */
  const positions = new Map<string, number>();
  let first = 0;
  return {
    add(change: T): void {
      positions.set(change.id, first + changes.length);
      changes.push(change);
      // Removes a fifth at once, because moving the others takes time.
      if (changes.length <= 1.2 * MAX_RECENT) return;
      const removed = changes.length - MAX_RECENT;
      for (const { id } of changes.slice(0, removed)) positions.delete(id);
      changes = changes.slice(removed);
      first += removed;
    },
    /** The id of the last change; undefined without any. */
    last(): string | undefined {
      return changes.at(-1)?.id;
    },
    /** @returns the later changes, or all if no change was known before; undefined if the change is not known any more */
    after(id: string | undefined): readonly T[] | undefined {
      if (id === undefined) return first === 0 && changes.length < MAX_RECENT ? changes : undefined;
      const position = positions.get(id);
      return position === undefined ? undefined : changes.slice(position + 1 - first);
    },
    clear(): void {
      first += changes.length;
      changes = [];
      positions.clear();
    },
  };
}
