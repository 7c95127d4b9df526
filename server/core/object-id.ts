/** Identifies objects by numbers, as parts of keys of caches. */
const numbers = new WeakMap<object, number>();
let last = 0;

/** @returns a number that no other object of the process has had */
export function objectId(object: object): number {
  const number = numbers.get(object) ?? ++last;
  numbers.set(object, number);
  return number;
}
