/** Walks a container: its blocks, and the documents of its nodes at their places in the order of keys. */
import { compareCodePoints, parentOf } from '../keys.js';
import type { StoredObject } from '../store.js';

export interface WalkedNode {
  readonly document: StoredObject;
  readonly isArray: boolean;
}

/** A folder whose members are being walked. */
interface OpenFolder {
  readonly folder: string;
  /** Whether its subfolders contain blocks. */
  readonly isArray: boolean;
  /** The document, until it is its turn. */
  document: StoredObject | undefined;
}

/**
 * @param objects all objects below the prefix in code point order
 * @param nodeAt looks a node up; called once for each folder that is not within an array
 * @param isShown whether an object is part of the result
 */
export async function* walkNodes(
  objects: AsyncIterable<StoredObject>,
  prefix: string,
  nodeAt: (folder: string) => Promise<WalkedNode | undefined>,
  isShown: (key: string) => boolean,
): AsyncGenerator<StoredObject> {
  const open: OpenFolder[] = [];
  for await (const object of objects) {
    const folder = parentOf(object.key);
    yield* leftFor(open, folder);
    for (const entered of foldersTo(open.at(-1)?.folder, prefix, folder)) {
      const node = open.at(-1)?.isArray === true ? undefined : await nodeAt(entered);
      const isArray = open.at(-1)?.isArray === true || node?.isArray === true;
      open.push({ folder: entered, isArray, document: node?.document });
    }
    yield* dueBefore(open, object.key);
    if (isShown(object.key)) yield object;
  }
  yield* leftFor(open, undefined);
}

/** Leaves the folders that do not contain `folder`, innermost first. */
function* leftFor(open: OpenFolder[], folder: string | undefined): Generator<StoredObject> {
  for (let last = open.at(-1); last !== undefined && !contains(last.folder, folder); last = open.at(-1)) {
    open.pop();
    if (last.document !== undefined) yield last.document;
  }
}

function contains(outer: string, folder: string | undefined): boolean {
  return folder !== undefined && (outer === '' || folder === outer || folder.startsWith(`${outer}/`));
}

/** The folders below `from` on the way to `to`, outermost first; from the prefix itself if none is open. */
function foldersTo(from: string | undefined, prefix: string, to: string): readonly string[] {
  const folders: string[] = [];
  const stop = from ?? prefix;
  for (let at = to; at !== stop; at = parentOf(at)) folders.unshift(at);
  return from === undefined ? [prefix, ...folders] : folders;
}

/** The documents that precede a key. Those of outer folders can come before those of inner ones. */
function dueBefore(open: readonly OpenFolder[], key: string): readonly StoredObject[] {
  const due: StoredObject[] = [];
  for (const folder of open) {
    const { document } = folder;
    if (document === undefined || compareCodePoints(document.key, key) > 0) continue;
    due.push(document);
    folder.document = undefined;
  }
  return due.toSorted((a, b) => compareCodePoints(a.key, b.key));
}
