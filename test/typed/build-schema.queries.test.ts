/** The documented questions, with their answers: the same as those of the generic schema. */
import { expect, onTestFinished, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { openStoreFromUrl } from '../../server/zarr/index.js';

const url = new URL('../../examples/data/coads.zarr', import.meta.url).href;

function coads() {
  const gateway = createGateway({ stores: [{ name: 'coads', store: openStoreFromUrl('coads', url) }] });
  onTestFinished(() => gateway.close());
  return gateway.as(fullAccess).forStore('coads');
}

/** Title, document, and `data` as JSON. */
const questions: readonly [string, string, string][] = [
  [
    'one value',
    '{ SST(TIME: {at: "0000-03"}, COADSY: {near: 40.5}, COADSX: {near: -49}) { value } }',
    '{"SST": {"value": 13.89409065246582}}',
  ],
  [
    'map of a box',
    '{ SST(TIME: {at: "0000-07"}, COADSX: {between: {from: 150, to: 154}}, COADSY: {between: {from: -2, to: 2}}) { values coordinates { COADSX { values } COADSY { values } } } }',
    '{"SST": {"values": [[29.347352981567383, 29.15194320678711], [29.265640258789062, 29.25472068786621]], "coordinates": {"COADSX": {"values": [151, 153]}, "COADSY": {"values": [-1, 1]}}}}',
  ],
  [
    'zonal mean',
    '{ SST(COADSY: {between: {from: -10, to: -4}}) { mean(over: [TIME, COADSX]) { values coordinates { COADSY { values } } } } }',
    '{"SST": {"mean": {"values": [26.990642547607422, 27.143329620361328, 27.24418830871582], "coordinates": {"COADSY": {"values": [-9, -7, -5]}}}}}',
  ],
  [
    'area-weighted global mean',
    '{ SST(TIME: {slice: {stop: 3}}) { mean(over: [COADSY, COADSX], weights: {kind: COS_LATITUDE}) { values } } }',
    '{"SST": {"mean": {"values": [19.03727149963379, 19.095130920410156, 19.278188705444336]}}}',
  ],
  [
    'seasons at a point',
    '{ SST(COADSY: {at: 1}, COADSX: {at: 181}) { climatology(part: SEASON, by: MEAN) { values coordinates { season { values } } } } }',
    '{"SST": {"climatology": {"values": [28.32296371459961, 28.08348846435547, 28.4774112701416, 28.404983520507812], "coordinates": {"season": {"values": ["DJF", "MAM", "JJA", "SON"]}}}}}',
  ],
  [
    'largest anomaly',
    '{ SST(COADSY: {between: {from: -10, to: 10}}) { anomaly(part: SEASON) { max { value } } } }',
    '{"SST": {"anomaly": {"max": {"value": 2.2911109924316406}}}}',
  ],
  [
    'line for a chart',
    '{ SST(COADSY: {at: 1}, COADSX: {at: 181}) { line(width: 1) { x { values } y { values } } } }',
    '{"SST": {"line": {"x": {"values": ["0000-01-16T06:00:00", "0000-04-16T13:27:18", "0000-11-15T14:51:00", "0000-12-16T01:20:06"]}, "y": {"values": [28.28388786315918, 27.81166648864746, 28.766469955444336, 28.266498565673828]}}}}',
  ],
  [
    'wind speed',
    '{ speed: _compute(expression: "sqrt(UWND**2 + VWND**2)") { select(COADSY: {at: 51}, COADSX: {between: {from: 330, to: 334}}) { mean(over: TIME) { values } } } }',
    '{"speed": {"select": {"mean": {"values": [3.954864263534546, 4.028916835784912]}}}}',
  ],
  [
    'range and picture',
    '{ SST(TIME: {at: "0000-01"}) { statistics { min quantiles(q: [0.02, 0.98]) } image(width: 360) { width height } } }',
    '{"SST": {"statistics": {"min": -1.7999999523162842, "quantiles": [-0.44719998538494116, 29.02059688568115]}, "image": {"width": 360, "height": 180}}}',
  ],
  [
    'points of a ship',
    '{ SST(TIME: {index: 0}) { track(points: [{COADSY: 36.2, COADSX: 340.7}, {COADSY: 25.5, COADSX: 220.1}]) { values } } }',
    '{"SST": {"track": {"values": [17.105275840759276, 21.12297296524048]}}}',
  ],
  [
    'levels',
    '{ SST(TIME: {index: 0}, COADSX: {index: 60}) { levels(along: COADSY, values: [36.2], method: LINEAR) { coordinates { COADSY { values } } values } } }',
    '{"SST": {"levels": {"coordinates": {"COADSY": {"values": [36.2]}}, "values": [14.916002082824702]}}}',
  ],
];

test.each(questions)('%s', async (_, document, data) => {
  const result = await coads().execute({ document });
  expect(JSON.parse(JSON.stringify(result))).toEqual({ data: JSON.parse(data) });
});

test.each([
  ['TIME: {at: "2001-13"}', '"2001-13" is no date', 18],
  ['TIME: {at: 2001}', 'a date is text of ISO 8601', 18],
  ['TIME: {index: "x"}', 'BigInt must be a 64-bit integer', 21],
])('the error of the literal in %s has its location', async (selection, message, column) => {
  const { errors } = await coads().execute({ document: `{ SST(${selection}) { shape } }` });
  expect(errors).toMatchObject([
    { message: expect.stringContaining(message), locations: [{ line: 1, column }], extensions: { code: 'BAD_INPUT' } }, // prettier-ignore
  ]);
});

test('nulls in selections mean the defaults', async () => {
  const nulls = 'TIME: {slice: {stop: 2, step: null}}, COADSY: {at: 1}, COADSX: {between: {from: 181, to: 183, step: null}}'; // prettier-ignore
  const values = async (selection: string): Promise<unknown> => (await coads().execute({ document: `{ SST(${selection}) { shape select(TIME: {slice: {stop: null, step: null}}) { values } } }` })); // prettier-ignore
  const [given, expected] = [await values(nulls), await values(nulls.replaceAll(/, step: null/g, ''))];
  expect(given).not.toHaveProperty('errors');
  expect(JSON.stringify(given)).toBe(JSON.stringify(expected));
});
