import { expect, test } from 'vitest';
import { readTar } from './read-tar.js';

/** A POSIX header, followed by the file padded to whole blocks. */
function entry(name: string, bytes: Buffer, type = '0'): Buffer {
  const header = Buffer.alloc(512);
  header.write(name.slice(-100), 0);
  header.write(name.length > 100 ? name.slice(0, -101) : '', 345);
  header.write(bytes.length.toString(8).padStart(11, '0'), 124);
  header.write('        ', 148);
  header.write(type, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
const end = Buffer.alloc(1024);

test('entries have their names and bytes', () => {
  const long = `${'folder/'.repeat(10)}${'x'.repeat(100)}`;
  const archive = Buffer.concat([
    entry('é/a', Buffer.from('first')),
    entry('empty', Buffer.alloc(0)),
    entry(long, Buffer.alloc(512, 1)),
    end,
  ]);
  expect(
    [...readTar(archive)].map(({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1')]),
  ).toEqual([
    ['é/a', 'first'],
    ['empty', ''],
    [long, '\x01'.repeat(512)],
  ]);
});

test.each([
  ['a damaged header', Buffer.concat([entry('a', Buffer.from('x')).fill(1, 0, 1), end]), /damaged/],
  ['a link', Buffer.concat([entry('a', Buffer.alloc(0), '2'), end]), /expected a file/],
  ['a truncated file', entry('a', Buffer.alloc(600)).subarray(0, 700), /truncated/],
  ['an archive without an end marker', entry('a', Buffer.alloc(0)), /no end marker/],
])('%s is an error', (_, archive, message) => {
  expect(() => [...readTar(archive)]).toThrow(message);
});
