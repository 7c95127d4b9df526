import type { Command } from 'commander';

/**
 * Exits with 2 for invalid arguments, including those of subcommands, so that scripts can distinguish them from
 * failures.
 */
export function withUsageCode(command: Command): Command {
  return command.exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : 2);
  });
}

/** Removes the value after "=" from a message about an unknown option, because the value may be a secret. */
export function withoutValues(message: string): string {
  return message.replace(/(unknown option '[^=\n]*=)[^\n]*'/, "$1...'");
}
