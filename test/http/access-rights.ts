/** Roles and tokens of the tests of access control. */
import { createHash } from 'node:crypto';

export const hash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A token of the configuration; its secret is `NAME-secret`. */
export const token = (name: string, roles: string[], expires?: string): object => ({
  name,
  sha256: hash(`${name}-secret`),
  roles,
  ...(expires === undefined ? {} : { expires }),
});

export const auth = {
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
