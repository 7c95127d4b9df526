/**
 * The names of the nodes of a store, which one replica lists and all read: sorted, in compressed blocks. Names decide only
 * which documents a search reads, so that another program that writes to Redis can hide nodes from searches, but show
 * none: each replica reads the documents, with the rights of its caller.
 */
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import * as z from 'zod';
import type { RedisConnection } from './connection.js';
import { RedisError } from './redis-error.js';
import { redisScript } from './script.js';

/** The kind of a node, and its path without the first slash. */
export type SharedName = readonly [kind: 'group' | 'array', prefix: string];

export interface NameListing {
  /** When the listing began, in ms of the clock of Redis. */
  readonly listedAtMs: number;
  /** When the next listing is due. */
  readonly nextAtMs: number;
  /** The id of the last change before the listing began; undefined if none was known. */
  readonly lastChange: string | undefined;
}

export interface SharedNames {
  /** The time of the clock of Redis in ms; undefined while Redis is unavailable. */
  now(): Promise<number | undefined>;
  /** The listing that a replica has published last; undefined if there is none. */
  latest(): Promise<NameListing | undefined>;
  /** Its names in blocks. @returns undefined if it was replaced, or has another form. Paths and order are not checked */
  read(listing: NameListing): Promise<readonly (readonly SharedName[])[] | undefined>;
  /** Whether this replica is to list now. The claim ends with `release`, or after 30 s without `claim`. */
  claim(): Promise<boolean>;
  release(): Promise<void>;
  /** Publishes a listing, unless it is too large. Never throws. @param keepMs time for which it is kept */
  publish(listing: NameListing, names: Iterable<SharedName>, keepMs: number): Promise<void>;
}

/** Characters of a block, and bytes of a compressed one. */
const BLOCK_LENGTH = 2 ** 17;
const MAX_BLOCK_BYTES = 2 ** 20;
/** Compressed bytes of all blocks of a store. */
const MAX_BYTES = 64 * 2 ** 20;
const MAX_BLOCKS = 2 ** 14;
const CLAIM_MS = 30_000;
const SEPARATOR = '\0';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const headForm = z.strictObject({
  version: z.string().regex(/^[\w-]{16}$/),
  blocks: z.int().min(0).max(MAX_BLOCKS),
  listedAtMs: z.int().min(0),
  nextAtMs: z.int().min(0),
  lastChange: z.string().max(100).optional(),
});

/** KEYS: claim; ARGV: own id, ms. @returns whether the claim is now own */
const claimOnce = redisScript(`
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`);

const releaseOwn = redisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`);

/** @param store identifies the store among all replicas */
export function createSharedNames(redis: RedisConnection, store: string): SharedNames {
  const own = randomBytes(12).toString('base64url');
  const digest = createHash('sha256').update(store).digest('base64url').slice(0, 22);
  const key = `${redis.prefix}:names:${digest}`;
  const blockKey = (version: string, block: number): string => `${key}:${version}:${block}`;
  /** The head of each listing that `latest` returned. */
  const heads = new WeakMap<NameListing, z.output<typeof headForm>>();

  async function orUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RedisError) return undefined;
      throw error;
    }
  }

  const head = async (): Promise<z.output<typeof headForm> | undefined> => {
    const text = await redis.run('names', (server) => server.getrange(key, 0, 1000));
    if (text === '') return undefined;
    const parsed = headForm.safeParse(jsonOf(text));
    if (parsed.success) return parsed.data;
    redis.metrics?.ignored('names');
    return undefined;
  };

  return {
    now: () =>
      orUndefined(async () => {
        const [seconds, micros] = await redis.run('names', (server) => server.time());
        return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      }),
    latest: () =>
      orUndefined(async () => {
        const found = await head();
        if (found === undefined) return undefined;
        const { listedAtMs, nextAtMs, lastChange } = found;
        const listing: NameListing = { listedAtMs, nextAtMs, lastChange };
        heads.set(listing, found);
        return listing;
      }),
    read: (listing) =>
      orUndefined(async () => {
        const known = heads.get(listing);
        if (known === undefined) return undefined;
        const blocks: (readonly SharedName[])[] = [];
        let bytes = 0;
        for (let i = 0; i < known.blocks; i++) {
          const packed = await redis.run('names', (server) =>
            server.getrangeBuffer(blockKey(known.version, i), 0, MAX_BLOCK_BYTES),
          );
          // Replaced in the meantime.
          if (packed.length === 0) return undefined;
          bytes += packed.length;
          const names = bytes > MAX_BYTES ? undefined : await unpacked(packed);
          if (names === undefined) {
            redis.metrics?.ignored('names');
            return undefined;
          }
          blocks.push(names);
        }
        return blocks;
      }),
    claim: async () =>
      (await orUndefined(() => redis.runScript('claim', claimOnce, [`${key}:lister`], [own, CLAIM_MS]))) ===
      1,
    async release() {
      await orUndefined(() => redis.runScript('claim', releaseOwn, [`${key}:lister`], [own]));
    },
    async publish({ listedAtMs, nextAtMs, lastChange }, names, keepMs) {
      await orUndefined(async () => {
        const version = randomBytes(12).toString('base64url');
        const before = await head();
        let [blocks, bytes] = [0, 0];
        const keep = async (text: string): Promise<boolean> => {
          const packed = await deflate(text, { level: 3 });
          bytes += packed.length;
          if (packed.length > MAX_BLOCK_BYTES || bytes > MAX_BYTES || blocks >= MAX_BLOCKS) return false;
          const at = blockKey(version, blocks++);
          await redis.run('names', (server) => server.set(at, packed, 'PX', keepMs));
          return true;
        };
        for (const text of blocksOf(names))
          if (!(await keep(text))) {
            // Each replica lists a store that is too large to be shared.
            for (let i = 0; i < blocks; i++) await remove(blockKey(version, i));
            return;
          }
        const text = JSON.stringify({ version, blocks, listedAtMs, nextAtMs, lastChange });
        await redis.run('names', (server) => server.set(key, text, 'PX', keepMs));
        for (let i = 0; i < (before?.blocks ?? 0); i++) await remove(blockKey(before?.version ?? '', i));
      });
    },
  };

  async function remove(name: string): Promise<void> {
    await redis.run('names', (server) => server.unlink(name));
  }
}

function* blocksOf(names: Iterable<SharedName>): Generator<string> {
  let parts: string[] = [];
  let length = 0;
  for (const [kind, prefix] of names) {
    parts.push(`${kind === 'array' ? 'a' : 'g'}${prefix}`);
    length += prefix.length + 2;
    if (length < BLOCK_LENGTH) continue;
    yield parts.join(SEPARATOR);
    parts = [];
    length = 0;
  }
  if (parts.length > 0) yield parts.join(SEPARATOR);
}

/** @returns undefined for bytes that no replica has written */
async function unpacked(packed: Buffer): Promise<readonly SharedName[] | undefined> {
  let text: string;
  try {
    text = (await inflate(packed, { maxOutputLength: 4 * MAX_BLOCK_BYTES })).toString('utf8');
  } catch {
    return undefined;
  }
  const names: SharedName[] = [];
  for (const part of text.split(SEPARATOR)) {
    const kind = part[0];
    if (kind !== 'a' && kind !== 'g') return undefined;
    names.push([kind === 'a' ? 'array' : 'group', part.slice(1)]);
  }
  return names;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
