/**
 * Records what a request depends on, so that its response can be remembered. The stores that the request reads report
 * what they tell, and its rights report what they permit. Everything else that a resolver can reach and that may change
 * refuses the recording when it is used.
 */
import type { OperationCost } from '../../resolvers/budget.js';
import { type CallerRights, seesEverything } from '../../resolvers/access/caller-rights.js';
import type { GatewayParts } from '../../resolvers/context.js';
import type { StoreHistory, StoreModel } from '../../resolvers/models.js';
import type { NamedOperation } from '../pipeline/record-operations.js';
import {
  basisOf,
  BasisRecorder,
  documentsOnly,
  recordedStore,
  type SnapshotBasis,
  type StoreBasis,
} from './basis.js';

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
  readonly snapshots: readonly SnapshotBasis[];
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
  readonly #snapshots = new Map<StoreHistory, string>();
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
    return {
      ...this.#ended,
      stores: this.#stores.map(basisOf),
      snapshots: Array.from(this.#snapshots, ([history, snapshot]) => ({ history, snapshot })),
      decisions: [...this.#decisions.values()],
    };
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

  #recorded(store: StoreModel): StoreModel {
    const { hierarchy: whole, history, ...model } = store;
    if (history !== undefined) return this.#withSnapshots(store, history);
    let hierarchy: StoreModel['hierarchy'] | undefined;
    const open = (): StoreModel['hierarchy'] => {
      const recorder = new BasisRecorder(whole.store);
      this.#stores.push(recorder);
      return whole.through(recordedStore(recorder));
    };
    return {
      ...model,
      get hierarchy() {
        return (hierarchy ??= open());
      },
    };
  }

  /** A store that keeps its history. Requests read the snapshot that it shows when they begin. */
  #withSnapshots(store: StoreModel, history: StoreHistory): StoreModel {
    const refuse = (): void => this.refuse();
    const { hierarchy, ...model } = store;
    const recorded: StoreHistory = {
      ...history,
      resolve: async (ref, options) => {
        if (ref !== undefined || options?.fresh === true) refuse();
        const snapshot = await history.resolve(ref, options);
        if ((this.#snapshots.get(history) ?? snapshot) !== snapshot) refuse();
        this.#snapshots.set(history, snapshot);
        return snapshot;
      },
      at: (snapshot) => {
        // Others may be deleted when nothing refers to them.
        if (this.#snapshots.get(history) !== snapshot) refuse();
        const shown = { ...history.at(snapshot), history: recorded };
        if (history.readsOtherFiles !== true) return shown;
        const { hierarchy: fixed } = shown;
        return { ...shown, hierarchy: fixed.through(documentsOnly(fixed.store, refuse)) };
      },
      branches: (options) => {
        refuse();
        return history.branches(options);
      },
      tags: (options) => {
        refuse();
        return history.tags(options);
      },
      history: (query, options) => {
        refuse();
        return history.history(query, options);
      },
      diff: (from, to, options) => {
        refuse();
        return history.diff(from, to, options);
      },
    };
    return {
      ...model,
      history: recorded,
      get hierarchy() {
        refuse();
        return hierarchy;
      },
    };
  }
}

/** Whether the caller's rights decide as they did. */
export function decideAlike(decisions: readonly Decision[], rights: CallerRights): boolean {
  return decisions.every(({ right, store, path, isAllowed }) => rights[right](store, path) === isAllowed);
}
