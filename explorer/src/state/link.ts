/**
 * Converts the view to the fragment of the page's address, and back:
 * `#/coads/SST?x=COADSX&y=COADSY&at.TIME=3`.
 */
import { emptyView, type MapPosition, methods, parts, reductions, type Span, type View } from './view.js';

/** Limits on fragments, because links are untrusted. */
const MAX_LENGTH = 10_000;
const MAX_DIMENSIONS = 32;

export function formatLink(view: View): string {
  if (view.store === undefined) return '#/';
  const query = new URLSearchParams();
  const put = (name: string, value: string | number | undefined) => {
    if (value !== undefined) query.set(name, String(value));
  };
  put('field', view.field);
  put('x', view.x);
  put('y', view.y);
  for (const [dim, index] of Object.entries(view.at)) put(`at.${dim}`, index);
  for (const [dim, by] of Object.entries(view.over)) put(`over.${dim}`, by);
  for (const [dim, span] of Object.entries(view.span)) put(`span.${dim}`, span.join(':'));
  put('range', view.range?.join(':'));
  if (view.isMarked) put('mark', 1);
  if (view.palette !== emptyView.palette) put('palette', view.palette);
  put('low', view.low);
  put('high', view.high);
  if (view.isLog) put('log', 1);
  put('method', view.method);
  if (view.hasTable) put('table', 1);
  put('beside', view.beside);
  if (view.hasScatter) put('scatter', 1);
  put('rgb', view.rgb);
  if (view.part !== emptyView.part) put('part', view.part);
  put('minus', view.minus?.path);
  put('minusstore', view.minus?.store);
  for (const [dim, index] of Object.entries(view.minus?.at ?? {})) put(`minus.${dim}`, index);
  put('low2', view.besideLow);
  put('high2', view.besideHigh);
  if (view.map !== undefined) put('map', [view.map.zoom, view.map.latitude, view.map.longitude].join('/'));
  const path = [view.store, ...view.path.split('/').filter(Boolean)].map(encodeURIComponent).join('/');
  const text = query.toString();
  return `#/${path}${text === '' ? '' : `?${text}`}`;
}

/** Parses a fragment. Ignores unknown and malformed parts. */
export function parseLink(fragment: string): View {
  if (fragment.length > MAX_LENGTH) return emptyView;
  const [path = '', ...rest] = fragment.replace(/^#\/?/, '').split('?');
  const [store, ...names] = path.split('/').filter(Boolean).map(decode);
  if (store === undefined) return emptyView;
  const query = new URLSearchParams(rest.join('?'));
  const low = numberOf(query.get('low'));
  const high = numberOf(query.get('high'));
  return {
    store,
    path: `/${names.join('/')}`,
    field: query.get('field') ?? undefined,
    x: query.get('x') ?? undefined,
    y: query.get('y') ?? undefined,
    at: entries(query, 'at.', indexOf),
    over: entries(query, 'over.', (text) => reductions.find((name) => name === text)),
    span: entries(query, 'span.', spanOfIndices),
    range: spanOf(query.get('range') ?? ''),
    isMarked: query.get('mark') === '1',
    palette: query.get('palette') ?? emptyView.palette,
    low,
    high,
    isLog: query.get('log') === '1',
    method: methods.find((name) => name === query.get('method')),
    hasTable: query.get('table') === '1',
    beside: query.get('beside') ?? undefined,
    besideLow: numberOf(query.get('low2')),
    besideHigh: numberOf(query.get('high2')),
    hasScatter: query.get('scatter') === '1',
    rgb: query.get('rgb') ?? undefined,
    part: parts.find((name) => name === query.get('part')) ?? emptyView.part,
    minus: minusOf(query),
    map: mapPositionOf(query.get('map') ?? ''),
  };
}

function minusOf(query: URLSearchParams): View['minus'] {
  const path = query.get('minus');
  return path === null
    ? undefined
    : { store: query.get('minusstore') ?? undefined, path, at: entries(query, 'minus.', indexOf) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function entries<T>(
  query: URLSearchParams,
  prefix: string,
  parse: (text: string) => T | undefined,
): Readonly<Record<string, T>> {
  const parsed: [string, T][] = [];
  for (const [name, text] of query) {
    if (!name.startsWith(prefix) || parsed.length >= MAX_DIMENSIONS) continue;
    const value = parse(text);
    if (value !== undefined) parsed.push([name.slice(prefix.length), value]);
  }
  return Object.fromEntries(parsed);
}

function indexOf(text: string): number | undefined {
  const index = Number(text);
  return text !== '' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

function numberOf(text: string | null): number | undefined {
  const value = Number(text);
  return text !== null && text !== '' && Number.isFinite(value) ? value : undefined;
}

function spanOf(text: string): Span | undefined {
  const [start, stop, ...more] = text.split(':').map(numberOf);
  if (start === undefined || stop === undefined || more.length > 0 || start >= stop) return undefined;
  return [start, stop];
}

function spanOfIndices(text: string): Span | undefined {
  const span = spanOf(text);
  return span !== undefined && span.every((end) => Number.isSafeInteger(end) && end >= 0) ? span : undefined;
}

/** Maximum zoom level of the gateway's tiles. */
export const MAX_ZOOM = 24;

function mapPositionOf(text: string): MapPosition | undefined {
  const [zoom, latitude, longitude, ...more] = text.split('/').map(numberOf);
  if (zoom === undefined || latitude === undefined || longitude === undefined || more.length > 0)
    return undefined;
  if (zoom < 0 || zoom > MAX_ZOOM || Math.abs(latitude) > 90 || Math.abs(longitude) > 1e4) return undefined;
  return { zoom, latitude, longitude };
}
