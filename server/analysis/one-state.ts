/** Ensures that several reads return the same state of the stored objects. */
import {
  ConflictError,
  createStreamSession,
  objectName,
  type ErrorContext,
  type ReadObject,
  type SliceFoldOptions,
} from '../zarr/index.js';

export interface OneState {
  /** Options for every read. */
  readonly options: SliceFoldOptions;
  /** Call it after the reads. @throws ConflictError if an object changed between two of them */
  check(): void;
}

/** @param where location of the read, for error messages */
export function inOneState(options: SliceFoldOptions, where: ErrorContext): OneState {
  const session = createStreamSession();
  let changed: ReadObject | undefined;
  return {
    options: {
      ...options,
      onVersion(object, version) {
        options.onVersion?.(object, version);
        if (!session.isUnchanged(objectName(object), version)) changed ??= object;
      },
    },
    check() {
      if (changed !== undefined)
        throw new ConflictError('the array was changed while it was being read; try again', {
          where: { ...where, ...changed },
        });
    },
  };
}
