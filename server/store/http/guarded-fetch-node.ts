/**
 * Checks addresses when connections are made, after name resolution. A name that is checked first and
 * resolved again later could resolve to another address (DNS rebinding).
 */
import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type * as Undici from 'undici';
import { privateAddressDenied } from './address.js';
import type { GuardedFetch, HostTrust } from './guarded-fetch.js';
import { isPublicAddress } from './public-address.js';

interface Guarded {
  readonly undici: typeof Undici;
  readonly agents: Readonly<Record<HostTrust, Undici.Agent>>;
}

export const browserRedirects: boolean = false;

/**
 * Creates the fetch of one store. It remembers whether the host of the store was public, so stores must not
 * share it.
 */
export function createGuardedFetch(): GuardedFetch {
  let guarded: Promise<Guarded> | undefined;
  return async (address, init, trust) => {
    // Loaded for the first request, because most programs do not read HTTP stores.
    guarded ??= import('undici').then((undici) => ({ undici, agents: createAgents(undici) }));
    const { undici, agents } = await guarded;
    const response: unknown = await undici.fetch(address, { ...init, dispatcher: agents[trust] });
    if (isResponse(response)) return response;
    throw new TypeError('fetch returned no response');
  };
}

/** The classes of the undici package differ from the platform's, whose interface they implement. */
function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'status' in value && 'body' in value;
}

function createAgents({ Agent }: typeof Undici): Guarded['agents'] {
  let ownIsPublic: boolean | undefined;
  return {
    own: new Agent({
      connect: {
        lookup: createCheckedLookup((isPublic) => {
          ownIsPublic ??= isPublic;
          return isPublic || !ownIsPublic;
        }),
      },
    }),
    public: new Agent({ connect: { lookup: createCheckedLookup((isPublic) => isPublic) } }),
  };
}

/**
 * Creates a lookup that checks addresses. It is not called for IP addresses in the URL; `resolveRedirect`
 * checks those.
 */
export function createCheckedLookup(
  accept: (isPublic: boolean) => boolean,
  resolve: typeof lookup = lookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = error === null ? addresses : [];
      if (first === undefined) return callback(error, '');
      // A single private address is sufficient to refuse the connection, because any of the addresses may be
      // used for it.
      if (!accept(addresses.every(({ address }) => isPublicAddress(address))))
        return callback(privateAddressDenied(), '');
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
