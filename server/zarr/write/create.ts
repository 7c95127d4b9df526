/** Creates groups and arrays from requests. */
import { dataTypeName } from '../../core/dtype/data-type.js';
import { sameShape } from '../../core/bytes/shape.js';
import type { JsonObject } from '../../core/bytes/json.js';
import { sameType } from '../../core/dtype/cast-block.js';
import { geometryOf, innerChunkLayout } from '../../format/plan/layout.js';
import { LimitError } from '../../core/errors.js';
import type { Limits } from '../../core/limits.js';
import { createArrayDocuments, createGroupDocuments } from '../../format/metadata/create.js';
import type { CreateArrayRequest } from '../../format/metadata/create-request.js';
import type { ArrayMeta } from '../../format/metadata/model.js';
import type { NodeContext } from '../../chunks/node-context.js';
import { exceededLimits, readCost } from '../../format/plan/cost.js';
import { SettledConflictError } from '../../chunks/write/retry-conflicts.js';
import { createNode, type CreateOptions } from './create-node.js';
import { assertAttributes } from './print-document.js';
import { metaOf } from './stored-node.js';

export interface CreateGroupOptions extends CreateOptions {
  readonly attributes?: JsonObject | undefined;
}

/**
 * @throws errors from `createNode`; InputError for attributes that are not JSON, and for v1, which has no
 * groups
 */
export async function createGroup(
  context: NodeContext,
  prefix: string,
  options: CreateGroupOptions,
): Promise<void> {
  assertAttributes(options.attributes);
  const documents = (format: 1 | 2 | 3) => createGroupDocuments(format, options.attributes);
  await createNode(context, prefix, { kind: 'group', documents, assertAlike: () => undefined }, options);
}

/**
 * @throws errors from `createNode`; InputError or UnsupportedError if the request is invalid or the format
 * does not support it; LimitError if the chunks are too large to read
 */
export async function createArray(
  context: NodeContext,
  prefix: string,
  request: CreateArrayRequest,
  options: CreateOptions,
): Promise<void> {
  assertAttributes(request.attributes);
  await createNode(
    context,
    prefix,
    {
      kind: 'array',
      documents(format) {
        const { documents, meta } = createArrayDocuments(request, format, context.registry);
        assertReadable(meta, context.limits);
        return documents;
      },
      assertAlike(node) {
        const kept = metaOf(node, context);
        const wanted = createArrayDocuments(request, node.format ?? 3, context.registry).meta;
        if (kept.kind !== 'array') return;
        if (sameShape(kept.shape, wanted.shape) && sameType(kept.dtype, wanted.dtype)) return;
        throw new SettledConflictError(
          `the existing array is [${kept.shape.join(', ')}] of ${dataTypeName(kept.dtype)}, not [${wanted.shape.join(', ')}] of ${dataTypeName(wanted.dtype)}`,
        );
      },
    },
    options,
  );
}

/** @throws LimitError if chunks or shard indexes are so large that a single element could not be read */
function assertReadable({ grid, chain, dtype }: ArrayMeta, limits: Limits): void {
  const layout = 'unsupported' in chain ? geometryOf(grid, dtype) : innerChunkLayout(grid, chain);
  const first = { kind: 'range', start: 0, step: 1, count: 1, dropped: false } as const;
  const cost = readCost(layout, dtype, { kind: 'box', dims: grid.dims.map(() => first) });
  const excess = exceededLimits({ ...cost, allocatedBytes: 0 }, limits);
  const [exceeded] = excess;
  if (exceeded === undefined) return;
  throw new LimitError(
    `the chunks are too large to read: one element requires ${exceeded.needed}, but ${exceeded.limit} allows ${exceeded.allowed}; use smaller chunks`,
    { excess },
  );
}
