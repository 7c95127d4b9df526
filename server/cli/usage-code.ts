import type { Command } from 'commander';

/** Mistakes of the command line end with 2, so that scripts can tell them from failures; for commands within, too. */
export function withUsageCode(command: Command): Command {
  return command.exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : 2);
  });
}

/** The message about an unknown option without the value behind "=": a secret may stand there, at a mistyped name. */
export function withoutValues(message: string): string {
  return message.replace(/(unknown option '[^=\n]*=)[^\n]*'/, "$1...'");
}
