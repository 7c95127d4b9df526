/** Formats nodes as text. */
import {
  isJsonObject,
  type JsonValue,
  numpyTypestr,
  printJson,
  sizeOf,
  type StorageUse,
  type ZarrArray,
  type ZarrGroup,
} from '../zarr/index.js';
import type { TreeNode } from './node-tree.js';
import { printable } from './printable.js';

type Codec = ZarrArray['meta']['codecs'][number];

/** Formats one node on one line, after the branches of the tree. */
export function treeLine(
  { last, name, kind, node }: TreeNode,
  label: string,
  storage: StorageUse | undefined,
): string {
  const branches = last.map((isLast, level) => {
    if (level < last.length - 1) return isLast ? '    ' : '│   ';
    return isLast ? '└── ' : '├── ';
  });
  const shownName = last.length === 0 ? label : kind === 'group' ? `${name}/` : name;
  const about =
    node instanceof Error
      ? `! ${node.message}`
      : node.kind === 'group'
        ? groupText(node, last.length === 0)
        : arrayText(node, storage).join('  ');
  return `${branches.join('')}${printable(shownName)}${about === '' ? '' : `  ${printable(about)}`}\n`;
}

function groupText({ meta, consolidated }: ZarrGroup, isTop: boolean): string {
  if (!isTop) return '';
  return `group, Zarr v${meta.zarrFormat}${consolidated ? ', consolidated' : ''}`;
}

function arrayText(array: ZarrArray, storage: StorageUse | undefined): string[] {
  const { codecs, chain, warnings } = array.meta;
  return [
    `${typeText(array)} ${shapeText(array)}`,
    array.shardShape === undefined
      ? `chunks ${chunksText(array)}`
      : `shards ${listText(array.shardShape)} of chunks ${chunksText(array)}`,
    // Options of codecs are shown only for a single array.
    codecs.map(({ name }) => name).join(' '),
    `fill ${fillText(array)}`,
    sizeText(decodedBytes(array)),
    ...(storage === undefined ? [] : [`stored ${storageText(storage)}`]),
    ...meaningOf(array),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...('unsupported' in chain ? [`values unsupported: ${chain.unsupported}`] : []),
  ];
}

/** The shape of the chunks, or of the largest one. */
function chunksText({ chunkShape, geometry }: ZarrArray): string {
  const isUniform = geometry.grid.dims.every(({ runs }) => runs === undefined);
  return `${isUniform ? '' : 'up to '}${listText(chunkShape)}`;
}

/** The data type of the values, and the stored one if it is narrower. */
function typeText({ meta: { dtypeName, storedType } }: ZarrArray): string {
  return storedType === undefined ? dtypeName : `${storedType}, read as ${dtypeName},`;
}

/** The CF attributes for description and units. */
function meaningOf({ meta: { attributes } }: ZarrArray): string[] {
  const texts = ['long_name', 'units'].map((name) => attributes[name]);
  const stated = texts.filter((text) => typeof text === 'string' && text !== '').map(String);
  return stated.length === 0 ? [] : [stated.map((text) => shortText(text)).join(', ')];
}

function countText(count: number): string {
  return `${count} ${count === 1 ? 'value' : 'values'}`;
}

