/** Ids for `Query.node`: kind, store and path. Encoded in base64url, so that clients treat them as opaque. */

const kinds = ['store', 'node', 'dataset', 'variable', 'dimension'] as const;

/** Maximum length of an id, checked before decoding. Valid ids are shorter. */
const MAX_LENGTH = 2 ** 17;

export interface GlobalId {
  readonly kind: (typeof kinds)[number];
  readonly store: string;
  /** `/` for the root, and for stores. */
  readonly path: string;
}

export function printGlobalId(id: GlobalId): string {
  return Buffer.from(`${id.kind}:${encodeURIComponent(id.store)}:${id.path}`, 'utf8').toString('base64url');
}

/** Parses an id; undefined for text that is not an id. */
export function parseGlobalId(text: string): GlobalId | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const match = /^([a-z]+):([^:]*):(\/.*)$/s.exec(Buffer.from(text, 'base64url').toString('utf8'));
  const kind = kinds.find((name) => name === match?.[1]);
  const store = match?.[2];
  const path = match?.[3];
  if (kind === undefined || store === undefined || path === undefined) return undefined;
  try {
    return { kind, store: decodeURIComponent(store), path };
  } catch {
    return undefined;
  }
}
