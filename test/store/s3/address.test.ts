import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createS3Store } from '../../../server/store/s3.js';
import { parseS3Address, splitS3Url } from '../../../server/store/s3/address.js';

describe('addresses of stores on S3', () => {
  test.each([
    ['s3://my-bucket', 'my-bucket', '', {}],
    ['S3://my-bucket/', 'my-bucket', '', {}],
    ['s3://my.bucket/a/b.zarr/', 'my.bucket', 'a/b.zarr', {}],
    ['s3://b_3/a%20b/%C3%A9%23%3F+c', 'b_3', 'a b/é#?+c', {}],
    [
      's3://bucket/x?endpoint=http%3A%2F%2F127.0.0.1%3A9000&region=eu-west-1&pathStyle=false',
      'bucket',
      'x',
      { endpoint: 'http://127.0.0.1:9000', region: 'eu-west-1', pathStyle: false },
    ],
    [
      's3://bucket?endpoint=http://127.0.0.1:9000&anonymous=true&requesterPays=true',
      'bucket',
      '',
      { endpoint: 'http://127.0.0.1:9000', anonymous: true, requesterPays: true },
    ],
    [
      's3://bucket?profile=p&forbiddenMeansAbsent=true',
      'bucket',
      '',
      { profile: 'p', forbiddenMeansAbsent: true },
    ],
  ])('%s is parsed', (url, bucket, prefix, settings) => {
    expect(parseS3Address(url)).toEqual({ bucket, prefix, settings });
  });

  test.each([
    ['s3://', 'bucket'],
    ['s3:bucket/x', 's3://bucket/prefix'],
    ['s3://a', 'bucket'],
    ['s3://bucket/a//b', 'prefix'],
    ['s3://bucket/a/../b', 'prefix'],
    ['s3://bucket/a%2F..%2Fb', 'prefix'],
    ['s3://bucket/%ff', 'percent-encoding'],
    ['s3://bucket/x#y', '%23'],
    ['s3://key:secret@bucket/x', 'credentials'],
    ['s3://bucket/x?accessKeyId=AKIA', 'credentials'],
    ['s3://bucket/x?aws_secret_access_key=abc', 'credentials'],
    ['s3://bucket/x?X-Amz-Security-Token=abc', 'credentials'],
    ['s3://bucket/x?endpoint=http://key:secret@host', 'credentials'],
    ['s3://bucket/x?endpoint=host:9000', 'endpoint'],
    ['s3://bucket/x?endpoint=http://host/?x=1', 'no query'],
    ['s3://bucket/x?regoin=eu-west-1', 'the nearest are region'],
    ['s3://bucket/x?pathstyle=true', 'the nearest are pathStyle'],
    ['s3://bucket/x?pathStyle=yes', 'true or false'],
    ['s3://bucket/x?region=', 'empty'],
    ['s3://bucket/x?region=a&region=b', 'repeated'],
    ['s3://bucket/x?__proto__=a', 'unknown option'],
  ])('%s is rejected', (url, message) => {
    const failure = { code: 'BAD_INPUT', message: expect.stringContaining(message) };
    expect(() => parseS3Address(url)).toThrow(expect.objectContaining(failure));
    expect(() => createS3Store({ label: 'x', url })).toThrow(expect.objectContaining(failure));
  });

  test('no error repeats the input', () => {
    for (const url of [
      's3://key:hunter2@bucket',
      's3://bucket?secret=hunter2',
      's3://bucket?endpoint=hunter2',
    ])
      expect(() => parseS3Address(url)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
      );
  });

  test('any prefix and any archive name round-trips', () => {
    const part = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !/^\.{1,2}$|[/\\\0]/.test(text));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const url = `s3://bucket/${parts.map(encodeURIComponent).join('/')}?region=r`;
        const { prefix } = parseS3Address(url);
        expect(prefix).toBe(parts.join('/'));
        const { folder, key } = splitS3Url(url);
        expect(key).toBe(parts.at(-1));
        expect(parseS3Address(folder)).toEqual({
          bucket: 'bucket',
          prefix: parts.slice(0, -1).join('/'),
          settings: { region: 'r' },
        });
      }),
    );
  });
});
