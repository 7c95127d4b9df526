/** A gateway cannot be called without a caller. Checked by tsc. */
import { createClient } from '../../client/index.js';
import {
  type CallerRights,
  fullAccess,
  type Gateway,
  type OperationHttpRequest,
} from '../../server/index.js';

export async function check(gateway: Gateway, operation: OperationHttpRequest): Promise<void> {
  const request = new Request('http://localhost/graphql');
  // @ts-expect-error -- no caller
  await gateway.fetch(request);
  // @ts-expect-error -- no caller
  await gateway.execute({ document: '{ __typename }' });
  // @ts-expect-error -- no caller
  await gateway.handleOperation(operation);
  // @ts-expect-error -- no caller
  await gateway.handlePage({ query: '', ifNoneMatch: undefined });
  // @ts-expect-error -- no caller
  gateway.as();
  // @ts-expect-error -- a gateway without a caller
  createClient({ gateway });
  // @ts-expect-error -- a right is missing
  const noWriting: CallerRights = { mayRead: () => true, mayEnter: () => true };
  // @ts-expect-error -- a promise is truthy, and not true
  const late: CallerRights = { ...noWriting, mayWrite: async () => false };
  createClient({ gateway: gateway.as(fullAccess) });
  createClient({ gateway: gateway.as(late) });
}
