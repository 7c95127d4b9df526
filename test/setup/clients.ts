/** Before any test runs: installs the clients of other projects in test/clients, unless they are up to date. */
import { join } from 'node:path';
// @ts-expect-error a script without types
import { installIn } from '../../scripts/installed.mjs';

export function setup(): void {
  try {
    installIn(join(import.meta.dirname, '../clients'));
  } catch (error) {
    if (process.env['ZARRQL_REQUIRE_ALL'] === '1') throw error;
    console.warn(`test/clients cannot be installed, so that tests of other clients fail: ${String(error)}`);
  }
}
