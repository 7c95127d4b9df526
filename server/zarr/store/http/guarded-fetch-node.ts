/**
 * Checks addresses where connections are made, between the name's resolution and the connection: a name that is checked
 * first and resolved again later could lead elsewhere the second time (DNS rebinding).
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

/** One a store: it remembers whether the store's own host was public. */
export function createGuardedFetch(): GuardedFetch {
  let guarded: Promise<Guarded> | undefined;
  return async (address, init, trust) => {
    // Loaded with the first request: most programs read no HTTP store.
    guarded ??= import('undici').then((undici) => ({ undici, agents: createAgents(undici) }));
    const { undici, agents } = await guarded;
    const response: unknown = await undici.fetch(address, { ...init, dispatcher: agents[trust] });
    if (isResponse(response)) return response;
    throw new TypeError('fetch returned no response');
  };
}

/** The classes of undici's package are not those of the platform, whose interface they implement. */
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

/** Not called for addresses that stand in the URL; `resolveRedirect` checks those. */
export function createCheckedLookup(
  accept: (isPublic: boolean) => boolean,
  resolve: typeof lookup = lookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = error === null ? addresses : [];
      if (first === undefined) return callback(error, '');
      // One private address is enough to refuse: the connection would take whichever answers first.
      if (!accept(addresses.every(({ address }) => isPublicAddress(address))))
        return callback(privateAddressDenied(), '');
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
