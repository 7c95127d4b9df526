/**
 * Messages to systemd (sd_notify) if it has started the process with `Type=notify`. Node has no datagram sockets of unix,
 * and a native module would need a compiler, so that systemd's own program sends them; the unit needs `NotifyAccess=all`.
 */
import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

export interface SystemdNotifier {
  /** Resolves when the message was sent, or could not be. */
  notify(...assignments: readonly string[]): Promise<void>;
  /** Sends keep-alive messages, if the unit has `WatchdogSec`. A blocked event loop sends none. */
  watch(): void;
}

const none: SystemdNotifier = { notify: () => Promise.resolve(), watch: () => {} };

/** @param onFailure called once if messages cannot be sent */
export function createSystemdNotifier(
  env: Environment,
  onFailure: (error: unknown) => void,
  program = 'systemd-notify',
): SystemdNotifier {
  if (env['NOTIFY_SOCKET'] === undefined) return none;
  let hasFailed = false;
  const notify = (...assignments: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      const child = spawn(program, assignments, { stdio: 'ignore' });
      const fail = (error: unknown): void => {
        if (!hasFailed) onFailure(error);
        hasFailed = true;
        resolve();
      };
      child.once('error', fail);
      child.once('exit', (code) =>
        code === 0 ? resolve() : fail(new Error(`${program} exited with ${code}`)),
      );
    });
  return {
    notify,
    watch() {
      const micros = Number(env['WATCHDOG_USEC'] ?? 0);
      const isOurs = env['WATCHDOG_PID'] === undefined || Number(env['WATCHDOG_PID']) === process.pid;
      if (!isOurs || !(micros > 0)) return;
      // Half of the time, as sd_watchdog_enabled(3) recommends.
      setInterval(() => void notify('WATCHDOG=1'), Math.max(100, micros / 2000)).unref();
    },
  };
}

/** The message that a reload begins, with the time that `Type=notify-reload` requires. */
export function reloading(): string[] {
  return ['RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`];
}
