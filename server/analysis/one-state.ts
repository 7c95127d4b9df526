/** Several reads that must be of one state of the stored objects. */
import {
  ConflictError,
  createStreamSession,
  objectName,
  type ErrorContext,
  type ReadObject,
  type SliceFoldOptions,
} from '../zarr/index.js';

export interface OneState {
  /** For every read. */
  readonly options: SliceFoldOptions;
  /** After a read. @throws ConflictError where an object has changed since an earlier one */
  check(): void;
}

/** @param where for messages */
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
