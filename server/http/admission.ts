/** Who is let in, before anything of a request is read: by token, and by what the client has taken lately. */
import type { CallerOptions } from '../gateway/options.js';
import { fullAccess, noAccess } from '../gateway/caller-rights.js';
import { createAuthenticator, type Caller } from './auth/authenticator.js';
import { clientAddress } from './client-address.js';
import { type Admission, createClientBudgets, unitsOf, unitsOfBytes } from './client-budgets.js';
import { answerProblem, type Exchange } from './exchange.js';
import { onceClosed } from './one-at-a-time.js';
import type { HttpServerParts } from './options.js';
import { forbiddenMetrics } from './problem.js';

/** A client that may follow a link. */
export interface FileAdmission {
  /** Charges the client for what its download is going to take. */
  charge(plannedBytes: number): void;
}

export interface Gatekeeper {
  /** The caller of an operation; undefined where the request is refused, and answered. */
  admitOperation(exchange: Exchange): Promise<CallerOptions | undefined>;
  /**
   * The same for GraphiQL's page. Where there is authentication, the page is where a token is entered, so none is asked
   * for; nothing of a store is in it then.
   */
  admitToPage(exchange: Exchange): CallerOptions | undefined;
  /** The same for files, whose links need no token: the client is charged by its address. */
  admitToFiles(exchange: Exchange): FileAdmission | undefined;
  /** Whether the caller may see metrics; if not, the request is answered. */
  admitToMetrics(exchange: Exchange): Promise<boolean>;
}

/** Without the option `auth`, everybody may do everything. */
const anybody: Caller = {
  name: undefined,
  rights: { ...fullAccess, maySeeMetrics: true },
  expiresAtMs: undefined,
};

export function createGatekeeper({
  config,
  logger,
  gateway,
}: Pick<HttpServerParts, 'config' | 'logger' | 'gateway'>): Gatekeeper {
  const authenticate =
    config.auth === undefined
      ? undefined
      : createAuthenticator(config.auth, (error) => {
          logger.error({ err: error }, 'the keys for tokens cannot be had');
        });
  const budgets =
    config.maxClientRequests === 0 && config.maxClientCost === 0 ? undefined : createClientBudgets(config);

  async function callerOf(exchange: Exchange): Promise<Caller | undefined> {
    if (authenticate === undefined) return anybody;
    const result = await authenticate(exchange.incoming.headers);
    // A caller's answers are not for others; caches in between have to know.
    exchange.headers['vary'] = joinVary(exchange.headers['vary'], 'Authorization');
    if ('caller' in result) {
      exchange.caller = result.caller.name;
      exchange.callerUntilMs = result.caller.expiresAtMs;
      return result.caller;
    }
    // Guesses are charged to their address: nothing else tells who makes them.
    if (take(exchange, anybody) !== undefined) answerProblem(exchange, result.problem);
    return undefined;
  }

  /** Held until the answer has left, or the client. */
  function openMemory(exchange: Exchange, caller: Caller): void {
    exchange.client = clientOf(exchange, caller, config.trustedProxies);
    const memory = gateway.memory.open(exchange.client);
    exchange.memory = memory;
    onceClosed(exchange.outgoing, () => memory.end());
  }

  function take(exchange: Exchange, caller: Caller): Admission | undefined {
    openMemory(exchange, caller);
    if (budgets === undefined) return unbounded;
    const admission = budgets.admit(exchange.client);
    if ('status' in admission) {
      answerProblem(exchange, admission);
      return undefined;
    }
    onceClosed(exchange.outgoing, () => admission.end());
    return admission;
  }

  return {
    async admitOperation(exchange) {
      const caller = await callerOf(exchange);
      if (caller === undefined) return undefined;
      const { mayRead, mayEnter, mayWrite } = caller.rights;
      const admission = take(exchange, caller);
      if (admission === undefined) return undefined;
      return {
        mayRead,
        mayEnter,
        mayWrite,
        memory: exchange.memory,
        client: exchange.client,
        shared: exchange.incoming.headers.authorization === undefined,
        observe: (operation) => {
          exchange.operation = operation;
          if (operation.cost !== undefined) admission.charge(unitsOf(operation.cost));
        },
      };
    },
    admitToPage(exchange) {
      if (take(exchange, anybody) === undefined) return undefined;
      return authenticate === undefined ? fullAccess : noAccess;
    },
    admitToFiles(exchange) {
      const admission = take(exchange, anybody);
      return admission === undefined
        ? undefined
        : { charge: (plannedBytes) => admission.charge(unitsOfBytes(plannedBytes)) };
    },
    async admitToMetrics(exchange) {
      const caller = await callerOf(exchange);
      if (caller === undefined) return false;
      if (!caller.rights.maySeeMetrics) answerProblem(exchange, forbiddenMetrics);
      return caller.rights.maySeeMetrics;
    },
  };
}

const unbounded: Admission = { charge() {}, end() {} };

function clientOf({ incoming }: Exchange, { name }: Caller, trustedProxies: number): string {
  return name === undefined ? `address ${clientAddress(incoming, trustedProxies)}` : `name ${name}`;
}

function joinVary(before: string | undefined, name: string): string {
  return before === undefined ? name : `${before}, ${name}`;
}
