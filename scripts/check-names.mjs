// Two different things never share an exported name within the server (with `wire/`), or within the client (with
// `wire/`), so that a search for a name finds one thing. The files that replace others in browsers (the defaults of
// package.json's imports) export the names of those that they replace.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = dirname(import.meta.dirname);
/** GraphQL Code Generator calls the function with this name of each plugin. */
const allowed = new Set(['plugin']);
const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm;

/**
 * @param {ReadonlyMap<string, string>} texts texts of files by path
 * @returns {string[]} a complaint for each name that two files export
 */
export function homonyms(texts) {
  const files = new Map();
  for (const [path, text] of texts)
    for (const [, name] of text.matchAll(declaration))
      if (!allowed.has(name)) files.set(name, new Set([...(files.get(name) ?? []), path]));
  return [...files].flatMap(([name, found]) =>
    found.size > 1 ? [`${name} is exported by ${[...found].join(' and ')}; rename one of them`] : [],
  );
}

function textsOf(folders) {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const defaults = Object.values(imports).map(({ default: file }) =>
    file.replace('./dist/', '').replace(/js$/, 'ts'),
  );
  const paths = globSync(`{${folders}}/**/*.ts`, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)(generated|dist|node_modules)\//.test(path) && !defaults.includes(path));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = [...homonyms(textsOf('server,wire')), ...homonyms(textsOf('client,wire'))];
  for (const complaint of found) console.error(complaint);
  if (found.length > 0) process.exitCode = 1;
}
