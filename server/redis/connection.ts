/**
 * The connection of a replica to Redis. Each command has a deadline. While Redis does not respond, commands fail at
 * once, and periodic checks detect its return.
 */
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { replyCodeOf, redisFailureOf, isOutage, RedisError, type RedisFailure } from './redis-error.js';
import type { RedisScript } from './script.js';

export interface RedisOptions {
  /** `redis://[USER@]HOST[:PORT][/DATABASE]`; `rediss:` for TLS. */
  readonly url: string;
  readonly password?: string | undefined;
  /** Path of a PEM file with the certificates that sign the server's. @default those of the system */
  readonly certificates?: string | undefined;
  /** Start of all keys. */
  readonly prefix: string;
  /** Maximum time of a command in ms. */
  readonly timeoutMs: number;
}

export interface RedisMetrics {
  /** Counts data of others in Redis that were not used, because no replica can have written them. */
  ignored(kind: 'change' | 'result' | 'document' | 'names' | 'job' | 'progress' | 'node'): void;
  /** @param outcome `ok` or the failure; `skipped` if Redis was known to be unavailable */
  ended(command: string, outcome: RedisFailure | 'ok' | 'skipped', milliseconds: number): void;
}

export interface RedisLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Consecutive failures after which Redis counts as unavailable. */
const FAILURES = 2;
const CHECK_MS = 5000;
/** Time between checks while Redis is unavailable. */
const RECHECK_MS = 500;
const MAX_RECONNECT_MS = 2000;
const HEALTH_LIFETIME_MS = 60_000;

export type RedisConnection = Awaited<ReturnType<typeof connectRedis>>;

/** Options of the client that differ between connections. */
export interface CommandOptions {
  readonly commandTimeout?: number;
  readonly enableOfflineQueue?: boolean;
  readonly maxRetriesPerRequest: number | null;
  readonly autoResendUnfulfilledCommands: boolean;
  /** Time without data after which the connection counts as lost, in ms. */
  readonly socketTimeout?: number;
}

/**
 * Connects. Resolves without a connection if Redis does not respond within the deadline, and connects later.
 */
