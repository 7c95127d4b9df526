/** Changes attributes. */
import { attributeDocuments, changeAttributes, type AttributeChange } from '../metadata/attributes.js';
import type { AnyMeta } from '../metadata/model.js';
import type { NodeContext } from '../node-context.js';
import { assertAttributes } from './print-document.js';
import { settled, tellChanges } from './settle-changes.js';
import { changeNode, type ChangeOptions } from './stored-node.js';

/** @throws InputError for values that are not JSON; errors of `changeNode` */
export async function setAttributes(
  context: NodeContext,
  prefix: string,
  change: AttributeChange,
  options: ChangeOptions,
): Promise<void> {
  assertAttributes(change.set);
  const edit = (meta: AnyMeta) => attributeDocuments(meta, changeAttributes(meta.attributes, change));
  await settled(context, prefix, (begin) => changeNode(context, prefix, edit, options, begin));
  tellChanges(context, [{ prefix, kind: 'updated' }]);
}
