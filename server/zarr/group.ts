/** An open group: its metadata. What lies below it is the hierarchy's to list. */

import { nameOf } from './metadata/paths.js';
import type { NodeHome } from './node-home.js';
import type { GroupMeta } from './metadata/model.js';

export class ZarrGroup {
  readonly kind = 'group';

  constructor(
    readonly home: NodeHome,
    /** "/" for the root, else "/a/b". */
    readonly path: string,
    readonly meta: GroupMeta,
    /** Changes with the metadata. */
    readonly version: string | undefined,
    /** What lies below is known from consolidated metadata, its own or that of a group above. */
    readonly consolidated: boolean,
  ) {}

  get name(): string {
    return nameOf(this.path);
  }
}
