/** Applies element transforms to whole blocks. */
import { sizeOf } from '../../bytes/shape.js';
import type { Block } from '../../dtype/data-type.js';
import { UnsupportedError } from '../../errors.js';
import { applyTransform, tryTransform } from './apply-transform.js';
import type { ElementTransform } from './element-transform.js';

/**
 * @returns a new block; if only the type changes, it shares the bytes
 * @throws UnsupportedError for types of variable length; errors of `applyTransform`
 */
export function transformBlock(transform: ElementTransform, block: Block): Block {
  const { dtype } = transform;
  const source = fixedBytes(block);
  if (transform.kind === 'copy') return { dtype, shape: block.shape, bytes: source };
  const bytes = new Uint8Array(sizeOf(block.shape) * dtype.itemSize);
  applyTransform(transform, source, bytes);
  return { dtype, shape: block.shape, bytes };
}

/** Like `transformBlock`; undefined if the target type cannot represent a value. */
export function tryTransformBlock(transform: ElementTransform, block: Block): Block | undefined {
  const { dtype } = transform;
  const bytes = new Uint8Array(sizeOf(block.shape) * dtype.itemSize);
  const problem = tryTransform(transform, fixedBytes(block), bytes);
  return problem === undefined ? { dtype, shape: block.shape, bytes } : undefined;
}

function fixedBytes(block: Block): Uint8Array {
  if ('bytes' in block) return block.bytes;
  throw new UnsupportedError(`values of type ${block.dtype.name} are not numbers`);
}
