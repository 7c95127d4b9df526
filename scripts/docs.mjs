// `npm run docs`: builds the documentation site in site/dist, and serves it. `npm run docs -- --build` only builds it.
// The pages are those of docs/, with the results of examples, and reference that is generated from the code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from './build.mjs';
import { installIn } from './installed.mjs';
import { referencePages } from './docs-reference.mjs';

const root = dirname(import.meta.dirname);
const site = join(root, 'site');
const pages = join(site, 'pages');

/** Pages from outside docs/, by their name in the site. */
const others = { 'contributing.md': 'CONTRIBUTING.md', 'changelog.md': 'CHANGELOG.md' };

async function stage() {
  rmSync(pages, { recursive: true, force: true });
  cpSync(join(root, 'docs'), pages, { recursive: true, filter: (path) => !path.endsWith('words.txt') });
  for (const [name, file] of Object.entries(others)) cpSync(join(root, file), join(pages, name));
  mkdirSync(join(pages, 'public'), { recursive: true });
  cpSync(join(root, 'explorer/icon.svg'), join(pages, 'public/icon.svg'));
  writeFileSync(join(pages, 'index.md'), homePage(readFileSync(join(root, 'README.md'), 'utf8')));
  mkdirSync(join(pages, 'reference'));
  for (const [name, text] of Object.entries(await referencePages()))
    writeFileSync(join(pages, 'reference', `${name}.md`), text);
  for (const name of readdirSync(pages, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.md')) adapt(name);
}

/** The results of the examples, by page and query. @type {Record<string, Record<string, unknown>>} */
const results = JSON.parse(readFileSync(join(root, 'test/golden/docs.json'), 'utf8'));

/** Adds the result of each example that has none. @param {string} name of a page @param {string} text */
function withResults(name, text) {
  const known = results[`docs/${name}`] ?? {};
  return text.replace(
    /^```graphql(?: \w+)?\n([^]*?)^```\n(?:\n```json variables\n([^]*?)^```\n)?/gm,
    (block, code, variables = '') => {
      const result = known[code + variables];
      return result === undefined
        ? block
        : `${block}\n\`\`\`json\n${JSON.stringify(result, undefined, 2)}\n\`\`\`\n`;
    },
  );
}

/** @type {Record<string, string>} */
const tables = JSON.parse(readFileSync(join(root, 'test/golden/formats.json'), 'utf8'));

/** The tables of data types and codecs. @param {string} text */
function withTables(text) {
  return text.replaceAll(/^<!-- table: (\w+) -->$/gm, (_, name) => tables[name] ?? '');
}

/** Links to files of deploy/ and docs/proxies become links to their text at the end. @param {string} text */
function withFiles(text) {
  const files = new Set();
  const linked = text.replaceAll(/\]\(((?:\.\.\/deploy|proxies)\/[\w./-]+)\)/g, (_, file) => {
    files.add(file);
    return `](#${anchorOf(file)})`;
  });
  const shown = [...files].map((file) => {
    const language = /\.ya?ml$/.test(file) ? 'yaml' : file.endsWith('.conf') ? 'nginx' : 'text';
    return `### ${file.replace('../', '')} {#${anchorOf(file)}}\n\n\`\`\`${language}\n${readFileSync(join(root, 'docs', file), 'utf8')}\`\`\`\n`;
  });
  return files.size === 0 ? text : `${linked}\n## Files\n\n${shown.join('\n')}`;
}

/** @param {string} file */
function anchorOf(file) {
  return `file-${file.replaceAll(/\W/g, '-').toLowerCase()}`;
}

/** Links as the site has them. @param {string} name of a page */
function adapt(name) {
  const file = join(pages, name);
  const text = withFiles(withTables(withResults(name, readFileSync(file, 'utf8'))))
    .replaceAll(/\]\((?:\.\.\/)*CONTRIBUTING\.md/g, '](/contributing.md')
    .replaceAll(/\]\((?:\.\.\/)*CHANGELOG\.md/g, '](/changelog.md')
    .replaceAll(/\]\(docs\//g, '](')
    // Files that are no pages.
    .replaceAll(
      /\[([^\]]*)\]\((?:\.\.\/)*(?:test|examples|bench|scripts|server|python|deploy)(?:\/[^)]*)?\)/g,
      '$1',
    )
    .replaceAll(/\]\(((?:[\w./-]*\/)?)decisions\)/g, ']($1decisions/formats.md)')
    .replaceAll(/\]\(((?:[\w./-]*\/)?)README\.md/g, ']($1index.md');
  const isIndex = name.endsWith('README.md');
  if (isIndex) rmSync(file);
  writeFileSync(isIndex ? join(dirname(file), 'index.md') : file, text);
}

/** The front page: the README without its title. @param {string} readme */
function homePage(readme) {
  // The size of the picture keeps its place while it loads.
  const body = readme
    .replace(/^# .*\n/, '')
    .replace(/\n## Development[^]*?(?=\n## Licence)/, '')
    .replace(
      /^!\[(.*)\]\((?:docs\/)?(images\/.*)\)$/m,
      '<img src="./$2" alt="$1" width="1180" height="760" fetchpriority="high">',
    );
  return `---\nsidebar: true\n---\n\n# zarrql\n${body}`;
}

/** @param {string[]} args @returns {Promise<boolean>} whether the tool has succeeded */
async function run(...args) {
  const tool = join(site, 'node_modules/vitepress/bin/vitepress.js');
  const child = spawn(process.execPath, [tool, args[0] ?? '', site, ...args.slice(1)], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = code ?? 1;
  return code === 0;
}

await build({ ifStale: true });
installIn(site);
await stage();
if ((await run('build')) && !process.argv.includes('--build')) await run('preview', '--port', '4173');
