/**
 * Units by their names and symbols in UDUNITS, with exact factors. A unit is a product of powers of base units. Pure.
 */

/** Exact, so that a chain of products is rounded once. */
export interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

/** Base units: metre, kilogram, second, kelvin, mole, ampere, candela. Angles and fractions are numbers, as in UDUNITS. */
const baseNames = ['m', 'kg', 's', 'K', 'mol', 'A', 'cd'] as const;
export type Powers = readonly number[];

export interface Unit {
  /** Number of base units in one unit. */
  readonly factor: Ratio;
  /** The zero of a temperature scale in kelvin; 0 for all other units. */
  readonly origin: Ratio;
  /** The power of each base unit. */
  readonly powers: Powers;
}

/** @param text a decimal number, such as `0.3048` or `1e-6` */
export function ratioOf(text: string): Ratio {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length;
  const power = 10n ** BigInt(Math.abs(shift));
  return shift < 0 ? reduced(digits, power) : reduced(digits * power, 1n);
}

export function times(a: Ratio, b: Ratio): Ratio {
  return reduced(a.over * b.over, a.under * b.under);
}

export function divided(a: Ratio, b: Ratio): Ratio {
  return reduced(a.over * b.under, a.under * b.over);
}

export function minus(a: Ratio, b: Ratio): Ratio {
  return reduced(a.over * b.under - b.over * a.under, a.under * b.under);
}

export function toPower(a: Ratio, power: number): Ratio {
  const size = BigInt(Math.abs(power));
  const [over, under] = [a.over ** size, a.under ** size];
  return power < 0 ? reduced(under, over) : reduced(over, under);
}

/** The nearest number. */
export function numberOfRatio({ over, under }: Ratio): number {
  // The quotient of two exact numbers is rounded once. Otherwise, 64 more bits than a number has decide.
  if (isExact(over) && isExact(under)) return Number(over) / Number(under);
  const shift = 128n;
  return Number((over << shift) / under) / 2 ** 128;
}

function isExact(value: bigint): boolean {
  return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value));
}

function reduced(over: bigint, under: bigint): Ratio {
  let [a, b] = [over < 0n ? -over : over, under < 0n ? -under : under];
  while (b !== 0n) [a, b] = [b, a % b];
  const common = under < 0n ? -a : a;
  return common === 0n ? { over: 0n, under: 1n } : { over: over / common, under: under / common };
}

const one = ratioOf('1');
const none = ratioOf('0');
const noPowers: Powers = baseNames.map(() => 0);

export const dimensionless: Unit = { factor: one, origin: none, powers: noPowers };

export function multiplied(a: Unit, b: Unit, power = 1): Unit {
  return {
    factor: times(a.factor, toPower(b.factor, power)),
    origin: none,
    powers: a.powers.map((own, i) => own + power * (b.powers[i] ?? 0)),
  };
}

export function scaled(factor: Ratio): Unit {
  return { ...dimensionless, factor };
}

/** The product of a number and powers of base units. */
function unit(factor: Ratio | string, powers: Readonly<Partial<Record<(typeof baseNames)[number], number>>>): Unit {
  return {
    factor: typeof factor === 'string' ? ratioOf(factor) : factor,
    origin: none,
    powers: baseNames.map((name) => powers[name] ?? 0),
  };
} // prettier-ignore

const pi = divided(ratioOf('3141592653589793238462643383279'), ratioOf('1e30'));
const degree = scaled(divided(pi, ratioOf('180')));
const kelvin = unit('1', { K: 1 });
const celsius: Unit = { ...kelvin, origin: ratioOf('273.15') };
const rankine = divided(ratioOf('5'), ratioOf('9'));
const fahrenheit: Unit = {
  ...kelvin,
  factor: rankine,
  origin: times(ratioOf('459.67'), rankine),
};
const pressure = { kg: 1, m: -1, s: -2 } as const;
const energy = { kg: 1, m: 2, s: -2 } as const;
const hour = '3600';

