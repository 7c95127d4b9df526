/** Refusals that are about who asks, not about data. */

/** What a node is called in an error. */
interface Where {
  readonly store?: string;
  readonly path?: string;
}

/** The caller may know of this, but not do it. */
export class ForbiddenError extends Error {
  override readonly name = 'ForbiddenError';
  readonly code = 'FORBIDDEN';

  constructor(
    message: string,
    readonly where: Where = {},
  ) {
    super(message);
  }
}
