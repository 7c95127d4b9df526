/** The panel of stores next to GraphiQL: one script, which the build writes to dist/explorer. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Next to dist/server, even if this program runs from its sources. */
const BUILT = fileURLToPath(
  new URL(
    `${import.meta.url.endsWith('.ts') ? '../../dist' : '../..'}/explorer/graphiql-panel.js`,
    import.meta.url,
  ),
);

/** @returns undefined if it was not built: GraphiQL then has no panel */
export function readGraphiqlPanel(path = BUILT): string | undefined {
  if (!existsSync(path)) return undefined;
  // The end of an HTML script.
  return readFileSync(path, 'utf8').replaceAll('</script', String.raw`<\/script`);
}
