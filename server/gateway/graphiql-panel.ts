/** The panel of stores beside GraphiQL: one script, which the build leaves in dist/explorer. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside dist/server, also when this program runs from its sources. */
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
