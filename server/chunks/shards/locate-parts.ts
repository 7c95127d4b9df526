/** Locates inner chunks as ranges of files, for direct reads. */
import { defined } from '../../../wire/guards.js';
import type { Store, LocatedPart, LocatedParts } from '../../store/store.js';
import { createPause } from '../../core/turns.js';
import type { LocatedChunks, InnerReadOptions } from './locate.js';

/** @param find locates chunks of one shard by their index entries */
export async function locateParts(
  base: Store,
  keys: readonly { readonly object: string; readonly entries: readonly number[] }[],
  find: (
    object: string,
    entries: readonly (readonly number[])[],
  ) => Promise<LocatedChunks | 'unchanged' | 'absent'>,
  options?: InnerReadOptions,
): Promise<LocatedParts | undefined> {
  const byObject = new Map<string, number[]>();
  keys.forEach(({ object }, i) => {
    const list = byObject.get(object);
    if (list === undefined) byObject.set(object, [i]);
    else list.push(i);
  });
  const objects = [...byObject.keys()];
  const located = await base.locate?.(objects, options);
  if (located === undefined) return undefined;
  const parts = new Array<LocatedPart>(keys.length).fill(undefined);
  const pause = createPause();
  await Promise.all(
    objects.map(async (object, o) => {
      const shard = located.parts[o];
      const list = byObject.get(object) ?? [];
      if (shard === undefined) return;
      const found = await find(
        object,
        list.map((i) => keys[i]?.entries ?? []),
      );
      if (found === 'absent') options?.onLacking?.(object, undefined);
      else if (found !== 'unchanged' && found.extents.includes(undefined))
        options?.onLacking?.(object, found.version);
      for (let at = 0; at < list.length; at++) {
        parts[defined(list[at])] = partOf(shard, found, at);
        const pausing = pause();
        if (pausing !== undefined) await pausing;
      }
    }),
  );
  return { files: located.files, parts };
}

function partOf(shard: LocatedPart, found: LocatedChunks | 'unchanged' | 'absent', at: number): LocatedPart {
  if (found === 'absent') return 'absent';
  if (found === 'unchanged' || found.version === undefined || shard === undefined || shard === 'absent')
    return undefined;
  const extent = found.extents[at];
  if (extent === undefined) return 'absent';
  // The index belongs to another version of the object.
  if (shard.version !== undefined && shard.version !== found.version) return undefined;
  return {
    ...shard,
    offset: shard.offset + extent.offset,
    length: extent.length,
    fileVersion: shard.fileVersion ?? found.version,
    version: found.version,
    // The checksum of the whole shard does not apply to a part of it.
    crc: undefined,
  };
}
