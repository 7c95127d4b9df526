/** Content negotiation by the Accept header (RFC 9110, section 12.5.1). */

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** Parameters other than `q`, `charset` and `boundary`, such as `incrementalspec`; names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Chooses the media type of `offered` that a client prefers: by quality, then by position in the header, then by position
 * in `offered`. The result is undefined if the client accepts none of them. A missing header accepts everything. Ranges
 * with a charset other than UTF-8 are ignored.
 */
export function chooseMediaType<T extends string>(accept: string, offered: readonly T[]): T | undefined {
  return choose(accept.trim() === '' ? '*/*' : accept, offered);
}

/**
 * Like `chooseMediaType`, but chooses only media types that the header names: a client that accepts everything
 * cannot necessarily read a response of several parts.
 * @param understood values of parameters; ranges with other parameters refer to other protocols and are ignored
 * @param required names of parameters without which a range refers to another protocol
 */
export function chooseNamedType<T extends string>(
  accept: string,
  offered: readonly T[],
  understood: Readonly<Record<string, string>>,
  required: readonly string[] = [],
): T | undefined {
  const named = parseAccept(accept).filter(
    ({ type, subtype, quality, parameters }) =>
      quality > 0 &&
      offered.some((mediaType) => mediaType === `${type}/${subtype}`) &&
      [...parameters].every(([name, value]) => understood[name] === value) &&
      required.every((name) => parameters.has(name)),
  );
  // Sorting is stable, so the position in the header decides among equal qualities.
  const [best] = named.toSorted((a, b) => b.quality - a.quality);
  return offered.find((mediaType) => mediaType === `${best?.type}/${best?.subtype}`);
}

function choose<T extends string>(accept: string, offered: readonly T[]): T | undefined {
  const ranges = parseAccept(accept);
  let best: { readonly type: T; readonly quality: number; readonly position: number } | undefined;
  for (const type of offered) {
    const position = mostSpecific(ranges, type);
    const quality = position === undefined ? 0 : (ranges[position]?.quality ?? 0);
    if (position === undefined || quality <= 0) continue;
    if (
      best === undefined ||
      quality > best.quality ||
      (quality === best.quality && position < best.position)
    )
      best = { type, quality, position };
  }
  return best?.type;
}

function parseAccept(accept: string): MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const entry of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const [type = '', subtype = ''] = name.split('/');
    const settings = new Map(parameters.map((parameter) => splitParameter(parameter)));
    const charset = settings.get('charset') ?? 'utf-8';
    const quality = Number(settings.get('q') ?? '1');
    if (type === '' || subtype === '' || (charset !== 'utf-8' && charset !== 'utf8')) continue;
    for (const name of ['q', 'charset', 'boundary']) settings.delete(name);
    ranges.push({ type, subtype, quality: Number.isNaN(quality) ? 1 : quality, parameters: settings });
  }
  return ranges;
}

function splitParameter(parameter: string): [string, string] {
  const [name = '', value = ''] = parameter.split('=');
  return [name.trim(), value.trim().replaceAll('"', '')];
}

/** The index of the most specific range for `mediaType`: exact, then its type, then any type. */
function mostSpecific(ranges: readonly MediaRange[], mediaType: string): number | undefined {
  const [type, subtype] = mediaType.split('/');
  const exact = ranges.findIndex((range) => range.type === type && range.subtype === subtype);
  if (exact >= 0) return exact;
  const family = ranges.findIndex((range) => range.type === type && range.subtype === '*');
  if (family >= 0) return family;
  const any = ranges.findIndex((range) => range.type === '*' && range.subtype === '*');
  return any >= 0 ? any : undefined;
}
