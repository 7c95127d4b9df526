/** Selections as text select what the explicit forms select, for random labels and positions. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway, fullAccess } from '../../../server/index.js';
import { createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';
import { wordText } from '../../../wire/selection-text.js';

const days = { units: 'days since 2000-01-01' };
const east = { units: 'degrees_east' };
const count = 36;
const steps = Array.from({ length: count }, (_, i) => i);

const coordinates = {
  'ascending': { dtype: 'float32', values: steps.map((i) => i / 2 - 5), attributes: {} },
  'descending': { dtype: 'float64', values: steps.map((i) => 5 - i / 2), attributes: {} },
  'repeated': { dtype: 'int16', values: steps.map((i) => Math.floor(i / 2)), attributes: {} },
  'a=b, "c"': { dtype: 'float64', values: steps.map((i) => (i === 7 ? Number.NaN : (i * 7) % count)), attributes: {} }, // prettier-ignore
  'standard': { dtype: 'int32', values: steps.map((i) => i * 9), attributes: days },
  'days360': { dtype: 'int32', values: steps.map((i) => i * 9), attributes: { ...days, calendar: '360_day' } },
  'words': { dtype: 'string', values: steps.map((i) => (i % 5 === 0 ? `'${i}"` : `${i}:${i}, ..`)), attributes: {} },
  'eastward': { dtype: 'float64', values: steps.map((i) => i * 10), attributes: east },
  'westward': { dtype: 'float64', values: steps.map((i) => 170 - i * 10), attributes: east },
} as const; // prettier-ignore

type Name = keyof typeof coordinates;

const numbers = fc.oneof(fc.integer({ min: -12, max: 40 }), fc.integer({ min: -24, max: 80 }).map((n) => n / 2)); // prettier-ignore
const dates = fc
  .tuple(
    fc.integer({ min: 1999, max: 2001 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 31 }),
  )
  .chain(([year, month, day]) => {
    const [mm, dd] = [month, day].map((part) => String(part).padStart(2, '0'));
    return fc.constantFrom(`${year}`, `${year}-${mm}`, `${year}-${mm}-${dd}`, `${year}-${mm}-${dd}T12:30`);
  });
const longitudes = fc.integer({ min: -80, max: 80 }).map((n) => n * 5);

function labelsOf(name: Name): fc.Arbitrary<string | number> {
  if (name === 'standard' || name === 'days360') return dates;
  if (name === 'words') return fc.oneof(fc.constantFrom(...coordinates.words.values), fc.string({ maxLength: 4 }));
  return name === 'eastward' || name === 'westward' ? longitudes : numbers;
} // prettier-ignore

/** A value as text, and the same in the form of the schema. */
interface Same {
  readonly text: string;
  readonly by: object;
}

function samesOf(name: Name): fc.Arbitrary<Same> {
  const label = labelsOf(name).map((value) => ({ value, text: wordOf(value) }));
  const wrap = name === 'eastward' || name === 'westward' ? { wrap: 360 } : {};
  const position = fc.integer({ min: -40, max: 40 });
  const bound = fc.option(position, { nil: undefined });
  return fc.oneof(
    label.map(({ value, text }) => ({ text, by: { at: { value, ...wrap } } })),
    label.map(({ value, text }) => ({ text: `~${text}`, by: { at: { value, method: 'NEAREST', ...wrap } } })),
    fc.tuple(label, label).map(([from, to]) => ({ text: `${from.text} .. ${to.text}`, by: { between: { from: from.value, to: to.value, ...wrap } } })),
    label.map(({ value, text }) => ({ text: `${text}..`, by: { between: { from: value } } })),
    label.map(({ value, text }) => ({ text: `.. ${text}`, by: { between: { to: value } } })),
    ...('wrap' in wrap ? [] : [fc.array(label, { minLength: 1, maxLength: 3 }).map((all) => ({ text: `(${all.map(({ text }) => text).join(',')})`, by: { values: all.map(({ value }) => value) } }))]),
    position.map((index) => ({ text: `#${index}`, by: { index } })),
    fc.array(position, { minLength: 1, maxLength: 3 }).map((indices) => ({ text: `[${indices.join(', ')}]`, by: { indices } })),
    fc.tuple(bound, bound, fc.constantFrom(undefined, 1, 2, -1, -3)).map(([start, stop, step]) => ({ text: `${start ?? ''}:${stop ?? ''}:${step ?? ''}`, by: { slice: { start, stop, step } } })),
  );
} // prettier-ignore

/** Texts that could be read as positions are quoted. */
function wordOf(value: string | number): string {
  return typeof value === 'number' || !value.includes(':') || /^\d{4}-/.test(value)
    ? wordText(String(value))
    : `"${value.replaceAll('"', '""')}"`;
}

const names = Object.keys(coordinates).filter((name): name is Name => Object.hasOwn(coordinates, name));

test('text and the explicit forms select the same elements, or both fail', async () => {
  const store = createMemoryStore({ label: 'same' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  const write = async (path: string, name: string, dtype: string, values: readonly unknown[], attributes: { readonly units?: string }) => {
    const array = await hierarchy.createArray(path, { shape: [count], dtype, dimensionNames: [name], attributes });
    await array.select({ kind: 'all' }).write([...values]);
  }; // prettier-ignore
  for (const [i, name] of names.entries()) {
    const { dtype, values, attributes } = coordinates[name];
    await write(`/${name}`, name, dtype, values, attributes);
    await write(`/v${i}`, name, 'int32', steps, {});
  }
  const gateway = createGateway({ stores: [{ name: 'same', store }] });
  onTestFinished(() => gateway.close());
  const document = `query Same($path: String!, $text: String!, $slice: String!, $named: [NamedDimSelection!]!) {
    store(name: "same") {
      whole: slice(text: $slice) { values }
      variable(path: $path) { text: slice(select: { text: $text }) { values } named: slice(select: { named: $named }) { values } }
    }
  }`;
  const found = { values: 0, errors: 0 };
  const cases = fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), samesOf(name)));
  await fc.assert(
    fc.asyncProperty(cases, async ([name, { text, by }]) => {
      const path = `v${names.indexOf(name)}`;
      const selected = `${wordText(name)} = ${text}`;
      const variables = { path, text: selected, slice: `${path}[${selected}]`, named: [{ dim: name, by }] };
      const { data, errors = [] } = await gateway.execute({ document, variables }, fullAccess);
      if (errors.length > 0) {
        found.errors += 1;
        expect(errors.map(({ extensions }) => extensions['code'])).not.toContain('INTERNAL_SERVER_ERROR');
        expect(new Set(errors.map((error) => error.path?.at(-1)))).toEqual(
          new Set(['named', 'text', 'whole']),
        );
        return;
      }
      found.values += 1;
      const { whole, variable } = JSON.parse(JSON.stringify(data)).store;
      expect(variable.text).toEqual(variable.named);
      expect(whole).toEqual(variable.named);
    }),
    { numRuns: 600 },
  );
  expect(found.values).toBeGreaterThan(100);
  expect(found.errors).toBeGreaterThan(50);
});
