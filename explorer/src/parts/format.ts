/** Formats numbers for display. */

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit] ?? ''}`;
}

export function countText(count: number | bigint): string {
  return count.toLocaleString('en-GB').replaceAll(',', ' ');
}

/** Rounds a statistic or an end of a scale to 5 significant digits; long results to 4, with an exponent. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const text = String(Number(value.toPrecision(5)));
  return text.length > 10 ? value.toExponential(3) : text;
}

/** Formats `[12, 90, 180]` as `12 × 90 × 180`. */
export function shapeText(shape: readonly (number | bigint)[]): string {
  return shape.length === 0 ? 'single value' : shape.map((size) => countText(size)).join(' × ');
}

/** @param ratio decoded size divided by stored size; null if unknown */
export function storedText(bytes: number, objects: number, ratio: number | null): string {
  const text = `${bytesText(bytes)} in ${countText(objects)} ${objects === 1 ? 'object' : 'objects'}`;
  if (ratio === null || !(ratio > 0)) return text;
  const share = 1 / ratio;
  return share < 2
    ? `${text}, ${Number((share * 100).toPrecision(3))} % of the decoded size`
    : `${text}, ${Number(share.toPrecision(2))} times the decoded size`;
}
