/** Admission: authenticates the caller and enforces the client's limits before the body is read. */
import { setMaxListeners } from 'node:events';
import { type CallerOptions, fullAccess, noAccess, type OperationRecord } from '../gateway/options.js';
import type { RequestMemory } from '../memory/budget.js';
import { type Caller, createAuthenticator } from './auth/authenticator.js';
import { type Exchange, onceClosed, respondWithProblem } from './exchange.js';
import type { HttpConfig, HttpServerParts } from './options.js';
import { forbiddenMetrics, type Problem } from './problem.js';
import {
  type Admission,
  createTokenBuckets,
  type TokenBucketOptions,
  unitsOf,
  unitsOfBytes,
} from './rate-limits.js';

/** A client that may download a file. */
export interface FileAdmission {
  /** Charges the client for the planned download. */
  charge(plannedBytes: number): void;
}

/** An operation of a connected client. */
export interface OperationAdmission {
  readonly caller: CallerOptions;
  /** See `Admission.refusal`. */
  readonly refusal?: Promise<Problem | undefined> | undefined;
  /** Call it when the operation has ended. */
  end(): void;
}

/** The client of a connection that carries several operations. */
export interface ConnectedClient {
  /** Name of the caller; undefined without a token. */
  readonly name: string | undefined;
  /** Identifies the client for limits. */
  readonly client: string;
  /** Expiry of the token, in milliseconds since 1970. */
  readonly expiresAtMs: number | undefined;
  /**
   * Admits an operation, like a request.
   * @param memory opened for `client`; the caller of this function ends it
   */
  admitOperation(
    memory: RequestMemory,
    observe: (operation: OperationRecord) => void,
  ): OperationAdmission | Problem;
}

export type AccessControl = ReturnType<typeof createAccessControl>;

/** A caller identified by address only. If the option `auth` is not set, all callers are. */
const anybody: Caller = {
  name: undefined,
  rights: { ...fullAccess, maySeeMetrics: true },
  expiresAtMs: undefined,
};

