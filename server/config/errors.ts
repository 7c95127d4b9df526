/**
 * The configuration is invalid. The message lists every invalid option with the source of its value and the
 * expected form.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One line per problem. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.problems = problems;
  }
}
