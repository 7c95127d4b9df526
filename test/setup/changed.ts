/** An object with some other members, for example a method that counts its calls. Works for classes with private members. */
export function changed<T extends object>(of: T, changes: Partial<T>): T {
  return new Proxy(of, {
    get(target, key) {
      if (key in changes) return Reflect.get(changes, key);
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
