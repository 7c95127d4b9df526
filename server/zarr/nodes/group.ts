/** An open group: its metadata. The hierarchy lists its members. */

import { nameOf } from '../../format/metadata/paths.js';
import type { NodeContext } from '../../chunks/node-context.js';
import type { GroupMeta } from '../../format/metadata/model.js';

export class ZarrGroup {
  readonly kind = 'group';

  constructor(
    readonly context: NodeContext,
    /** "/" for the root, otherwise a path such as "/a/b". */
    readonly path: string,
    readonly meta: GroupMeta,
    /** Version of the metadata; it changes whenever the metadata changes. */
    readonly version: string | undefined,
    /** Whether consolidated metadata, of this group or a parent group, lists the nodes below. */
    readonly consolidated: boolean,
  ) {}

  get name(): string {
    return nameOf(this.path);
  }
}
