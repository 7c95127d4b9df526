/** The configuration is wrong. The message names every option that is, where its value came from, and what would do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One line a mistake. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.problems = problems;
  }
}
