/** The location of a node, in errors. */
interface Where {
  readonly store?: string;
  readonly path?: string;
}

/** The caller may see the node, but lacks the right for this operation. */
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
