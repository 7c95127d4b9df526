/** Writes a catalog as a TypeScript interface for `createClient<Stores>()`. Pure. */
import { attributesType } from './attribute-types.js';
import { commentText, propertyName, stringLiteral } from './literals.js';
import type { Catalog, CatalogArray, CatalogDataset, CatalogStore } from './read-catalog.js';

export interface WriteStoresOptions {
  /** The module that exports the types. @default 'zarrql-client' */
  readonly runtime?: string | undefined;
  /** Name of the interface. @default 'Stores' */
  readonly name?: string | undefined;
}

/**
 * Writes plain interfaces with one line per array, so that the compiler looks up a path instead of checking a union.
 * @returns the text of a module without imports at run time
 */
export function writeStores(catalog: Catalog, options: WriteStoresOptions = {}): string {
  const { runtime = 'zarrql-client', name = 'Stores' } = options;
  const stores = sortedOnce(catalog.stores, ({ name: store }) => store);
  const body = [
    '/** The stores of a gateway, for `createClient`. */',
    `export interface ${name} {`,
    ...stores.flatMap(storeLines),
    '}',
    '',
  ];
  const used = ['ArrayType', 'DTypeName', 'JsonValue'].filter((type) =>
    body.some((line) => line.includes(type)),
  );
  const head = ['// Written by `zarrql codegen`. Rerun it when the stores change.'];
  if (used.length > 0) head.push(`import type { ${used.join(', ')} } from ${stringLiteral(runtime)};`);
  return [...head, '', ...body].join('\n');
}

function storeLines({ name, description, arrays, groups, datasets }: CatalogStore): string[] {
  return [
    ...(description === null ? [] : [`  /** ${commentText(description)} */`]),
    `  readonly ${propertyName(name)}: {`,
    '    readonly arrays: {',
    ...arrayLines(arrays, '      '),
    '    };',
    '    readonly groups: {',
    ...sortedOnce(groups, ({ path }) => path).map(
      ({ path, attributes }) => `      readonly ${propertyName(path)}: ${attributesType(attributes)};`,
    ),
    '    };',
    '    readonly datasets: {',
    ...sortedOnce(datasets, ({ path }) => path).flatMap(datasetLines),
    '    };',
    '  };',
  ];
}

function datasetLines({ path, dimensions, variables }: CatalogDataset): string[] {
  return [
    `      readonly ${propertyName(path)}: {`,
    `        readonly dimensions: ${unionOf(dimensions)};`,
    '        readonly variables: {',
    ...arrayLines(variables, '          '),
    '        };',
    '      };',
  ];
}

function arrayLines(arrays: readonly CatalogArray[], indent: string): string[] {
  return sortedOnce(arrays, ({ path }) => path).flatMap((array) => {
    const { path, dtype, dimensions, attributes } = array;
    const type = dtype === undefined ? 'DTypeName' : stringLiteral(dtype);
    return [
      `${indent}/** ${describe(array)} */`,
      `${indent}readonly ${propertyName(path)}: ArrayType<${type}, ${unionOf(dimensions)}, ${attributesType(attributes)}>;`,
    ];
  });
}

/** `float32 [TIME: 12, COADSY: 90]: SEA SURFACE TEMPERATURE, Deg C` */
function describe({ dtype, shape, dimensions, attributes }: CatalogArray): string {
  const sizes = shape.map((size, d) => (dimensions[d] == null ? `${size}` : `${dimensions[d]}: ${size}`));
  const { long_name: longName, units } = attributes;
  const about = [longName, units].flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : []));
  return commentText(
    `${dtype ?? 'unsupported type'} [${sizes.join(', ')}]${about.length === 0 ? '' : `: ${about.join(', ')}`}`,
  );
}

function unionOf(names: readonly (string | null)[]): string {
  const known = [...new Set(names)].flatMap((name) => (name === null ? [] : [stringLiteral(name)]));
  return known.length === 0 ? 'never' : known.join(' | ');
}

/** Sorts in code point order and removes duplicate names, because members of an interface must be unique. */
function sortedOnce<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const byName = new Map<string, T>();
  for (const item of items) if (!byName.has(nameOf(item))) byName.set(nameOf(item), item);
  return [...byName.entries()].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
}
