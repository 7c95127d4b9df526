/** Ids of `Query.node`: what kind of thing, in which store, at which path; base64url, so that nobody takes them apart. */

const kinds = ['store', 'node', 'dataset'] as const;

export interface GlobalId {
  readonly kind: (typeof kinds)[number];
  readonly store: string;
  /** `/` for the root, and for stores. */
  readonly path: string;
}

export function printGlobalId(id: GlobalId): string {
  return Buffer.from(`${id.kind}:${encodeURIComponent(id.store)}:${id.path}`, 'utf8').toString('base64url');
}

/** Undefined for a text that is no id. */
export function parseGlobalId(text: string): GlobalId | undefined {
  const match = /^([a-z]+):([^:]*):(\/.*)$/s.exec(Buffer.from(text, 'base64url').toString('utf8'));
  const kind = kinds.find((one) => one === match?.[1]);
  const store = match?.[2];
  const path = match?.[3];
  if (kind === undefined || store === undefined || path === undefined) return undefined;
  try {
    return { kind, store: decodeURIComponent(store), path };
  } catch {
    return undefined;
  }
}