export function createAccessControl({
  config,
  logger,
  gateway,
  budgets,
}: Pick<HttpServerParts, 'config' | 'logger' | 'gateway' | 'budgets'>) {
  const authenticatorOf = (auth: HttpConfig['auth']): ReturnType<typeof createAuthenticator> | undefined =>
    auth === undefined
      ? undefined
      : createAuthenticator(auth, (error) => {
          logger.error({ err: error }, 'failed to fetch JWKS');
        });
  let authenticate = authenticatorOf(config.auth);
  let rightsChanged = newRights();
  let buckets = isLimited(config) ? createTokenBuckets(config, undefined, budgets) : undefined;

  async function callerOf(exchange: Exchange): Promise<Caller | undefined> {
    exchange.rightsChanged = rightsChanged.signal;
    if (authenticate === undefined) return anybody;
    const result = await authenticate(exchange.incoming.headers);
    // Caches must not serve one caller's response to another.
    exchange.headers['vary'] = joinVary(exchange.headers['vary'], 'Authorization');
    if ('caller' in result) {
      exchange.caller = result.caller.name;
      exchange.callerUntilMs = result.caller.expiresAtMs;
      return result.caller;
    }
    // Charges failed attempts to the address, which limits guessing of tokens.
    if ((await admit(exchange, anybody)) !== undefined) respondWithProblem(exchange, result.problem);
    return undefined;
  }

  async function admit(exchange: Exchange, { name }: Caller): Promise<Admission | undefined> {
    exchange.client = clientOf(exchange.address, { name });
    const memory = gateway.memory.open(exchange.client);
    exchange.memory = memory;
    // The server ends it when the response has been sent or the client has disconnected, which may be the case already.
    if (exchange.outgoing.closed) memory.end();
    if (buckets === undefined) return unbounded;
    const admission = buckets.admit(exchange.client);
    if ('status' in admission) {
      respondWithProblem(exchange, admission);
      return undefined;
    }
    onceClosed(exchange.outgoing, () => admission.end());
    const refusal = admission.refusal === undefined ? undefined : await admission.refusal;
    if (refusal === undefined) return admission;
    respondWithProblem(exchange, refusal);
    return undefined;
  }

  async function admitConnection(
    { incoming, address }: Exchange,
    authorization: string | undefined,
  ): Promise<ConnectedClient | Problem> {
    const result =
      authenticate === undefined
        ? { caller: anybody }
        : await authenticate({ authorization: authorization ?? incoming.headers.authorization });
    if ('problem' in result) {
      // Like a failed request, the attempt is charged to the address.
      const admission = buckets?.admit(clientOf(address, anybody)) ?? unbounded;
      if ('status' in admission) return admission;
      admission.end();
      return (await admission.refusal) ?? result.problem;
    }
    const { name, rights, expiresAtMs } = result.caller;
    const client = clientOf(address, result.caller);
    return {
      name,
      client,
      expiresAtMs,
      admitOperation(memory, observe) {
        const admission = buckets?.admit(client) ?? unbounded;
        if ('status' in admission) return admission;
        const { mayRead, mayEnter, mayWrite, mayStartJobs } = rights;
        const charging = (operation: OperationRecord): void => {
          observe(operation);
          if (operation.cost !== undefined) admission.charge?.(unitsOf(operation.cost));
        };
        return {
          caller: {
            mayRead,
            mayEnter,
            mayWrite,
            mayStartJobs,
            memory,
            client,
            observe: charging,
            charge: (cost) => admission.charge?.(unitsOf(cost)),
          },
          refusal: admission.refusal,
          end: () => admission.end(),
        };
      },
    };
  }

  return {
    /** Replaces tokens and roles. Streams of callers that were admitted before end, so that clients connect again. */
    changeAuth(auth: HttpConfig['auth']): void {
      authenticate = authenticatorOf(auth);
      const before = rightsChanged;
      rightsChanged = newRights();
      before.abort();
    },
    /** Changes the rate limits. */
    changeLimits(limits: TokenBucketOptions): void {
      budgets?.change(limits);
      if (!isLimited(limits)) buckets = undefined;
      else if (buckets === undefined) buckets = createTokenBuckets(limits, undefined, budgets);
      else buckets.change(limits);
    },
    /** The caller of an operation. Undefined if the request was rejected; the response has then been sent. */
    async admitOperation(exchange: Exchange): Promise<CallerOptions | undefined> {
      const caller = await callerOf(exchange);
      if (caller === undefined) return undefined;
      const { mayRead, mayEnter, mayWrite, mayStartJobs } = caller.rights;
      const admission = await admit(exchange, caller);
      if (admission === undefined) return undefined;
      const others: Admission[] = [];
      return {
        mayRead,
        mayEnter,
        mayWrite,
        mayStartJobs,
        memory: exchange.memory,
        client: exchange.client,
        shared: exchange.incoming.headers.authorization === undefined,
        observe: createObserver(exchange, admission),
        charge: (cost) => admission.charge?.(unitsOf(cost)),
        async admitFurther() {
          const further = buckets?.admit(exchange.client) ?? unbounded;
          if ('status' in further) {
            const { code, message, extensions } = further;
            return { message, extensions: { code, ...extensions } };
          }
          if (others.length === 0)
            onceClosed(exchange.outgoing, () => {
              for (const other of others) other.end();
            });
          others.push(further);
          const refusal = await further.refusal;
          if (refusal !== undefined)
            return {
              message: refusal.message,
              extensions: { code: refusal.code, ...refusal.extensions },
            };
          return { observe: createObserver(exchange, further) };
        },
      };
    },
    /**
     * Like `admitOperation`, for the pages of GraphiQL and the explorer. Users enter their token in the page, so it
     * requires none. With authentication, the page itself contains no stores.
     */
    async admitToPage(exchange: Exchange): Promise<CallerOptions | undefined> {
      if ((await admit(exchange, anybody)) === undefined) return undefined;
      return authenticate === undefined ? fullAccess : noAccess;
    },
    /** Like `admitOperation`, for links to files and tiles, which need no token. The address identifies the client. */
    async admitToFiles(exchange: Exchange): Promise<FileAdmission | undefined> {
      const admission = await admit(exchange, anybody);
      return admission === undefined
        ? undefined
        : { charge: (plannedBytes) => admission.charge?.(unitsOfBytes(plannedBytes)) };
    },
    /** The client of a WebSocket, by the token of its first message or of its handshake. */
    admitConnection,
    /**
     * The client of a request that belongs to an event stream. Undefined if the request was rejected; the response has then
     * been sent. Only its operations are charged.
     */
    async admitToStream(exchange: Exchange): Promise<ConnectedClient | undefined> {
      const admitted = await admitConnection(exchange, undefined);
      if (authenticate !== undefined)
        exchange.headers['vary'] = joinVary(exchange.headers['vary'], 'Authorization');
      if ('status' in admitted) {
        respondWithProblem(exchange, admitted);
        return undefined;
      }
      exchange.caller = admitted.name;
      exchange.callerUntilMs = admitted.expiresAtMs;
      return admitted;
    },
    /** Whether the caller may see metrics. If not, sends a response with the error. */
    async admitToMetrics(exchange: Exchange): Promise<boolean> {
      const caller = await callerOf(exchange);
      if (caller === undefined) return false;
      if (!caller.rights.maySeeMetrics) respondWithProblem(exchange, forbiddenMetrics);
      return caller.rights.maySeeMetrics;
    },
  };
}

function isLimited({ maxClientRequests, maxClientCost }: TokenBucketOptions): boolean {
  return maxClientRequests > 0 || maxClientCost > 0;
}

/** Charges an operation, and keeps its last record: a subscription has one for each event. */
function createObserver(exchange: Exchange, admission: Admission): (operation: OperationRecord) => void {
  let index: number | undefined;
  return (operation) => {
    index ??= exchange.operations.length;
    exchange.operations[index] = operation;
    if (operation.cost !== undefined) admission.charge?.(unitsOf(operation.cost));
  };
}

function newRights(): AbortController {
  const controller = new AbortController();
  // Every open stream listens.
  setMaxListeners(0, controller.signal);
  return controller;
}

function clientOf(address: string, { name }: Pick<Caller, 'name'>): string {
  return name === undefined ? `address ${address}` : `name ${name}`;
}

const unbounded: Admission = { end() {} };

function joinVary(before: string | undefined, name: string): string {
  return before === undefined ? name : `${before}, ${name}`;
}
