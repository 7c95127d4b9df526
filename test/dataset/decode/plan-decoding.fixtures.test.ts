/** The decoded values of every variable of the fixtures equal xarray's. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { VariableDecoding } from '../../../server/dataset/decode/decoding.js';
import { inheritTimeAttributes } from '../../../server/dataset/attributes.js';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import { openHierarchy, runToEnd, type JsonObject, type ZarrArray } from '../../../server/zarr/index.js';
import { openFixture } from '../../conformance/cases.js';
import {
  caseNames,
  comparable,
  datasetsFolder,
  dtypeText,
  readCase,
  shown,
  shownDates,
  type ExpectedVariable,
} from '../expected-values.js';

const names = caseNames();

test('there are at least 60 cases', () => {
  expect(names.length).toBeGreaterThanOrEqual(60);
});

test.each(names)('%s', async (name) => {
  const expected = readCase(name);
  const hierarchy = openHierarchy(await openFixture(join(datasetsFolder, `${name}.zarr.zip`)));
  for (const [path, group] of Object.entries(expected.groups)) {
    const own = Object.entries(group.variables).filter(([variable]) => !group.inherited?.includes(variable));
    const attributesOf = async (variable: string) => (await open(`${path}/${variable}`)).meta.attributes;
    for (const [variable, wanted] of own) {
      const array = await open(`${path}/${variable}`);
      const parent = own.find(([, { attrs }]) => attrs['bounds'] === variable)?.[0];
      const { attributes } = array.meta;
      const inherited =
        parent === undefined ? attributes : inheritTimeAttributes(attributes, await attributesOf(parent));
      // A dimension with a variable is not a dimension of characters.
      const joinCharacters = group.variables[array.meta.dimensionNames?.at(-1) ?? ''] === undefined;
      await expectDecoded(array, planned(array, variable, inherited, joinCharacters), variable, wanted);
    }
    for (const [variable, { code, mentions }] of Object.entries(group.errors ?? {})) {
      const array = await open(`${path}/${variable}`);
      const failing = () => planned(array, variable, array.meta.attributes);
      expect(failing, variable).toThrow(expect.objectContaining({ code }));
      for (const word of [...mentions, 'decode: false']) expect(failing).toThrow(word);
    }
  }

  async function open(path: string): Promise<ZarrArray> {
    return hierarchy.array(path.replace(/\/+/g, '/'));
  }
});

function planned(
  array: ZarrArray,
  name: string,
  attributes: JsonObject,
  joinCharacters = true,
): VariableDecoding {
  const { zarrFormat, dtype, shape, fill: element, fillJson } = array.meta;
  const fill = fillJson === null ? undefined : element;
  return planDecoding({ name, zarrFormat, dtype, shape, attributes, fill }, { joinCharacters });
}

async function expectDecoded(
  array: ZarrArray,
  decoding: VariableDecoding,
  name: string,
  wanted: ExpectedVariable,
) {
  const stored = await array.select({ kind: 'all' }).read();
  const before = 'bytes' in stored ? stored.bytes.slice() : undefined;
  const exact = decoding.refine === undefined ? decoding : runToEnd(decoding.refine(stored));
  const block = exact.decode(stored);
  expect(block.dtype, name).toEqual(exact.dtype);
  // NCZarr stores a scalar as an array with one dimension of size 1.
  if (wanted.dims.length > 0) expect(block.shape.length, name).toBe(wanted.dims.length);
  expect(exact.calendar, name).toBe(wanted.calendar ?? wanted.attrs['calendar']);
  if ('dates' in wanted.values) expect(shownDates(block), name).toEqual(wanted.values);
  else {
    expect(comparable(shown(block)), name).toEqual(comparable(wanted.values));
    expect(dtypeText(block), name).toBe(wanted.dtype);
  }
  expect(leftAttributes(exact.attributes), name).toEqual(wanted.attrs);
  if (before !== undefined && 'bytes' in stored) expect(stored.bytes, name).toEqual(before);
}

/** Excludes attributes that the dataset handles. */
function leftAttributes(attributes: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(attributes).filter(([key]) => !/^_ARRAY_DIMENSIONS$|^coordinates$|^_nc/i.test(key)),
  );
}
