/** A gateway cannot be called without a caller. Nothing here runs: tsc checks it with everything else. */
import { createClient } from '../../client/index.js';
import { type CallerRights, fullAccess, type Gateway, type PostedQuery } from '../../server/index.js';

export async function check(gateway: Gateway, posted: PostedQuery): Promise<void> {
  const request = new Request('http://localhost/graphql');
  // @ts-expect-error -- no caller
  await gateway.fetch(request);
  // @ts-expect-error -- no caller
  await gateway.fetchOperation(request);
  // @ts-expect-error -- no caller
  await gateway.execute({ document: '{ __typename }' });
  // @ts-expect-error -- no caller
  await gateway.answerKnown(posted);
  // @ts-expect-error -- no caller
  await gateway.answerPage({ query: '', ifNoneMatch: undefined });
  // @ts-expect-error -- no caller
  gateway.as();
  // @ts-expect-error -- a gateway without a caller
  createClient({ gateway });
  // @ts-expect-error -- a right is missing
  const noWriting: CallerRights = { mayRead: () => true, mayEnter: () => true };
  // @ts-expect-error -- a promise is truthy, and no answer
  const late: CallerRights = { ...noWriting, mayWrite: async () => false };
  createClient({ gateway: gateway.as(fullAccess) });
  createClient({ gateway: gateway.as(late) });
}
