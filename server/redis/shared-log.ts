/**
 * A log of messages that all replicas read in one order: a Redis stream. A message is delivered when it is read back, so
 * that the order is the same for its sender. While Redis is away for longer than `ALONE_MS`, this replica delivers its
 * messages itself, and sends them to the others later.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isList } from '../../wire/guards.js';
import type { RedisConnection } from './connection.js';
import { RedisError } from './redis-error.js';
import { redisScript } from './script.js';

export interface LogMessage {
  /** Unique among all replicas. */
  readonly id: string;
  readonly payload: string;
  /** Whether this replica has sent it. */
  readonly isOwn: boolean;
}

export interface LogReceiver {
  received(message: LogMessage): void;
  /** Receives the messages that are still in the log, before the first or after missed ones. */
  restored(messages: readonly LogMessage[]): void;
  /** Called when messages of other replicas may be missing, or will be. */
  missed(): void;
  /** Called for each message that no replica can have sent. */
  malformed(): void;
}

export type SharedLog = ReturnType<typeof createSharedLog>;

/** Approximate number of messages that the stream keeps. */
export const MAX_MESSAGES = 10_000;
/** Maximum length of a message in characters. */
export const MAX_MESSAGE_LENGTH = 16_384;
/** Maximum number of messages that wait for Redis. */
const MAX_WAITING = 10_000;
const BATCH = 100;
const READ_BATCH = 500;
/** Time without Redis after which this replica works alone. */
const ALONE_MS = 3000;
const RETRY_MS = 200;
/** Maximum time that a read waits for messages. */
const BLOCK_MS = 2000;
/** Time for which a change that several replicas find is published once. */
const FOUND_MS = 3_600_000;

/** Appends messages. KEYS: stream; ARGV: prefix of found changes, then id, payload and digest ("" if not found) of each. */
const append = redisScript(`
for i = 2, #ARGV, 3 do
  if ARGV[i + 2] == '' or redis.call('SET', ARGV[1] .. ARGV[i + 2], '1', 'NX', 'PX', ${FOUND_MS}) then
    redis.call('XADD', KEYS[1], 'MAXLEN', '~', ${MAX_MESSAGES}, '*', 'i', ARGV[i], 'm', ARGV[i + 1])
  end
end`);

/** The identity of the log, which a server that lost its data does not have, and its first and last entries. */
const look = redisScript(`
local identity = redis.call('GET', KEYS[2])
if not identity then
  identity = ARGV[1]
  redis.call('SET', KEYS[2], identity)
end
local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
return {identity, first and first[1] or '', last and last[1] or ''}`);

const START = '0-0';
const messageId = /^[A-Za-z0-9_-]{11}\.\d{1,15}$/;
const entryId = /^\d{1,16}-\d{1,16}$/;

interface Waiting {
  readonly id: string;
  readonly payload: string;
  readonly found: string;
  /** Resolves when the message has been stored, or sending it has failed once. */
  readonly tried: Promise<void>;
  readonly resolve: () => void;
}

