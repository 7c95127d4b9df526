/** Paths of levels, which are relative to the group and must not leave it. */
import { broken, type Place, textOf } from './json.js';
import type { JsonValue } from '../../zarr/index.js';

/** @returns the path in the store. @throws MetadataError for a path that is absolute or leaves the group */
export function levelPath(group: string, json: JsonValue | undefined, place: Place): string {
  const relative = textOf(json, place);
  if (relative === '.') return group;
  const isInside = relative.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isInside) throw broken(place, 'a path below the group, without "..", "." and empty parts');
  return group === '/' ? `/${relative}` : `${group}/${relative}`;
}
