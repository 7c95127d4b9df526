import { describe, expect, it, vi } from 'vitest';
import { FirstVersions, OneState } from '../../server/slices/one-state.js';

const where = { store: 'public name', path: '/whole' };
const object = (key: string, store = 's') => ({ store, path: '/a', key });

describe('OneState', () => {
  it('accepts several reads of the same versions', () => {
    const state = new OneState({ where });
    for (const version of ['1', undefined]) {
      state.onVersion(object(`c/${version}`), version);
      state.onVersion(object(`c/${version}`), version);
    }
    state.onVersion(object('c/1', 'other'), '2');
    expect(() => state.assertUnchanged()).not.toThrow();
  });

  it.each([
    ['1', '2'],
    ['1', undefined],
    [undefined, '1'],
  ])('rejects an object of version %s and then %s', (before, after) => {
    const state = new OneState({ where });
    state.onVersion(object('c/0'), before);
    state.onVersion(object('c/0'), after);
    expect(() => state.assertUnchanged()).toThrow(
      expect.objectContaining({
        code: 'CONFLICT',
        where: { store: 'public name', path: '/a', key: 'c/0' },
        detail: 'the array changed during the request; try again',
      }),
    );
  });

  it('requires the given versions, also in the first read', () => {
    const state = new OneState({ where }, { versions: new Map([['s\0c/0', '1']]) });
    state.onVersion(object('c/0'), '1');
    expect(() => state.assertUnchanged()).not.toThrow();
    state.onVersion(object('c/1'), '1');
    expect(() => state.assertUnchanged()).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  });

  it('shares the first versions of a session', () => {
    const session = { versions: new FirstVersions() };
    new OneState({ where }, { session }).onVersion(object('c/0'), '1');
    const later = new OneState({ where }, { session });
    later.onVersion(object('c/0'), '2');
    expect(() => later.assertUnchanged()).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  });

  it('reports all versions to the caller', () => {
    const onVersion = vi.fn<(read: object, version: string | undefined) => void>();
    new OneState({ where }, { onVersion }).onVersion(object('c/0'), '1');
    expect(onVersion.mock.calls).toEqual([[object('c/0'), '1']]);
  });
});
