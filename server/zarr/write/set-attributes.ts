/** Changes of attributes. */
import { attributeDocuments, changeAttributes, type AttributeChange } from '../metadata/attributes.js';
import type { NodeHome } from '../node-home.js';
import { assertAttributes } from './print-document.js';
import { settleChanges } from './settle-changes.js';
import { changeNode, type ChangeOptions } from './stored-node.js';

/** @throws InputError for values that are no JSON; otherwise as changeNode */
export async function setAttributes(
  home: NodeHome,
  prefix: string,
  change: AttributeChange,
  options: ChangeOptions,
): Promise<void> {
  assertAttributes(change.set);
  const { documents } = await changeNode(
    home,
    prefix,
    (meta) => attributeDocuments(meta, changeAttributes(meta.attributes, change)),
    options,
  );
  await settleChanges(home, [{ prefix, documents, kind: 'updated' }], options.signal);
}
