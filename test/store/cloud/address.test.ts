import { describe, expect, test } from 'vitest';
import { splitBucketUrl } from '../../../server/store/cloud/address.js';
import { openStoreFromUrl } from '../../../server/zarr/index.js';

describe('addresses of buckets', () => {
  test.each([
    'gs://bucket/a b/%25',
    'gs://bucket',
    'gs://bucket/x.zarr?anonymous=true&endpoint=http://127.0.0.1:1&userProject=p',
    'az://container/prefix?account=name',
    'abfs://container@account.dfs.core.windows.net/prefix',
    'abfss://container@account.blob.core.windows.net',
    'GS://bucket/x.zip?anonymous=true',
  ])('%s is accepted', async (url) => {
    const store = openStoreFromUrl('s', url);
    expect(store.can.list).toBe(true);
    await store.close();
  });

  test.each([
    ['gs://', /must have the form gs:/],
    ['gs://B/x', /bucket of a gs: URL/],
    ['gs://user@bucket/x', /bucket of a gs: URL/],
    ['gs://bucket:80/x', /bucket of a gs: URL/],
    ['gs://bucket/a//b', /must not have empty/],
    ['gs://bucket/../b', /must not have empty/],
    ['gs://bucket/%2e%2e/b', /must not have empty/],
    ['gs://bucket/%', /percent-encoding/],
    ['gs://bucket/x#y', /no fragment/],
    ['gs://bucket?anonymous=yes', /expected true or false/],
    ['gs://bucket?anonymous=true&anonymous=true', /repeated/],
    ['gs://bucket?anonymus=true', /unknown option "anonymus".*nearest are anonymous/],
    ['gs://bucket?access_token=secret', /credentials in URLs/],
    ['gs://bucket?endpoint=ftp://x', /endpoint of a store/],
    ['gs://bucket?endpoint=https://user:word@host', /credentials in URLs/],
    ['gs://bucket?endpoint=', /is empty/],
    ['az://container/x', /storage account is missing/],
    ['az://con--tainer/x?account=name', /container of an az: URL/],
    ['az://container/x?account=evil.example/', /storage account must be/],
    ['az://container@evil.example/x?account=name', /container of an az: URL/],
    ['az://container@account.blob.core.windows.net.evil.example/x', /container of an az: URL/],
    ['az://container/x?account=name&sig=secret', /credentials in URLs/],
  ])('%s is refused', (url, message) => {
    expect(() => openStoreFromUrl('s', url)).toThrow(message);
    expect(() => openStoreFromUrl('s', url)).not.toThrow(/secret|word/);
  });

  test('the last part is the key of an archive, with the options of the folder', () => {
    expect(splitBucketUrl('gs://b/a%20b/c%25.zip?anonymous=true')).toEqual({ folder: 'gs://b/a%20b?anonymous=true', key: 'c%.zip' }); // prettier-ignore
    expect(splitBucketUrl('gs://b')).toEqual({ folder: 'gs://b/', key: undefined });
  });
});