export function createSharedLog(redis: RedisConnection, name: string, receiver: LogReceiver) {
  const stream = `${redis.prefix}:${name}`;
  const identityKey = `${stream}:identity`;
  const own = randomBytes(8).toString('base64url');
  let sent = 0;
  let waiting: Waiting[] = [];
  let hasDropped = false;
  let isSending = false;
  let isAlone = true;
  let isClosed = false;
  /** The last entry that was read, and the log that it belongs to. */
  let cursor = START;
  let identity: string | undefined;
  /** Ids of delivered messages: a message can be in the stream twice, if its sender lost the connection. */
  const delivered = createRecentIds();
  const ending = new AbortController();
  let ready = (): void => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const reader = redis.open({
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    socketTimeout: 2 * BLOCK_MS,
  });

  function deliver(message: LogMessage): void {
    if (delivered.add(message.id)) receiver.received(message);
  }

  function workAlone(): void {
    if (isAlone || isClosed) return;
    isAlone = true;
    receiver.missed();
    for (const { id, payload } of waiting) deliver({ id, payload, isOwn: true });
  }

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      while (waiting.length > 0 && !isClosed) {
        const batch = waiting.slice(0, BATCH);
        const values = batch.flatMap(({ id, payload, found }) => [id, payload, found]);
        // An empty message: others may miss messages of this replica.
        if (hasDropped) values.unshift(nextId(), '', '');
        await redis.runScript('publish', append, [stream], [`${stream}:found:`, ...values]);
        hasDropped = false;
        const stored = new Set(batch);
        waiting = waiting.filter((message) => !stored.has(message));
        for (const { resolve } of batch) resolve();
      }
    } catch (error) {
      if (!(error instanceof RedisError)) throw error;
      for (const { resolve } of waiting) resolve();
      if (!isClosed) setTimeout(sendSoon, RETRY_MS).unref();
    } finally {
      isSending = false;
    }
  }

  function sendSoon(): void {
    send().catch(() => {
      // The next message, and each read, try again.
    });
  }

  function nextId(): string {
    return `${own}.${sent++}`;
  }

  /** @returns undefined for an entry that no replica can have sent */
  function messageOf(fields: unknown): LogMessage | undefined {
    if (!isList(fields) || fields.length !== 4) return undefined;
    const [idName, id, payloadName, payload] = fields;
    if (idName !== 'i' || payloadName !== 'm' || typeof id !== 'string' || typeof payload !== 'string')
      return undefined;
    if (!messageId.test(id) || payload.length > MAX_MESSAGE_LENGTH) return undefined;
    return { id, payload, isOwn: id.startsWith(`${own}.`) };
  }

  /** Calls `each` for the messages of a reply. @returns the number of its entries */
  function readReply(reply: unknown, each: (message: LogMessage) => void): number {
    const entries: unknown = isList(reply) && isList(reply[0]) ? reply[0][1] : [];
    if (!isList(entries)) return 0;
    for (const entry of entries) {
      const [id, fields] = isList(entry) ? entry : [];
      if (typeof id !== 'string' || !entryId.test(id)) throw new RedisError('error', 'entry');
      cursor = id;
      const message = messageOf(fields);
      if (message === undefined) receiver.malformed();
      else each(message);
    }
    return entries.length;
  }

  /** Continues after the last entry if nothing can be missing; otherwise restores what the log contains. */
  async function synchronise(): Promise<void> {
    const reply = await redis.runScript(
      'look',
      look,
      [stream, identityKey],
      [randomBytes(8).toString('hex')],
    );
    const [now, first, last] = isList(reply) ? reply : [];
    if (typeof now !== 'string' || typeof first !== 'string' || typeof last !== 'string')
      throw new RedisError('error', 'EVAL');
    const isSame = now === identity && !isAlone;
    const isComplete =
      cursor === START || (first !== '' && !isBefore(cursor, first) && !isBefore(last, cursor));
    if (isSame && isComplete) return;
    cursor = START;
    const old: LogMessage[] = [];
    while (last !== '' && isBefore(cursor, last)) {
      const read = readReply(
        await reader.xread('COUNT', READ_BATCH, 'STREAMS', stream, cursor),
        (message) => {
          if (message.payload !== '') old.push(message);
        },
      );
      if (read === 0) break;
    }
    const kept = old.slice(-MAX_MESSAGES);
    for (const { id } of kept) delivered.add(id);
    identity = now;
    if (isAlone) for (const { id } of waiting) delivered.delete(id);
    isAlone = false;
    receiver.missed();
    receiver.restored(kept);
    ready();
  }

  async function read(): Promise<void> {
    let aloneAt = performance.now() + ALONE_MS;
    while (!isClosed) {
      try {
        await synchronise();
        sendSoon();
        for (;;) {
          aloneAt = performance.now() + ALONE_MS;
          const block = ['COUNT', READ_BATCH, 'BLOCK', BLOCK_MS] as const;
          const reply: unknown = await reader.xread(...block, 'STREAMS', stream, cursor);
          if (isClosed) return;
          readReply(reply, (message) => {
            if (message.payload === '') receiver.missed();
            else deliver(message);
          });
          // The server may have lost its data without closing the connection.
          if (!isList(reply)) await synchronise();
          if (waiting.length > 0) sendSoon();
        }
      } catch {
        if (performance.now() > aloneAt) workAlone();
        await wait(RETRY_MS, undefined, { ref: false, signal: ending.signal }).catch(() => {});
      }
    }
  }
  read().catch(() => {
    // Each failure is handled by the loop; the connection reports it.
  });

  return {
    /** Resolves when the log was read for the first time. */
    isReady,
    /**
     * Publishes a message. Never blocks or throws.
     * @param found identifies a change that several replicas may find, of which only the first message is published
     */
    publish(payload: string, found?: string): void {
      let resolve = (): void => {};
      const tried = new Promise<void>((done) => {
        resolve = done;
      });
      const digest = found === undefined ? '' : createHash('sha256').update(found).digest('base64url');
      const message = { id: nextId(), payload, found: digest, tried, resolve };
      waiting.push(message);
      if (waiting.length > MAX_WAITING) {
        waiting.shift()?.resolve();
        hasDropped = true;
      }
      if (isAlone) deliver({ id: message.id, payload, isOwn: true });
      sendSoon();
    },
    /** Resolves when Redis has stored what was published, or has failed to: within the deadline of its commands. */
    async settled(): Promise<void> {
      if (redis.failure === undefined) await waiting.at(-1)?.tried;
    },
    close(): void {
      isClosed = true;
      ending.abort();
      reader.disconnect();
      for (const { resolve } of waiting) resolve();
    },
  };
}

/** Ids of the last messages. */
function createRecentIds() {
  const ids = new Set<string>();
  return {
    /** @returns whether it is new */
    add(id: string): boolean {
      if (ids.has(id)) return false;
      ids.add(id);
      if (ids.size > 2 * MAX_MESSAGES) for (const oldest of ids) return (ids.delete(oldest), true);
      return true;
    },
    delete: (id: string): boolean => ids.delete(id),
  };
}

/** Whether an id of an entry, `MILLISECONDS-SEQUENCE`, is before another. */
function isBefore(a: string, b: string): boolean {
  const [time = 0, number = 0] = a.split('-').map(Number);
  const [otherTime = 0, otherNumber = 0] = b.split('-').map(Number);
  return time < otherTime || (time === otherTime && number < otherNumber);
}