/** Units that take prefixes of the SI, by symbol. */
const symbols: Readonly<Record<string, Unit>> = {
  m: unit('1', { m: 1 }),
  g: unit('1e-3', { kg: 1 }),
  t: unit('1000', { kg: 1 }),
  s: unit('1', { s: 1 }),
  K: kelvin,
  mol: unit('1', { mol: 1 }),
  A: unit('1', { A: 1 }),
  cd: unit('1', { cd: 1 }),
  Hz: unit('1', { s: -1 }),
  N: unit('1', { kg: 1, m: 1, s: -2 }),
  Pa: unit('1', pressure),
  bar: unit('1e5', pressure),
  J: unit('1', energy),
  cal: unit('4.1868', energy),
  W: unit('1', { kg: 1, m: 2, s: -3 }),
  L: unit('1e-3', { m: 3 }),
  l: unit('1e-3', { m: 3 }),
  rad: dimensionless,
};

/** The names of units that take prefixes, in the singular. */
const names: Readonly<Record<string, Unit | undefined>> = {
  meter: symbols['m'],
  metre: symbols['m'],
  gram: symbols['g'],
  tonne: symbols['t'],
  second: symbols['s'],
  kelvin,
  mole: symbols['mol'],
  ampere: symbols['A'],
  candela: symbols['cd'],
  hertz: symbols['Hz'],
  newton: symbols['N'],
  pascal: symbols['Pa'],
  joule: symbols['J'],
  calorie: symbols['cal'],
  watt: symbols['W'],
  liter: symbols['L'],
  litre: symbols['L'],
  radian: dimensionless,
};

/** Units without prefixes. They precede all others. */
const plain: Readonly<Record<string, Unit>> = {
  '%': scaled(ratioOf('0.01')),
  percent: scaled(ratioOf('0.01')),
  fraction: dimensionless,
  ppm: scaled(ratioOf('1e-6')),
  ppmv: scaled(ratioOf('1e-6')),
  ppb: scaled(ratioOf('1e-9')),
  ppbv: scaled(ratioOf('1e-9')),
  steradian: dimensionless,
  sr: dimensionless,
  degree: degree,
  deg: degree,
  '°': degree,
  degree_north: degree,
  degrees_north: degree,
  degree_east: degree,
  degrees_east: degree,
  degree_true: degree,
  degrees_true: degree,
  arcminute: scaled(divided(pi, ratioOf('10800'))),
  arcmin: scaled(divided(pi, ratioOf('10800'))),
  arcsecond: scaled(divided(pi, ratioOf('648000'))),
  arcsec: scaled(divided(pi, ratioOf('648000'))),
  sec: unit('1', { s: 1 }),
  minute: unit('60', { s: 1 }),
  min: unit('60', { s: 1 }),
  hour: unit(hour, { s: 1 }),
  hr: unit(hour, { s: 1 }),
  h: unit(hour, { s: 1 }),
  day: unit('86400', { s: 1 }),
  d: unit('86400', { s: 1 }),
  week: unit('604800', { s: 1 }),
  // The tropical year of UDUNITS.
  year: unit('31556925.9746784', { s: 1 }),
  yr: unit('31556925.9746784', { s: 1 }),
  a: unit('31556925.9746784', { s: 1 }),
  month: unit(divided(ratioOf('31556925.9746784'), ratioOf('12')), { s: 1 }),
  degC: celsius,
  deg_C: celsius,
  degree_C: celsius,
  degrees_C: celsius,
  celsius,
  Celsius: celsius,
  degree_Celsius: celsius,
  degrees_Celsius: celsius,
  degree_celsius: celsius,
  degrees_celsius: celsius,
  degreeC: celsius,
  '°C': celsius,
  degK: kelvin,
  deg_K: kelvin,
  degree_K: kelvin,
  degrees_K: kelvin,
  degree_kelvin: kelvin,
  degF: fahrenheit,
  deg_F: fahrenheit,
  degree_F: fahrenheit,
  degrees_F: fahrenheit,
  fahrenheit,
  Fahrenheit: fahrenheit,
  degree_fahrenheit: fahrenheit,
  '°F': fahrenheit,
  degR: { ...kelvin, factor: rankine },
  rankine: { ...kelvin, factor: rankine },
  micron: unit('1e-6', { m: 1 }),
  inch: unit('0.0254', { m: 1 }),
  in: unit('0.0254', { m: 1 }),
  foot: unit('0.3048', { m: 1 }),
  feet: unit('0.3048', { m: 1 }),
  ft: unit('0.3048', { m: 1 }),
  yard: unit('0.9144', { m: 1 }),
  mile: unit('1609.344', { m: 1 }),
  nautical_mile: unit('1852', { m: 1 }),
  nmile: unit('1852', { m: 1 }),
  hectare: unit('1e4', { m: 2 }),
  ha: unit('1e4', { m: 2 }),
  pound: unit('0.45359237', { kg: 1 }),
  lb: unit('0.45359237', { kg: 1 }),
  knot: unit(divided(ratioOf('1852'), ratioOf(hour)), { m: 1, s: -1 }),
  kt: unit(divided(ratioOf('1852'), ratioOf(hour)), { m: 1, s: -1 }),
  kts: unit(divided(ratioOf('1852'), ratioOf(hour)), { m: 1, s: -1 }),
  millibar: unit('100', pressure),
  atmosphere: unit('101325', pressure),
  atm: unit('101325', pressure),
  torr: unit('133.322387415', pressure),
  mmHg: unit('133.322387415', pressure),
  psi: unit(divided(times(ratioOf('0.45359237'), ratioOf('9.80665')), ratioOf('0.00064516')), pressure),
};

