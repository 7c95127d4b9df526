/** Messages of a direct read: threads read, decode and place chunks by themselves. Everything is structured-cloneable. */
import type { DataType } from '../../dtype/data-type.js';
import type { ElementTransform } from '../transform/element-transform.js';
import type { ResolvedSelection } from '../../selection/selection.js';
import type { FolderAccess } from '../../store/store.js';
import type { ReduceRule } from '../reduce/partial.js';

/** A plan as plain data: a thread derives the tasks from it by the same code. */
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

/** What becomes of decoded chunks. */
export type Destination =
  /** The result itself, in shared memory. */
  | { readonly kind: 'result'; readonly bytes: Uint8Array }
  /** Slots from which the owner of the read copies: see `ring.ts`. */
  | { readonly kind: 'ring'; readonly ring: SharedArrayBuffer }
  /** They are reduced, and the partial results are part of the reply. */
  | { readonly kind: 'partials'; readonly rule: ReduceRule };

/** Begins a read on a thread. */
export interface OpenMessage {
  readonly kind: 'direct-open';
  readonly read: number;
  readonly chain: number;
  readonly plan: SharedPlan;
  readonly access: FolderAccess;
  /** Stored bytes that one chunk may have. */
  readonly maxBytes: number;
  readonly destination: Destination;
}

/** Some tasks of a read, which its threads share: see `window.ts`. */
export interface WindowMessage {
  readonly kind: 'direct-window';
  readonly id: number;
  readonly read: number;
  readonly window: SharedWindow;
}

export interface CloseMessage {
  readonly kind: 'direct-close';
  readonly read: number;
}

export interface SharedWindow {
  /** Its number within the read. */
  readonly number: number;
  /** Files below the folder. */
  readonly files: readonly string[];
  /** The version that each file must have; undefined: any. */
  readonly versions: readonly (string | undefined)[];
  readonly rank: number;
  readonly tasks: number;
  readonly chunks: number;
  readonly memory: SharedArrayBuffer;
}

/** A thread has done its share of a window. */
export interface WindowReply {
  readonly id: number;
  /** Versions of the files that were read without expecting one. */
  readonly versions: readonly (readonly [file: number, version: string])[];
  readonly requests: number;
  readonly bytes: number;
  readonly partials: readonly (readonly [at: number, partial: unknown])[];
}

/** The owner of the read waits, and there is something for it in the ring. */
export interface WakeMessage {
  readonly wake: number;
}