/** Formats one array on several lines, including its attributes. */
export function arrayLines(array: ZarrArray, label: string, storage: StorageUse | undefined): string {
  const { meta, shardShape, chunkCounts } = array;
  const typestr = numpyTypestr(meta.dtype);
  const rows: [string, string][] = [
    ['type', typestr === undefined ? typeText(array) : `${typeText(array)} (${typestr})`],
    ...structRows(array),
    ['shape', `${shapeText(array)}, ${countText(sizeOf(array.shape))}, ${sizeText(decodedBytes(array))}`],
    ...(shardShape === undefined ? [] : [['shards', listText(shardShape)] satisfies [string, string]]),
    ['chunks', `${chunksText(array)}, grid ${chunkCounts.join(' x ') || '1'}`],
    ['codecs', meta.codecs.map(codecText).join(' ')],
    ['fill', fillText(array)],
    ['order', meta.order],
    ...(storage === undefined ? [] : [['stored', storageText(storage)] satisfies [string, string]]),
    ...meta.warnings.map((warning): [string, string] => ['warning', warning]),
    ...('unsupported' in meta.chain
      ? [['values', `unsupported: ${meta.chain.unsupported}`] satisfies [string, string]]
      : []),
  ];
  const attributes = Object.entries(meta.attributes).map(([key, value]) => `    ${key}: ${shortText(value)}`);
  const lines = [
    `${label}  array, Zarr v${meta.zarrFormat}`,
    ...rows.map(([key, text]) => `  ${key.padEnd(8)}${text}`),
    ...(attributes.length === 0 ? [] : ['  attributes', ...attributes]),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function structRows({ meta: { dtype } }: ZarrArray): [string, string][] {
  if (dtype.name !== 'struct') return [];
  return dtype.fields.map(({ name, dtype: type, shape }): [string, string] => [
    '',
    `${name}: ${numpyTypestr(type) ?? type.name}${shape.length === 0 ? '' : ` ${listText(shape)}`}`,
  ]);
}

/** Formats a shape, with dimension names if there are any: `[TIME 12, 90]`. */
function shapeText({ shape, dimensionNames }: ZarrArray): string {
  const dims = shape.map((size, d) => {
    const name = dimensionNames[d] ?? null;
    return name === null ? String(size) : `${name} ${size}`;
  });
  return `[${dims.join(', ')}]`;
}

function listText(sizes: readonly number[]): string {
  return `[${sizes.join(', ')}]`;
}

/** Formats a codec: `zstd(level=3)`. A sharding codec includes the codecs of its inner chunks and index. */
function codecText({ name, configuration }: Codec): string {
  // The chunk shape is shown separately.
  const options = Object.entries(configuration).filter(([key]) => key !== 'chunk_shape');
  if (options.length === 0) return name;
  return `${name}(${options.map(([key, value]) => `${key}=${optionText(value)}`).join(', ')})`;
}

function optionText(value: JsonValue): string {
  if (!Array.isArray(value)) return shortText(value);
  const list: readonly JsonValue[] = value;
  const codecs = list.flatMap((entry) => {
    if (typeof entry === 'string') return [{ name: entry, configuration: {} }];
    if (!isJsonObject(entry)) return [];
    const { name, configuration = {} } = entry;
    return typeof name === 'string' && isJsonObject(configuration) ? [{ name, configuration }] : [];
  });
  return codecs.length < list.length ? shortText(value) : codecs.map(codecText).join(' ');
}

function fillText({ meta: { fillJson } }: ZarrArray): string {
  return shortText(fillJson);
}

const MAX_TEXT = 200;

/** Formats a value as JSON, truncated if long. Text without spaces is unquoted. */
function shortText(value: JsonValue): string {
  const text = typeof value === 'string' && /^[\w.:+-]+$/.test(value) ? value : printJson(value);
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}...`;
}

function decodedBytes({ shape, meta: { dtype } }: ZarrArray): number | undefined {
  return dtype.itemSize === null ? undefined : sizeOf(shape) * dtype.itemSize;
}

function storageText({ storedBytes, objects, ratio }: StorageUse): string {
  return `${sizeText(storedBytes)} in ${objects} ${objects === 1 ? 'object' : 'objects'}${ratioText(ratio)}`;
}

/** @param ratio decoded bytes per stored byte */
function ratioText(ratio: number | undefined): string {
  return ratio === undefined || ratio <= 0 ? '' : `, compression ratio ${ratio.toPrecision(3)}`;
}

const sizeUnits = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

function sizeText(bytes: number | undefined): string {
  if (bytes === undefined) return 'of variable size';
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), sizeUnits.length);
  return `${(bytes / 1024 ** power).toPrecision(4)} ${sizeUnits[power - 1] ?? ''}`;
}
