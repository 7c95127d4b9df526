/** Listings of a bucket, in pages of at most 1000 entries. */
import { StoreUnavailableError } from '../../core/errors.js';
import { TransientFailure } from '../http/exchange.js';
import { collectPages, isLock, type ListedPage, objectsIn } from '../list-pages.js';
import type { Listing, StoredObject } from '../store.js';
import type { Bucket } from './bucket.js';
import { isProbe } from './probe.js';

/** Whether a key is not part of the store: locks, and probes of a server. */
const isReserved = (key: string): boolean => isProbe(key) || isLock(key);

/** Lists the direct members of a prefix. */
export function listPrefix(
  bucket: Bucket,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  return collectPages(listPages(bucket, prefix, '/', signal), prefix, isReserved);
}

/** Yields every object below a prefix, in the server's order, which is by code points. */
export function walkObjects(
  bucket: Bucket,
  prefix: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredObject> {
  return objectsIn(listPages(bucket, prefix, undefined, signal), prefix, isReserved);
}

export async function* listPages(
  bucket: Bucket,
  prefix: string,
  delimiter: '/' | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListedPage> {
  const { root, target } = bucket;
  const start = prefix === '' ? root : `${root}${prefix}/`;
  let token: string | undefined;
  do {
    const ContinuationToken = token;
    const response = await bucket.call('list', {
      signal,
      send: async (client, { ListObjectsV2Command }, options) => {
        const page = await client.send(
          new ListObjectsV2Command({ ...target, Prefix: start, Delimiter: delimiter, ContinuationToken }),
          options,
        );
        // An empty or truncated response would look like an empty folder; a valid one declares whether there
        // is more.
        if (page.IsTruncated === undefined)
          throw new TransientFailure('the server sent a listing without content');
        return page;
      },
    });
    yield {
      objects: (response.Contents ?? []).flatMap(({ Key, Size }) =>
        Key?.startsWith(root) === true ? [{ key: Key.slice(root.length), bytes: Size ?? 0 }] : [],
      ),
      folders: (response.CommonPrefixes ?? []).flatMap(({ Prefix }) =>
        Prefix?.startsWith(start) === true ? [Prefix.slice(start.length, -1)] : [],
      ),
    };
    token = response.NextContinuationToken;
    if (response.IsTruncated === true && (token === undefined || token === '' || token === ContinuationToken))
      throw new StoreUnavailableError('the server truncated a listing without a continuation token');
    if (response.IsTruncated !== true) token = undefined;
  } while (token !== undefined);
}