export async function connectRedis(
  { url, password, certificates, prefix, timeoutMs }: RedisOptions,
  { metrics, log }: { readonly metrics?: RedisMetrics | undefined; readonly log: RedisLog },
) {
  const { protocol, hostname, port, username, pathname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = {
    host,
    port: port === '' ? 6379 : Number(port),
    db: Number(pathname.slice(1)),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === undefined ? {} : { password }),
    ...(protocol === 'rediss:'
      ? {
          tls:
            certificates === undefined
              ? { servername: host }
              : { servername: host, ca: readFileSync(certificates) },
        }
      : {}),
    // Replies have one form with all versions of the server.
    protocol: 2 as const,
    disableClientInfo: true,
    connectTimeout: Math.max(timeoutMs, 1000),
    retryStrategy: (attempt: number) =>
      Math.min(MAX_RECONNECT_MS, 50 * 2 ** attempt) * (0.5 + Math.random() / 2),
    lazyConnect: true,
  };
  let failure: RedisFailure | undefined = 'unreachable';
  let failed = FAILURES;
  let isClosed = false;
  /** Why the last connection ended: the client reports later commands only as not sent. */
  let lastError: RedisFailure | undefined;
  const listeners = new Set<() => void>();
  const opened = new Set<Redis>();
  const client = open({
    commandTimeout: timeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  });
  client.on('ready', () => {
    lastError = undefined;
    checkAgain();
  });

  function open(options: CommandOptions): Redis {
    const redis = new Redis({ ...address, ...options });
    redis.on('error', (error: unknown) => {
      lastError = redisFailureOf(error);
    });
    redis.connect().catch(() => {
      // The client reports the error above, and reconnects.
    });
    opened.add(redis);
    redis.once('end', () => opened.delete(redis));
    return redis;
  }

  function observe(now: RedisFailure | undefined): void {
    const before = failure;
    if (now === undefined) failed = 0;
    else if (isOutage(now)) {
      failed++;
      if (failed < FAILURES) return;
    } else failed = 0;
    failure = now;
    if (isClosed || before === now) return;
    if (now === undefined) log.info({ redis: host }, 'Redis is available');
    else
      log.warn(
        { redis: host, failure: now },
        'Redis is unavailable; until it returns, budgets count this replica only, and events of other replicas may be missing',
      );
    if ((before === undefined) !== (now === undefined)) for (const listener of listeners) listener();
    // The connection may be to a host that has disappeared, or to a server that is no longer the primary.
    if (now === 'timeout' || (now === 'readOnly' && before === undefined)) client.disconnect(true);
  }

  /** Sends a command, whether or not Redis is known to be unavailable. */
  async function send<T>(name: string, command: (redis: Redis) => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      const reply = await command(client);
      metrics?.ended(name, 'ok', performance.now() - started);
      return reply;
    } catch (cause) {
      const given = redisFailureOf(cause);
      const actual = given === 'unreachable' ? (lastError ?? given) : given;
      metrics?.ended(name, actual, performance.now() - started);
      if (actual !== 'error') observe(actual);
      throw new RedisError(actual, actual === 'error' ? replyCodeOf(cause) : '');
    }
  }

  let checking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  function check(): Promise<void> {
    checking ??= send('check', (redis) => redis.set(`${prefix}:health`, '1', 'PX', HEALTH_LIFETIME_MS))
      .then(
        () => observe(undefined),
        (error: unknown) => {
          // Another error, such as a missing right, is not an outage, but the server is of no use.
          if (error instanceof RedisError && error.failure === 'error') observe('error');
        },
      )
      .finally(() => {
        checking = undefined;
        clearTimeout(timer);
        if (!isClosed) timer = setTimeout(checkAgain, failure === undefined ? CHECK_MS : RECHECK_MS).unref();
      });
    return checking;
  }

  function checkAgain(): void {
    check().catch((error: unknown) => log.warn({ err: error }, 'Redis is no longer checked'));
  }

  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, timeoutMs);
    client.once('ready', () => {
      clearTimeout(late);
      resolve();
    });
  });
  await check();
  if (failure !== undefined)
    log.warn({ redis: host, failure }, 'Redis is unavailable; requests are served without it');

  return {
    prefix,
    metrics,
    /** Why Redis cannot be used; undefined if it can. */
    get failure(): RedisFailure | undefined {
      return failure;
    },
    /**
     * Runs a command, within the deadline.
     * @param name a constant, for metrics
     * @throws RedisError for every failure, at once while Redis is known to be unavailable
     */
    async run<T>(name: string, command: (redis: Redis) => Promise<T>): Promise<T> {
      if (failure !== undefined && isOutage(failure)) {
        metrics?.ended(name, 'skipped', 0);
        throw new RedisError(failure);
      }
      const reply = await send(name, command);
      if (failure === undefined) failed = 0;
      return reply;
    },
    /**
     * Runs a script in one round trip.
     * @throws RedisError like `run`
     */
    runScript(
      name: string,
      { text, sha1 }: RedisScript,
      keys: readonly string[],
      values: readonly (string | number | Buffer)[],
    ): Promise<unknown> {
      return this.run(name, async (redis): Promise<unknown> => {
        try {
          return await redis.evalsha(sha1, keys.length, ...keys, ...values);
        } catch (error) {
          // The server has restarted, or is new.
          if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
          return redis.eval(text, keys.length, ...keys, ...values);
        }
      });
    },
    /**
     * Opens a further connection, for commands that block, which reconnects until `close`.
     * @param options by default, commands have no deadline, and are repeated if they could not be sent
     */
    open: (
      options: CommandOptions = { maxRetriesPerRequest: null, autoResendUnfulfilledCommands: true },
    ): Redis => open(options),
    /** Calls the listener when Redis becomes available or unavailable. @returns a function that ends this */
    watch(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Closes all connections. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      for (const redis of opened) redis.disconnect();
    },
  };
}