const prefixes: Readonly<Record<string, string>> = {
  Y: '1e24',
  Z: '1e21',
  E: '1e18',
  P: '1e15',
  T: '1e12',
  G: '1e9',
  M: '1e6',
  k: '1e3',
  h: '1e2',
  da: '1e1',
  d: '1e-1',
  c: '1e-2',
  m: '1e-3',
  u: '1e-6',
  µ: '1e-6',
  μ: '1e-6',
  n: '1e-9',
  p: '1e-12',
  f: '1e-15',
  a: '1e-18',
};

const longPrefixes: Readonly<Record<string, string>> = {
  tera: '1e12',
  giga: '1e9',
  mega: '1e6',
  kilo: '1e3',
  hecto: '1e2',
  deca: '1e1',
  deci: '1e-1',
  centi: '1e-2',
  milli: '1e-3',
  micro: '1e-6',
  nano: '1e-9',
  pico: '1e-12',
};

/** A unit by its name or symbol, with a prefix, or in the plural; undefined for unknown ones. */
export function unitNamed(name: string): Unit | undefined {
  return singular(name) ?? (name.endsWith('s') && name.length > 3 ? singular(name.slice(0, -1)) : undefined);
}

function singular(name: string): Unit | undefined {
  return (
    memberOf(plain, name) ??
    memberOf(symbols, name) ??
    memberOf(names, name) ??
    prefixed(name, prefixes, symbols) ??
    prefixed(name, longPrefixes, names)
  );
}

function prefixed(
  name: string,
  known: Readonly<Record<string, string>>,
  units: Readonly<Record<string, Unit | undefined>>,
): Unit | undefined {
  for (const [prefix, factor] of Object.entries(known)) {
    if (!name.startsWith(prefix)) continue;
    const own = memberOf(units, name.slice(prefix.length));
    if (own !== undefined) return { ...own, factor: times(own.factor, ratioOf(factor)) };
  }
  return undefined;
}

/** Names are untrusted: `constructor` is not a unit. */
function memberOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
