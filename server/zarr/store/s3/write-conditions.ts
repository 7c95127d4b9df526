/** `If-Match` and `If-None-Match` of writes. */
import { ConflictError } from '../../errors.js';
import type { WriteCondition } from '../store.js';
import type { Refusal } from './failure.js';

/** As the SDK's requests take them. */
export interface Conditions {
  readonly IfMatch?: string;
  readonly IfNoneMatch?: '*';
}

/** @throws ConflictError where no object can have the version expected */
export function conditionsOf(condition: WriteCondition | undefined): Conditions {
  const { ifMatch, ifAbsent } = condition ?? {};
  if (ifMatch !== undefined && !ifMatch.endsWith('"')) throw new ConflictError(changed);
  return {
    ...(ifMatch === undefined ? {} : { IfMatch: ifMatch }),
    ...(ifAbsent === true ? { IfNoneMatch: '*' } : {}),
  };
}

const changed = 'the object was changed by somebody else in between; read it anew';

/** What a refusal of a conditional request means, where it is the condition's. */
export function judgeCondition(conditions: Conditions): (refusal: Refusal) => Error | undefined {
  return ({ status, code }) => {
    const isGone = conditions.IfMatch !== undefined && status === 404 && code !== 'NoSuchBucket';
    if (status !== 412 && !isGone) return undefined;
    return new ConflictError(
      conditions.IfNoneMatch === undefined ? changed : 'there is an object of that key already',
    );
  };
}
