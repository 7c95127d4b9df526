/** Direct reads on Node. `#direct-reads` in package.json selects this file or no-direct.ts. */
import { DirectRead } from './direct-read.js';

export { chooseDirect } from './choose.js';

export function createDirectRead(...options: ConstructorParameters<typeof DirectRead>): DirectRead {
  return new DirectRead(...options);
}
