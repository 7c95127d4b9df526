import type { Command } from 'commander';

/** Mistakes of the command line end with 2, so that scripts can tell them from failures; for commands within, too. */
export function withUsageCode(command: Command): Command {
  return command.exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : 2);
  });
}
