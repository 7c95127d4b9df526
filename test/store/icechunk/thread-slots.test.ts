/** Bound of the threads of all repositories: who starts, who waits, who is ended. */
import { expect, test } from 'vitest';
import { ThreadSlots } from '../../../server/store/icechunk/thread-slots.js';

function create(max: number) {
  const slots = new ThreadSlots(max);
  const log: string[] = [];
  const holders = new Map<string, object>();
  const holder = (name: string): object => {
    const known = holders.get(name) ?? {};
    holders.set(name, known);
    return known;
  };
  return {
    log,
    take: (name: string) => slots.take(holder(name), () => log.push(`begin ${name}`)),
    rest: (name: string) =>
      slots.rest(holder(name), () => {
        log.push(`end ${name}`);
        slots.release(holder(name));
      }),
    work: (name: string) => slots.work(holder(name)),
    release: (name: string) => slots.release(holder(name)),
  };
}

test('the least recently used idle holder makes way', () => {
  const { log, take, rest, work } = create(3);
  for (const name of ['a', 'b', 'c']) take(name);
  for (const name of ['a', 'b', 'a']) rest(name);
  take('d');
  work('a');
  rest('a');
  take('e');
  expect(log).toEqual(['begin a', 'begin b', 'begin c', 'end b', 'begin d', 'end a', 'begin e']);
});

test('while all holders work, others wait in their order', () => {
  const { log, take, rest, release } = create(1);
  take('a');
  take('b');
  take('c');
  expect(log).toEqual(['begin a']);
  release('b');
  rest('a');
  expect(log).toEqual(['begin a', 'end a', 'begin c']);
  release('c');
  release('c');
  take('d');
  expect(log.at(-1)).toBe('begin d');
});
