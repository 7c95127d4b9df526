/** What distinguishes one service of buckets from another; `create-cloud-store.ts` makes stores of them. */
import type { Effort } from '../deadline.js';
import type { Sent, StoreExchange } from '../http/exchange.js';
import type { HttpTransport, TransportRequest } from '../http/transport.js';
import type { ListedPage } from '../list-pages.js';
import type { StoreKind, WriteCondition } from '../store.js';

/** Sends requests with the credentials of the store. */
export interface CloudConnection {
  /**
   * Sends a request. If the server requires other credentials, they are renewed, once.
   * @throws TransientFailure for network errors and timeouts; StoreDeniedError without credentials; AbortedError
   */
  send(request: CloudRequest): Promise<Sent>;
  close(): void;
}

export type CloudRequest = Omit<TransportRequest, 'timeouts'>;

/** Adds credentials to requests. */
export interface Authorization {
  /** Returns the address and the headers with credentials. @throws StoreDeniedError if there are none */
  authorize(request: CloudRequest): Promise<Pick<CloudRequest, 'address' | 'headers'>>;
  /** Discards what was cached. @returns false if renewal cannot help */
  renew(): boolean;
}

export type OpenTransport = () => Promise<HttpTransport>;

export interface CloudPage extends ListedPage {
  /** Undefined at the end. */
  readonly next: string | undefined;
}

export interface CloudService {
  readonly kind: StoreKind;
  /** Whether listings are in code point order of the keys. */
  readonly isSorted: boolean;
  /** For reads of objects. Versions are ETags in quotes. */
  readonly exchange: StoreExchange;
  readonly addressOf: (key: string) => URL;
  /** The next functions make one attempt. @throws TransientFailure if a retry may succeed; ConflictError; store errors */
  readonly list: (
    prefix: string,
    delimiter: '/' | undefined,
    token: string | undefined,
    effort: Pick<Effort, 'signal'>,
  ) => Promise<CloudPage>;
  readonly put: (
    key: string,
    bytes: Uint8Array,
    condition: WriteCondition | undefined,
    effort: Pick<Effort, 'signal'>,
  ) => Promise<string>;
  /** Deletes an object, and ignores an absent one, unless a version is required. */
  readonly remove: (
    key: string,
    ifMatch: string | undefined,
    effort: Pick<Effort, 'signal'>,
  ) => Promise<void>;
  readonly close: () => void;
}
