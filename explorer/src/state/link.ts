/**
 * Converts the view to the fragment of the page's address, and back:
 * `#/ocean/sst?select=time=2021-03,lat=-5..5&palette=turbo`. Selections are text in the grammar of the gateway.
 */
import { parseSelectionText, positionsText, wordText } from '../../../wire/selection-text.js';
import {
  type DimKey,
  emptyView,
  type MapPosition,
  methods,
  parts,
  reductions,
  type Span,
  type View,
  type Written,
} from './view.js';

/** The positions of one array as labels. Undefined where labels do not say which positions are meant. */
export interface Naming {
  readonly labelText: (dim: DimKey, index: number) => string | undefined;
  readonly rangeText: (dim: DimKey, span: Span) => string | undefined;
}

/** Limits on fragments, because links are untrusted. */
const MAX_LENGTH = 10_000;
const MAX_DIMENSIONS = 32;

/** @param naming of the array of the view; without one, selections are by position */
export function formatLink(view: View, naming?: Naming): string {
  if (view.store === undefined) return '#/';
  const query: string[] = [];
  const put = (name: string, value: string | number | undefined) => {
    if (value !== undefined)
      query.push(`${readable(name).replaceAll('=', '%3D')}=${readable(String(value))}`);
  };
  const { written, span } = view;
  const isRange = ([dim]: readonly [DimKey, number]) => Object.hasOwn(span, dim);
  const at = Object.entries(view.at);
  const ranges = Object.entries(span).map(([dim, part]) => rangeText(dim, part, naming));
  put(
    'select',
    written?.select ??
      joined([
        ...atTexts(
          at.filter((each) => !isRange(each)),
          naming,
        ),
        ...ranges,
      ]),
  );
  put('at', written?.at ?? joined(atTexts(at.filter(isRange), naming)));
  put('field', view.field);
  put('x', view.x);
  put('y', view.y);
  for (const [dim, by] of Object.entries(view.over)) put(`over.${dim}`, by);
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
  put('minusat', written?.minusAt ?? joined(atTexts(Object.entries(view.minus?.at ?? {}), naming)));
  put('low2', view.besideLow);
  put('high2', view.besideHigh);
  if (view.map !== undefined) put('map', [view.map.zoom, view.map.latitude, view.map.longitude].join('/'));
  const path = [view.store, ...view.path.split('/').filter(Boolean)].map(encodeURIComponent).join('/');
  const text = query.join('&');
  return `#/${path}${text === '' ? '' : `?${text}`}`;
}

/** Characters of selections that have no meaning in a part of a fragment. */
const readableCodes: ReadonlyMap<string, string> = new Map(
  Array.from('=,:/#[]', (character) => [encodeURIComponent(character), character]),
);

/** Encodes text for a part of the fragment, so that people can read it. */
function readable(text: string): string {
  // The encoding throws for halves of surrogate pairs.
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /%(?:3D|2C|3A|2F|23|5B|5D)/g,
    (code) => readableCodes.get(code) ?? code,
  );
}

function joined(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join(',');
}

function atTexts(at: readonly (readonly [DimKey, number])[], naming: Naming | undefined): readonly string[] {
  return at.map(([dim, index]) => {
    const label = naming?.labelText(dim, index);
    return label === undefined ? positionsText(dim, { kind: 'index', index }) : `${wordText(dim)}=${label}`;
  });
}

function rangeText(dim: DimKey, span: Span, naming: Naming | undefined): string {
  const [start, stop] = span;
  const labels = naming?.rangeText(dim, span);
  return labels === undefined
    ? positionsText(dim, { kind: 'slice', start, stop })
    : `${wordText(dim)}=${labels}`;
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
  const select = positionsIn(query.get('select'));
  const at = positionsIn(query.get('at'));
  const minus = minusOf(query);
  const written: Written = {
    select: select.labels,
    at: at.labels,
    minusAt: minus === undefined ? undefined : positionsIn(query.get('minusat')).labels,
  };
  return {
    store,
    path: `/${names.join('/')}`,
    field: query.get('field') ?? undefined,
    x: query.get('x') ?? undefined,
    y: query.get('y') ?? undefined,
    at: { ...entries(query, 'at.', indexOf), ...select.at, ...at.at },
    over: entries(query, 'over.', (text) => reductions.find((name) => name === text)),
    span: { ...entries(query, 'span.', spanOfIndices), ...select.span },
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
    minus,
    written: Object.values(written).every((text) => text === undefined) ? undefined : written,
    map: mapPositionOf(query.get('map') ?? ''),
  };
}

interface WrittenPositions {
  readonly at: View['at'];
  readonly span: View['span'];
  /** The text, if anything in it requires the array. */
  readonly labels: string | undefined;
}

/** The positions in a selection by position. */
function positionsIn(text: string | null): WrittenPositions {
  if (text === null || text === '') return { at: {}, span: {}, labels: undefined };
  const at: [DimKey, number][] = [];
  const span: [DimKey, Span][] = [];
  const later = { at: {}, span: {}, labels: text };
  try {
    const parsed = parseSelectionText(text);
    if (parsed.kind !== 'named') return later;
    for (const { dim, by } of parsed.named) {
      const range = by.kind === 'slice' && by.step === undefined ? rangeOf(by.start, by.stop) : undefined;
      if (by.kind === 'index' && by.index >= 0) at.push([dim, by.index]);
      else if (range !== undefined) span.push([dim, range]);
      else return later;
    }
  } catch {
    // The page reports the mistake.
    return later;
  }
  return { at: Object.fromEntries(at), span: Object.fromEntries(span), labels: undefined };
}

function minusOf(query: URLSearchParams): View['minus'] {
  const path = query.get('minus');
  return path === null
    ? undefined
    : {
        store: query.get('minusstore') ?? undefined,
        path,
        at: { ...entries(query, 'minus.', indexOf), ...positionsIn(query.get('minusat')).at },
      };
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
  const [start, stop] = spanOf(text) ?? [];
  return rangeOf(start, stop);
}

function rangeOf(start: number | undefined, stop: number | undefined): Span | undefined {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(stop)) return undefined;
  return start !== undefined && stop !== undefined && start >= 0 && start < stop ? [start, stop] : undefined;
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
