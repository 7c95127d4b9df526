/** Configurations of rights that are refused. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../server/config.js';

const hash = (token: string): string => createHash('sha256').update(token).digest('hex');

const token = (name: string, roles: string[], expires?: string): object => ({
  name,
  sha256: hash(`${name}-secret`),
  roles,
  ...(expires === undefined ? {} : { expires }),
});

const auth = {
  roles: {
    all: { read: ['*'], write: ['*'], metrics: true },
    readers: { read: ['shared', 'tenants/a'] },
    tenantA: { write: ['tenants/a'] },
    public: { read: ['shared/open'] },
  },
  tokens: [
    token('admin', ['all']),
    token('reader', ['readers']),
    token('writer', ['tenantA', 'readers']),
    token('old', ['all'], '2020-01-01T00:00:00Z'),
  ],
};

describe('the configuration', () => {
  const problem = (more: object): string => {
    try {
      parseConfig({ auth: { ...auth, ...more } });
    } catch (error) {
      return String(error);
    }
    return '';
  };

  test('reports errors', () => {
    expect(problem({ anonymous: ['nobody'] })).toContain('auth.anonymous.0: expected one of the roles "all"');
    expect(problem({ tokens: [{ name: 'x', sha256: 'plain', roles: ['all'] }] })).toContain('zarrql token');
    expect(problem({ roles: { all: { read: ['a b'] } } })).toContain('expected a store');
    expect(problem({ tokens: [] })).toContain('otherwise no caller can be authenticated');
    expect(problem({ tokens: [token('a', ['all']), token('a', ['all'])] })).toContain('the same hash');
  });
});
