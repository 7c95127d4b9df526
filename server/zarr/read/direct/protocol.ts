/** Messages of direct reads. Everything is structured-cloneable. */
import type { DataType } from '../../dtype/data-type.js';
import type { ElementTransform } from '../transform/element-transform.js';
import type { ResolvedSelection } from '../../selection/selection.js';
import type { FolderAccess } from '../../store/store.js';
import type { ReduceRule } from '../reduce/partial.js';

/** A plan as plain data, from which a thread derives the tasks with the same code. */
export interface SharedPlan {
  /** Shape of the array, and of its innermost chunks. */
  readonly arrayShape: readonly number[];
  readonly chunkShape: readonly number[];
  /** See `InnerChunkLayout`. */
  readonly axes: readonly number[];
  readonly dtype: DataType;
  readonly transform: ElementTransform | undefined;
  readonly selection: ResolvedSelection;
}

/** How decoded chunks are processed. */
export type Destination =
  /** The result itself, in shared memory. */
  | { readonly kind: 'result'; readonly bytes: Uint8Array }
  /**
   * Slots from which the owner of the read copies: see `ring.ts`. The thread keeps the memory: each message would make it
   * count the slots again, and collect garbage.
   */
  | { readonly kind: 'ring'; readonly ring: number; readonly memory: SharedArrayBuffer | undefined }
  /** Chunks are reduced, and the reply contains the partial results. */
  | { readonly kind: 'partials'; readonly rule: ReduceRule };

/** Starts a read on a thread. */
export interface OpenMessage {
  readonly chain: number;
  readonly plan: SharedPlan;
  readonly access: FolderAccess;
  /** Maximum stored bytes of a chunk. */
  readonly maxBytes: number;
  readonly destination: Destination;
  /** See `bell.ts`. */
  readonly bell: SharedArrayBuffer;
}

/** A window of tasks that the threads of a read share: see `window.ts`. */
export interface WindowMessage {
  readonly kind: 'direct-window';
  readonly id: number;
  readonly read: number;
  /** Sent with the first window of a read. */
  readonly open: OpenMessage | undefined;
  readonly window: SharedWindow;
  /** Other reads that have ended. */
  readonly closed: readonly number[];
}

export interface CloseMessage {
  readonly kind: 'direct-close';
  readonly reads: readonly number[];
}

export interface SharedWindow {
  /** The window's number within the read. */
  readonly number: number;
  /** Paths of files relative to the folder. */
  readonly files: readonly string[];
  /** The required version of each file; undefined for any. */
  readonly versions: readonly (string | undefined)[];
  readonly rank: number;
  readonly tasks: number;
  readonly chunks: number;
  readonly memory: SharedArrayBuffer;
}

/** A thread has finished its share of a window. */
export interface WindowReply {
  readonly id: number;
  /** Versions of the files that were read without a required version. */
  readonly versions: readonly (readonly [file: number, version: string])[];
  readonly partials: readonly (readonly [at: number, partial: unknown])[];
}

/** Wakes the owner of the read: the ring has a filled slot. */
export interface WakeMessage {
  readonly wake: number;
}
