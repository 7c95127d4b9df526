/** The GraphiQL page over HTTP: budget, compression, validator and content security policy. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { group, realGateway } from './real-gateway.js';

const stores = { s: { 'zarr.json': group() } };
const page = (more: object = {}) =>
  realGateway(stores, { graphiql: true, gateway: { graphiql: {} }, ...more });
const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test('it is charged to the budget of its client', async () => {
  const { url } = await page({ maxClientCost: 2 });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) {
    const response = await fetch(url, { method: 'HEAD', headers: html });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([200, 200, 429]);
});

test('it is compressed, and revalidation returns 304', async () => {
  const { url } = await page();
  const plain = await fetch(url, { headers: { ...html, 'accept-encoding': 'identity' } });
  const size = (await plain.arrayBuffer()).byteLength;
  for (const encoding of ['br', 'gzip']) {
    const first = await fetch(url, { method: 'HEAD', headers: { ...html, 'accept-encoding': encoding } });
    expect(first.headers.get('content-encoding')).toBe(encoding);
    const response = await fetch(url, { headers: { ...html, 'accept-encoding': encoding } });
    expect(Number(response.headers.get('content-length'))).toBeLessThan(size / 2);
    expect((await response.arrayBuffer()).byteLength).toBe(size);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toContain(encoding);
    const again = await fetch(url, {
      headers: { ...html, 'accept-encoding': encoding, 'if-none-match': etag },
    });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    expect(again.headers.get('content-security-policy')).toBe(
      response.headers.get('content-security-policy'),
    );
  }
});

test('its content security policy allows only its own scripts', async () => {
  const { url } = await page();
  const response = await fetch(url, { headers: html });
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  expect(policy).toContain('img-src data:;');
  const scripts = [...(await response.text()).matchAll(/<script>([\s\S]*?)<\/script>/g)];
  expect(scripts.length).toBe(4);
  for (const [, script = ''] of scripts)
    expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
});

test('an operation is never a page request, with any accepted media type', async () => {
  const { url, log } = await page();
  for (const accept of ['text/*', '*/*', 'text/event-stream', 'application/json', 'text/html;q=0,text/*']) {
    const response = await fetch(`${url}?query={__typename}`, { headers: { accept } });
    expect(response.headers.get('content-type'), accept).not.toContain('html');
    expect(await response.text(), accept).toContain('Query');
  }
  expect(log.filter(({ msg, kind }) => msg === 'request' && kind === 'query').length).toBe(5);
});
