/**
 * The files of the explorer, which `npm run build` writes to dist/explorer. They are small, so they are kept in
 * memory.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PageFile {
  readonly type: string;
  /** A strong ETag of the uncompressed content. */
  readonly etag: string;
  /** Content by its encoding. */
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

export interface ExplorerFiles {
  readonly page: PageFile;
  /** The files below `/assets/` by name. Each name contains a hash of the content. */
  readonly assets: ReadonlyMap<string, PageFile>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The built files, which are next to dist/server even if this program runs from its sources. */
const BUILT_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/explorer/' : '../../explorer/', import.meta.url),
);

/** @returns undefined if the page was not built */
export function readExplorerFiles(folder = BUILT_FOLDER): ExplorerFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = readdirSync(join(folder, 'assets')).filter((name) => types[extname(name)] !== undefined);
  return {
    page: readPageFile(join(folder, 'index.html')),
    assets: new Map(names.map((name) => [name, readPageFile(join(folder, 'assets', name))])),
  };
}

function readPageFile(path: string): PageFile {
  return createPageFile(
    types[extname(path)] ?? '',
    readFileSync(path),
    readIfPresent(`${path}.br`),
    readIfPresent(`${path}.gz`),
  );
}

function createPageFile(type: string, plain: Buffer, br?: Buffer, gzip?: Buffer): PageFile {
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
  return { type, etag, plain, br, gzip };
}

function readIfPresent(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}

const GRAPHIQL_MARK = '<meta name="graphiql" content="on"';

/** The page without links to GraphiQL. */
export function withoutGraphiql({ type, plain }: PageFile): PageFile {
  return createPageFile(
    type,
    Buffer.from(plain.toString('utf8').replace(GRAPHIQL_MARK, GRAPHIQL_MARK.replace('on"', 'off"'))),
  );
}
