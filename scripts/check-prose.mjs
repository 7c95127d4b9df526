// Finds phrases that docs/glossary.md and plain technical English replace, in comments, messages and
// documentation. List a phrase only if it is wrong everywhere, because single lines cannot be exempted.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The files and folders to check. Add a folder when it passes. */
export const scope = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'bench',
  'client',
  'docs',
  'examples',
  'explorer',
  'schema',
  'scripts',
  'server',
  'test',
  'wire',
];

/** @type {[phrase: string, suggestion: string][]} A space matches any white space and the start of a comment line. */
const phrases = [
  // Relative clauses instead of a noun.
  ['(that|which) (is|are) none', 'an adjective: "malformed", "invalid"'],
  ['that there (is|are) not\\b', '"unknown", "missing"'],
  ['such as (is|are)\\b', 'a noun'],
  ['what is (left out|not there)', '"omitted", "missing"'],
  ['is there already', '"already exists"'],
  ['unless told otherwise', '"by default"'],
  ['as (is|was) said', 'the term'],
  [
    '(?<!there )(is|are) no (numbers?|labels?|polygons?|variables?|pictures?|leaks?|categories)',
    '"not a number", "not numbers"',
  ],
  ['passed over', '"ignored", "skipped"'],
  ['(is|are) (not )?absence\\b', '"counts as absent"'],
  ['(is|are) what is', 'the noun'],
  ['belongs? to no', '"does not belong to"'],
  ['what (is|was) (shown|drawn|asked|computed)', 'a noun: "visible values", "result"'],
  // Vague words for people instead of their role.
  ['who (asks|may ask|is asking|is let in)', '"caller", "client"'],
  ['whoever', '"anyone who", "the caller"'],
  ['asks? nobody', '"has no authentication"'],
  ['of strangers', '"untrusted"'],
  ['(client|caller|request|query|page) asks for', '"requests"'],
  ['asks? too much', '"rate limit exceeded"'],
  // Idioms that are not English.
  ['anew', '"again", or a verb with "re-"'],
  ['under way', '"in flight", "running"'],
  ['comes? along with', '"includes"'],
  ['(hold|holds|held) against', '"compare with"'],
  ['(cannot|can|could|could not) be had', '"cannot be fetched", "is unavailable"'],
  ['in the making', '"new"'],
  ['(has|have) no say', '"has no effect"'],
  ['stands? (twice|in the (log|file|configuration|path))', '"appears", "is set"'],
  ['went away', '"disconnected"'],
  ['somebody else', '"another writer", "another program"'],
  ['beside (xarray|NumPy|a naive)', '"compared with"'],
  ['taken (whole|completely)', '"selected entirely"'],
  ['cut short', '"truncated"'],
  ['of (your|our) own', '"custom"'],
  ['for strangers', '"for untrusted callers"'],
  ['whatever (its|their|the|it|they)', '"any", "regardless of"'],
  ['no matter', '"regardless of"'],
  ['turn by turn', '"in several turns of the event loop"'],
  ['such as are', 'a noun'],
  ['put together', '"merged", "combined"'],
  ['tak(e|es|ing|en) part', '"is used", "uses"'],
  ['in (its|their) own process(es)?', '"in a separate process"'],
  ['of (its|their) own', '"separate", or omit it'],
  ['through shards', '"of sharded data"'],
  ['maximum bytes of', '"maximum size of … in bytes"'],
  ['safe to show', 'who may see it'],
  ['errors of (opening|reading|listing|decoding)', '"errors from"'],
];

const patterns = phrases.map(
  ([phrase, suggestion]) => [new RegExp(`\\b${phrase.replaceAll(' ', '[\\s/*#>|]+')}\\b`, 'gi'), suggestion], // prettier-ignore
);

/** Code samples in Markdown are not prose. Line breaks stay, so that line numbers remain right. */
function withoutCode(file, text) {
  if (!file.endsWith('.md')) return text;
  return text.replace(/^```[^]*?^```$|`[^`\n]*`/gm, (code) => code.replace(/[^\n]/g, '_'));
}

/** One line per phrase found: `docs/a.md:3: "whoever": try "anyone who", "the caller"`. */
export function findPhrases(file, text) {
  const prose = withoutCode(file, text);
  return patterns.flatMap(([pattern, suggestion]) =>
    [...prose.matchAll(pattern)].map((match) => {
      const line = prose.slice(0, match.index).split('\n').length;
      return `${file}:${line}: "${match[0].replace(/[\s/*#>|]+/g, ' ')}": try ${suggestion}`;
    }),
  );
}

const checked = /\.(md|graphql|tsx?|mjs|css|py|sh|c|h)$/;
const skipped = /(^|\/)((node_modules|dist|generated|data)\/|scripts\.test|check-prose)/;

function filesIn(root, path) {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true })
    .map((file) => `${path}/${file}`.replaceAll('\\', '/'))
    .filter((file) => checked.test(file) && !skipped.test(file));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = join(import.meta.dirname, '..');
  const paths = process.argv.length > 2 ? process.argv.slice(2) : scope;
  const files = paths.flatMap((path) => filesIn(root, path)).toSorted((a, b) => (a < b ? -1 : 1));
  const lines = files.flatMap((file) => findPhrases(file, readFileSync(join(root, file), 'utf8')));
  for (const line of lines) console.error(line);
  if (lines.length > 0) process.exitCode = 1;
}
