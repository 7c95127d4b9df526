/** Signed prefixes of Zarr stores: `/zarr/~TOKEN/` shows a node, and the nodes below it, as a store. */
import * as z from 'zod';
import { type CallerRights, ForbiddenError } from '../../resolvers/access/caller-rights.js';
import { baseName } from '../../resolvers/nodes/store-name.js';
import { openToken } from '../../transport/href/token.js';
import { ExpiredError } from '../link-problem.js';
import { parseSignedSet, type SignedSet } from '../signed-set.js';

/** What a prefix shows. */
export interface ZarrLink {
  /** Name of the store, or of one of its snapshots. */
  readonly store: string;
  /** Path of the node at the top. */
  readonly path: string;
  readonly rights: CallerRights;
  /** Time of expiry, in seconds since 1970. */
  readonly expires: number;
}

const claimsForm = z.object({
  format: z.literal('ZARR'),
  store: z.string(),
  path: z.string().startsWith('/'),
  /** Paths of the nodes that it shows; absent for all at and below the top. */
  nodes: z.array(z.string()).exactOptional(),
});

/** @throws ForbiddenError for an invalid signature or a link of another kind; ExpiredError; InputError for bad contents */
export function openZarrLink(token: string, keys: readonly string[]): ZarrLink | SignedSet {
  const opened = openToken(token, keys, Date.now() / 1000);
  if (opened.kind === 'expired') throw new ExpiredError();
  const computed = opened.kind === 'valid' ? parseSignedSet(opened.claims, opened.expires) : undefined;
  if (computed?.format === 'ZARR_SLICES') return computed;
  const claims = opened.kind === 'valid' ? claimsForm.safeParse(opened.claims) : undefined;
  if (opened.kind === 'forged' || claims?.success !== true)
    throw new ForbiddenError(
      'the URL was not signed with a key of this gateway as a Zarr store; request a new zarrUrl',
    );
  const { store, path, nodes } = claims.data;
  const base = baseName(store);
  const shown = nodes === undefined ? undefined : new Set(nodes);
  const below = path === '/' ? '/' : `${path}/`;
  // Rights are those of the store, in each of its snapshots.
  const mayRead = (name: string, node: string): boolean =>
    name === base && (node === path || node.startsWith(below)) && (shown?.has(node) ?? true);
  const mayEnter = (name: string, node: string): boolean =>
    name === base && (node === '/' || path.startsWith(`${node}/`) || node === path || node.startsWith(below));
  return { store, path, rights: { mayRead, mayEnter, mayWrite: () => false }, expires: opened.expires };
}
