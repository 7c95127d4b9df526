import { randomBytes } from 'node:crypto';
import type { HrefSettings } from '../resolvers/links/href-settings.js';
import { InputError } from '../zarr/index.js';
import type { GatewayConfig } from './options.js';

const DEFAULT_LIFETIME_MS = 3_600_000;
const MIN_KEY_CHARACTERS = 16;

/** @throws InputError for a key that is too short */
export function hrefSettings({ hrefs = {}, path = '/graphql' }: GatewayConfig): HrefSettings {
  const [first = randomBytes(32).toString('base64url'), ...others] = hrefs.keys ?? [];
  if ([first, ...others].some((key) => key.length < MIN_KEY_CHARACTERS))
    throw new InputError(`keys for links must have at least ${MIN_KEY_CHARACTERS} characters`);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return {
    keys: [first, ...others],
    lifetimeMs: hrefs.lifetimeMs ?? DEFAULT_LIFETIME_MS,
    publicUrl: hrefs.publicUrl ?? '',
    path: `${folder}files/`,
    tilesPath: `${folder}tiles/`,
  };
}
