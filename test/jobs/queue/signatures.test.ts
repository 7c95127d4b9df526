import { expect, test } from 'vitest';
import { createSignatures } from '../../../server/jobs/queue/signatures.js';

const [own, other] = [createSignatures(['old', 'new'], 'p'), createSignatures(['new'], 'p')];

test('a signed text is accepted for its subject, with any of the keys', () => {
  const signed = other.sign(['report', 'j', 1, 2], '{"done":[]}');
  expect(own.verify(['report', 'j', 1, 2], signed)).toBe('{"done":[]}');
  expect(signed).not.toBe(own.sign(['report', 'j', 1, 2], '{"done":[]}'));
});

test.each([
  ['another subject', ['report', 'j', 1, 3], (text: string) => text],
  ['another text', ['report', 'j', 1, 2], (text: string) => `${text} `],
  [
    'a changed signature',
    ['report', 'j', 1, 2],
    (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`,
  ],
  ['no signature', ['report', 'j', 1, 2], (text: string) => text.slice(43)],
  ['nothing', ['report', 'j', 1, 2], () => ''],
])('%s is refused', (_, subject, change) => {
  const signed = own.sign(['report', 'j', 1, 2], '{"done":[]}');
  expect(() => own.verify(subject, change(signed))).toThrow('the same hrefKeys');
});

test('keys of another prefix are others, and without keys nothing is signed', () => {
  const signed = own.sign(['job', 'j'], 'x');
  expect(() => createSignatures(['old'], 'q').verify(['job', 'j'], signed)).toThrow('the same hrefKeys');
  const none = createSignatures([], 'p');
  expect(none.verify(['job', 'j'], none.sign(['job', 'j'], 'x'))).toBe('x');
});
