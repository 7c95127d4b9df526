/**
 * The states of the jobs of all replicas, so that each shows, follows and cancels the jobs of the others. They are signed:
 * a state names what a job reads and contains its result. Without Redis, each replica knows its own jobs.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { isRecord } from '../../../wire/guards.js';
import type { RedisConnection } from '../../redis/connection.js';
import { RedisError } from '../../redis/redis-error.js';
import {
  type Block,
  type ErrorContext,
  isZarrError,
  ZarrError,
  type ZarrErrorCode,
} from '../../zarr/index.js';
import type { JobStatus, SharedJobs } from '../job-service.js';

/** Time for which the state of a job that has not ended is kept without renewal, and that of one that has, in ms. */
const ALIVE_MS = 60_000;
const ENDED_MS = 24 * 3_600_000;
/** Jobs in lists. */
const MAX_LISTED = 200;
/** Maximum size of a state, and of the values of a result, in bytes. */
const MAX_STATE_BYTES = 2 ** 21;
const SIGNATURE_BYTES = 32;

/** The failure of a job in another process. */
class SharedJobError extends ZarrError {
  override readonly name = 'SharedJobError';

  constructor(
    readonly code: ZarrErrorCode,
    detail: string,
    where: ErrorContext,
  ) {
    super(detail, { where });
  }
}

/** @returns undefined without keys: states could not be trusted */
export function createSharedJobs(redis: RedisConnection, keys: readonly string[]): SharedJobs | undefined {
  const secrets = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', key, redis.prefix, 'zarrql job states', 32)),
  );
  const [first] = secrets;
  if (first === undefined) return undefined;
  const index = `${redis.prefix}:jobs`;
  const nameOf = (kind: 'state' | 'values' | 'key' | 'cancel', id: string): string =>
    `${index}:${kind}:${id}`;

  const signatureOf = (secret: Buffer, name: string, payload: Buffer): Buffer =>
    createHmac('sha256', secret).update(`${name}\n`).update(payload).digest();

  function signed(name: string, value: unknown): Buffer {
    const payload = serialize(value);
    return Buffer.concat([signatureOf(first ?? Buffer.alloc(0), name, payload), payload]);
  }

  function verified(name: string, bytes: Buffer | null | undefined): unknown {
    if (bytes === null || bytes === undefined || bytes.length <= SIGNATURE_BYTES) return undefined;
    const [signature, payload] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)];
    const isSigned = secrets.some((secret) => timingSafeEqual(signatureOf(secret, name, payload), signature));
    if (isSigned) {
      const value: unknown = deserialize(payload);
      return value;
    }
    redis.metrics?.ignored('job');
    return undefined;
  }

  async function orUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RedisError) return undefined;
      throw error;
    }
  }

  const read = async (name: string): Promise<unknown> =>
    verified(name, await redis.run('job', (server) => server.getrangeBuffer(name, 0, MAX_STATE_BYTES)));

  async function find(id: string): Promise<JobStatus | undefined> {
    const status = statusOf(await read(nameOf('state', id)), id);
    if (status?.outcome === undefined || status.state !== 'SUCCEEDED') return status;
    const values = await read(nameOf('values', id));
    return isBlock(values) ? { ...status, outcome: { ...status.outcome, values } } : status;
  }

  return {
    async put(status, key) {
      await orUndefined(async () => {
        const { id, createdAtMs, endedAtMs, outcome } = status;
        const keptMs = endedAtMs === undefined ? ALIVE_MS : ENDED_MS;
        const name = nameOf('state', id);
        const state = signed(name, plainOf(status));
        if (state.length > MAX_STATE_BYTES) return;
        await redis.run('job', (server) => server.zadd(index, createdAtMs, id));
        await redis.run('job', (server) => server.zremrangebyrank(index, 0, -2 * MAX_LISTED));
        if (outcome?.values !== undefined) {
          const values = nameOf('values', id);
          await redis.run('job', (server) =>
            server.set(values, signed(values, outcome.values), 'PX', ENDED_MS),
          );
        }
        await redis.run('job', (server) => server.set(name, state, 'PX', keptMs));
        await redis.run('job', (server) => server.set(nameOf('key', key), id, 'PX', keptMs));
      });
    },
    get: (id) => orUndefined(() => find(id)),
    byKey: (key) =>
      orUndefined(async () => {
        const id = await redis.run('job', (server) => server.getrange(nameOf('key', key), 0, 100));
        return id === '' ? undefined : find(id);
      }),
    async list() {
      const found = await orUndefined(async () => {
        const ids = await redis.run('job', (server) => server.zrevrange(index, 0, MAX_LISTED - 1));
        const listed: JobStatus[] = [];
        for (const id of ids) {
          const status = statusOf(await read(nameOf('state', id)), id);
          if (status !== undefined) listed.push(status);
        }
        return listed;
      });
      return found ?? [];
    },
    isAvailable: () => redis.failure === undefined,
    async cancel(id) {
      const name = nameOf('cancel', id);
      await orUndefined(() =>
        redis.run('job', (server) => server.set(name, signed(name, id), 'PX', ALIVE_MS)),
      );
    },
    async cancelled(ids) {
      const found = await orUndefined(async () => {
        const wanted: string[] = [];
        for (const id of ids) if ((await read(nameOf('cancel', id))) === id) wanted.push(id);
        return wanted;
      });
      return found ?? [];
    },
  };
}

/** A status that can be serialised. Values are kept apart. */
function plainOf({ error, outcome, ...status }: JobStatus): object {
  const problem = isZarrError(error)
    ? { code: error.code, detail: error.detail, where: { ...error.where } }
    : error === undefined
      ? undefined
      : {};
  return {
    ...status,
    problem,
    outcome: outcome === undefined ? undefined : { ...outcome, values: undefined },
  };
}

/** @param value signed, so that its form is that of `plainOf` in some version of this program */
function statusOf(value: unknown, id: string): JobStatus | undefined {
  if (!isRecord(value) || value['id'] !== id || !isPlainStatus(value)) return undefined;
  const { problem, ...status } = value;
  if (problem === undefined) return { ...status, error: undefined };
  const { code, detail = '', where = {} } = problem;
  return {
    ...status,
    error: code === undefined ? new Error(detail) : new SharedJobError(code, detail, where),
  };
}

interface PlainStatus extends Omit<JobStatus, 'error'> {
  readonly problem?:
    { readonly code?: ZarrErrorCode; readonly detail?: string; readonly where?: ErrorContext } | undefined;
}

function isPlainStatus(value: object): value is PlainStatus {
  return (
    'spec' in value && 'reads' in value && 'state' in value && 'progress' in value && 'createdAtMs' in value
  );
}

function isBlock(value: unknown): value is Block {
  return isRecord(value) && isRecord(value['dtype']) && value['bytes'] instanceof Uint8Array;
}
