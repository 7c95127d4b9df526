import { expect, test } from 'vitest';
import { chooseMediaType } from '../../server/transport/accept.js';

const json = 'application/json';
const response = 'application/graphql-response+json';

test.each([
  [null, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  ['application/json', json],
  ['application/graphql-response+json', response],
  ['application/graphql-response+json, application/json', response],
  ['application/json, application/graphql-response+json', json],
  ['application/json;q=0.5, application/graphql-response+json', response],
  ['application/json; q=0.5, */*; q=0.1', json],
  ['application/graphql-response+json;q=0, */*', json],
  ['APPLICATION/JSON ; charset=UTF-8', json],
  ['application/json; charset="utf-8"', json],
  ['application/json; charset=latin1', undefined],
  ['text/html', undefined],
  ['application/json;q=0', undefined],
  ['text/event-stream, text/*', undefined],
  ['nonsense', undefined],
])('of %j', (accept, expected) => {
  expect(chooseMediaType(accept, [json, response])).toBe(expected);
});
