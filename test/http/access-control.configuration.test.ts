/** Invalid configurations of rights. */
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';
import { auth, token } from './access-rights.js';

describe('the configuration', () => {
  const problem = (more: object): string => {
    try {
      parseConfig({ auth: { ...auth, ...more } });
    } catch (error) {
      return String(error);
    }
    return '';
  };

  test('reports unknown roles, hashes that are not SHA-256, invalid paths, and missing or repeated tokens', () => {
    expect(problem({ anonymous: ['nobody'] })).toContain('auth.anonymous.0: expected one of the roles "all"');
    expect(problem({ tokens: [{ name: 'x', sha256: 'plain', roles: ['all'] }] })).toContain('zarrql token');
    expect(problem({ roles: { all: { read: ['a b'] } } })).toContain('expected a store');
    expect(problem({ tokens: [] })).toContain('otherwise no caller can be authenticated');
    expect(problem({ tokens: [token('a', ['all']), token('a', ['all'])] })).toContain('the same hash');
  });
});
