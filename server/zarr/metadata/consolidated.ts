/**
 * Writes consolidated metadata: the documents of all nodes below a group in one document.
 * `consolidated-scan.ts` describes the two forms.
 */
import type { JsonObject } from '../bytes/json.js';

/** `.zmetadata` without members. */
export const emptyConsolidatedV2: JsonObject = { zarr_consolidated_format: 1, metadata: {} };

/** A v3 group's document with consolidated metadata that has no members. */
export function withEmptyConsolidated(group: JsonObject): JsonObject {
  return { ...group, consolidated_metadata: { kind: 'inline', must_understand: false, metadata: {} } };
}

/**
 * A v3 document without consolidated metadata. If it cannot be updated, it is removed, because stale
 * metadata would be worse.
 */
export function withoutConsolidated(document: JsonObject): JsonObject {
  if (!('consolidated_metadata' in document)) return document;
  const { consolidated_metadata: _, ...rest } = document;
  return rest;
}
