/** `If-Match` and `If-None-Match` of writes. */
import { ConflictError } from '../../core/errors.js';
import type { WriteCondition } from '../store.js';
import type { Refusal } from './failure.js';

/** Parameters of the AWS SDK's requests. */
export interface Conditions {
  readonly IfMatch?: string;
  readonly IfNoneMatch?: '*';
}

/** @throws ConflictError if no object can have the expected version */
export function conditionsOf(condition: WriteCondition | undefined): Conditions {
  const { ifMatch, ifAbsent } = condition ?? {};
  if (ifMatch !== undefined && !ifMatch.endsWith('"')) throw new ConflictError(CHANGED);
  return {
    ...(ifMatch === undefined ? {} : { IfMatch: ifMatch }),
    ...(ifAbsent === true ? { IfNoneMatch: '*' } : {}),
  };
}

const CHANGED = 'another writer has changed the object; read it again';

/** @returns the error of a conditional request that failed because of its condition; else undefined */
export function judgeCondition(conditions: Conditions): (refusal: Refusal) => Error | undefined {
  return ({ status, code }) => {
    const isGone = conditions.IfMatch !== undefined && status === 404 && code !== 'NoSuchBucket';
    if (status !== 412 && !isGone) return undefined;
    return new ConflictError(
      conditions.IfNoneMatch === undefined ? CHANGED : 'an object with that key already exists',
    );
  };
}

/** Adds the quotes that some servers omit in ETags. */
export function quotedTag(tag: string): string {
  return tag.endsWith('"') ? tag : `"${tag}"`;
}
