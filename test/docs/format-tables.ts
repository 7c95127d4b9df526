/**
 * The support tables of docs/formats.md, determined by tests: "read" requires a fixture of another implementation
 * (test/conformance compares its values), "write" requires creating, writing and reading back.
 */
import {
  createMemoryStore,
  isJsonObject,
  openHierarchy,
  type JsonValue,
  type ZarrFormat,
} from '../../server/zarr/index.js';
import { openCase, readCases } from '../conformance/cases.js';
import type { Case } from '../conformance/expected-layout.js';
import { codecSamples, typeSamples, type Sample } from './format-samples.js';
import { fixtures } from '../setup/fixtures.js';

interface OracleCase extends Case {
  readonly type?: 'group';
  readonly oracle?: readonly string[];
  /** The implementation that wrote the fixture and read it back. */
  readonly by?: string;
}

/** Results of the fixtures for one data type or codec. */
interface Seen {
  readonly formats: Set<number>;
  readonly witnesses: Set<string>;
}

const witnessNames: readonly [RegExp, string][] = [
  [/^zarr-python 2/, 'zarr-python 2'],
  [/^zarr-python 3/, 'zarr-python 3'],
  [/^tensorstore/, 'tensorstore'],
];

export interface FormatTables {
  readonly types: string;
  readonly codecs: string;
}

/** Both tables as unformatted Markdown. */
export async function formatTables(): Promise<FormatTables> {
  const { types, codecs } = await seenInFixtures();
  const typeRows = await Promise.all(
    typeSamples.map(async (sample) => [
      sample.shown,
      sample.classic,
      ...(await supportCells(sample, types.get(sample.name))),
      witnessCell(types.get(sample.name)),
    ]),
  );
  const codecRows = await Promise.all(
    codecSamples.map(async (sample) => [
      sample.shown,
      sample.classic,
      ...(await supportCells(sample, codecs.get(sample.name))),
      witnessCell(codecs.get(sample.name)),
    ]),
  );
  return {
    types: table(['v3', 'v2 and v1', 'v1', 'v2', 'v3', 'implementations'], typeRows),
    codecs: table(['v3', 'v2 and v1', 'v1', 'v2', 'v3', 'implementations'], codecRows),
  };
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n');
}

function witnessCell(seen: Seen | undefined): string {
  const list = [...(seen?.witnesses ?? [])].toSorted();
  return list.length === 0 ? 'specification only' : list.join(', ');
}

async function supportCells(sample: Sample, seen: Seen | undefined): Promise<string[]> {
  const cells: string[] = [];
  for (const format of [1, 2, 3] as const) {
    // v1 and v2 have no names for `bytes` and `transpose`, so these are not listed as codecs.
    const isNamed = (format === 3 ? sample.shown : sample.classic) !== '-';
    const reads = isNamed && (seen?.formats.has(format) ?? false);
    const writes = await canWrite(sample, format);
    cells.push(writes ? (reads ? 'yes' : 'own only') : reads ? 'read' : '-');
  }
  return cells;
}

/** Creates an array, writes a value and reads it back through another hierarchy. */
async function canWrite({ requests, value }: Sample, format: ZarrFormat): Promise<boolean> {
  const request = requests[format];
  if (request === undefined) return false;
  const store = createMemoryStore({ label: 'sample' });
  const array = await openHierarchy(store).createArray('/', { shape: [2], ...request }, { zarrFormat: format });
  await array.select({ kind: 'all' }).write([value, value]);
  const again = await openHierarchy(store).array('/');
  await again.select({ kind: 'all' }).read();
  return true;
} // prettier-ignore

async function seenInFixtures(): Promise<{ types: Map<string, Seen>; codecs: Map<string, Seen> }> {
  const types = new Map<string, Seen>();
  const codecs = new Map<string, Seen>();
  for (const folder of ['matrix', 'peers', 'writers']) {
    for (const c of readCases<OracleCase>(folder)) {
      if (c.type === 'group' || c.expected === null) continue;
      const { meta } = await openCase(`${fixtures}${folder}`, c);
      const witnesses = (c.oracle ?? []).flatMap((oracle) =>
        witnessNames.flatMap(([pattern, name]) => (pattern.test(oracle) ? [name] : [])),
      );
      if (c.by !== undefined) witnesses.push(c.by);
      if (folder === 'peers' && c.path.startsWith('zarrs/')) witnesses.push('zarrs');
      if (folder === 'peers' && c.path.startsWith('zarr-java/')) witnesses.push('zarr-java');
      note(types, meta.dtype.name, c.format, witnesses);
      for (const name of new Set(codecsWithin(meta.codecs))) note(codecs, plain(name), c.format, witnesses);
    }
  }
  for (const c of readCases<{ readonly codec: { readonly id: string } }>('peers', 'codec-cases.jsonl'))
    codecs.get(c.codec.id)?.witnesses.add('numcodecs');
  for (const c of readCases<{ readonly codec: { readonly id: string } }>('codec', 'numcodecs-cases.jsonl'))
    codecs.get(c.codec.id)?.witnesses.add('numcodecs');
  return { types, codecs };
}

function note(table: Map<string, Seen>, name: string, format: number, witnesses: readonly string[]): void {
  const seen = table.get(name) ?? { formats: new Set(), witnesses: new Set() };
  seen.formats.add(format);
  for (const witness of witnesses) seen.witnesses.add(witness);
  table.set(name, seen);
}

/** Treats `numcodecs.delta` and v2's `delta` as one codec, and the draft name `endian` as `bytes`. */
export function plain(name: string): string {
  return name.replace(/^numcodecs\./, '').replace(/^endian$/, 'bytes');
}

/** Includes the inner codecs of a sharding codec. */
function codecsWithin(list: readonly JsonValue[] | readonly { readonly name: string }[]): string[] {
  return list.flatMap((codec: JsonValue | { readonly name: string }): string[] => {
    if (typeof codec === 'string') return [codec];
    if (typeof codec !== 'object' || codec === null || !('name' in codec)) return [];
    const { name } = codec;
    if (typeof name !== 'string') return [];
    const configuration: unknown = 'configuration' in codec ? codec.configuration : {};
    const inner = isConfiguration(configuration)
      ? [configuration['codecs'], configuration['index_codecs']].flatMap((one) =>
          Array.isArray(one) ? codecsWithin(one) : [],
        )
      : [];
    return [name, ...inner];
  });
}

function isConfiguration(value: unknown): value is { readonly [key: string]: JsonValue } {
  return isJsonObject(value as JsonValue);
}
