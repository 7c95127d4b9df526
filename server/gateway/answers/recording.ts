/**
 * Records what a request depends on, so that its response can be remembered. The stores that the request reads report
 * what they tell, and its rights report what they permit. Everything else that a resolver can reach and that may change
 * refuses the recording when it is used.
 */
import type { OperationCost } from '../../resolvers/budget.js';
import { type CallerRights, seesEverything } from '../../resolvers/access/caller-rights.js';
import type { GatewayParts } from '../../resolvers/context.js';
import type { StoreModel } from '../../resolvers/models.js';
import type { NamedOperation } from '../pipeline/record-operations.js';
import { basisOf, BasisRecorder, recordedStore, type StoreBasis } from './basis.js';

/** A decision about a caller. */
interface Decision {
  readonly right: 'mayRead' | 'mayEnter';
  readonly store: string;
  readonly path: string;
  readonly isAllowed: boolean;
}

/** What a result depends on. */
export interface RecordedBasis {
  readonly stores: readonly StoreBasis[];
  readonly decisions: readonly Decision[];
  /** For the records of requests that receive the same response. */
  readonly operation: NamedOperation;
  readonly cost: OperationCost;
}

/** Maximum number of stores of a gateway, because each recording wraps all of them in one turn: 1 ms for a thousand. */
const MAX_STORES = 1000;
/** Maximum number of decisions, which every use of the response repeats. */
const MAX_DECISIONS = 1024;

export class Recording {
  readonly #stores: BasisRecorder[] = [];
  readonly #decisions = new Map<string, Decision>();
  #ended: Pick<RecordedBasis, 'operation' | 'cost'> | undefined;
  #isRefused = false;

  /** The request depends on something that cannot be compared later. */
  refuse(): void {
    this.#isRefused = true;
  }

  /** Whether the next recording of the same request would fail too. */
  get isRefused(): boolean {
    return this.#isRefused || this.#stores.some((store) => store.isRefused);
  }

  /** The result has no errors. A request has one operation; another one refuses the recording. */
  end({ operation, name }: NamedOperation, cost: OperationCost): void {
    if (this.#ended !== undefined) this.refuse();
    // Without the syntax tree, which would stay in memory.
    this.#ended = { operation: { operation, name: name && { value: name.value } }, cost };
  }

  /** Undefined if the response must not be remembered. */
  result(): RecordedBasis | undefined {
    if (this.#ended === undefined || this.isRefused || !this.#stores.every((store) => store.isUsable))
      return undefined;
    return { ...this.#ended, stores: this.#stores.map(basisOf), decisions: [...this.#decisions.values()] };
  }

  /** The gateway for a context whose reads are recorded. */
  partsOf(gateway: GatewayParts): GatewayParts {
    if (gateway.stores.size > MAX_STORES) {
      this.refuse();
      return gateway;
    }
    const refused = <T>(value: T): T => {
      this.refuse();
      return value;
    };
    const { version, limits, dataTypes, codecs, coordinates, results, memory } = gateway;
    const stores = new Map<string, StoreModel>();
    for (const [name, store] of gateway.stores) stores.set(name, this.#recorded(store));
    return {
      ...{ version, limits, dataTypes, codecs, coordinates, results, memory, stores },
      get changes() {
        return refused(gateway.changes);
      },
      get hrefs() {
        return refused(gateway.hrefs);
      },
      get jobs() {
        return refused(gateway.jobs);
      },
    };
  }

  /** The rights, whose decisions are recorded. */
  rightsOf(rights: CallerRights): CallerRights {
    if (seesEverything(rights)) return rights;
    const decide = (right: Decision['right'], store: string, path: string): boolean => {
      const isAllowed = rights[right](store, path);
      const name = JSON.stringify([right, store, path]);
      const known = this.#decisions.get(name);
      if (known === undefined) this.#decisions.set(name, { right, store, path, isAllowed });
      if (this.#decisions.size > MAX_DECISIONS || (known ?? { isAllowed }).isAllowed !== isAllowed)
        this.refuse();
      return isAllowed;
    };
    return {
      mayRead: (store, path) => decide('mayRead', store, path),
      mayEnter: (store, path) => decide('mayEnter', store, path),
      mayWrite: (store, path) => {
        this.refuse();
        return rights.mayWrite(store, path);
      },
      mayStartJobs: () => {
        this.refuse();
        return rights.mayStartJobs?.() === true;
      },
    };
  }

  /** A store that keeps its history has no versions of objects, but snapshots, and is not recorded. */
  #recorded({ hierarchy: whole, history, ...model }: StoreModel): StoreModel {
    let hierarchy: StoreModel['hierarchy'] | undefined;
    const open = (): StoreModel['hierarchy'] => {
      const recorder = new BasisRecorder(whole.store);
      this.#stores.push(recorder);
      return whole.through(recordedStore(recorder));
    };
    const recorded = {
      ...model,
      get hierarchy() {
        return (hierarchy ??= open());
      },
    };
    if (history === undefined) return recorded;
    const refuse = (): void => this.refuse();
    return {
      ...model,
      get hierarchy() {
        refuse();
        return whole;
      },
      get history() {
        refuse();
        return history;
      },
    };
  }
}

/** Whether the caller's rights decide as they did. */
export function decideAlike(decisions: readonly Decision[], rights: CallerRights): boolean {
  return decisions.every(({ right, store, path, isAllowed }) => rights[right](store, path) === isAllowed);
}
