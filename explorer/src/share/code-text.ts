/** Generates TypeScript and Python code and a curl command for the visible values. */
import { nameOf, operationsOf, parentOf, type Pick, type Recipe } from '../array/recipe.js';
import { graphqlText, numpyText } from './graphql-text.js';

export function typescriptText(recipe: Recipe, endpoint: string): string {
  return `${readText(recipe, endpoint)}console.log(values.shape, values.data);
`;
}

/** Code that reads the values into the variable `values`. */
export function readText(recipe: Recipe, endpoint: string): string {
  const operations = operationsOf(recipe);
  const { store, path, decode } = recipe;
  const parent = parentOf(path);
  const handle = decode
    ? `client.store(${quote(store)}).dataset(${parent === '/' ? '' : quote(parent)}).variable(${quote(nameOf(path))})`
    : `client.store(${quote(store)}).array(${quote(path)})`;
  const selection = selectionText(recipe);
  const imports = [`import { createClient } from 'zarrql-client';`];
  const isLazy = operations.length > 0 || recipe.field !== undefined;
  if (isLazy) imports.push(`import { lazySlice } from 'zarrql-client/analysis';`);
  const steps = operations.map((step) => {
    if ('reduce' in step) {
      const over = step.reduce.over.map(quote).join(', ');
      const name = {
        MEAN: 'mean',
        SUM: 'sum',
        MIN: 'min',
        MAX: 'max',
        STD: 'std',
        MEDIAN: 'median',
        COUNT: 'count',
      }[step.reduce.by];
      return `.${name}(${over})`;
    }
    const sizes = step.coarsen.to.map(({ dim, size }) => `${keyText(dim)}: ${size}`).join(', ');
    const { method } = step.coarsen;
    return `.coarsen({ ${sizes} }${method === undefined ? '' : `, { method: ${quote(method)} }`})`;
  });
  const field = recipe.field === undefined ? '' : `.field(${quote(recipe.field)})`;
  const value = !isLazy
    ? `await variable.slice(${selection === undefined ? '' : selection})`
    : `await lazySlice(variable${selection === undefined ? '' : `, ${selection}`})${field}${steps.join('')}.read()`;
  return `${imports.join('\n')}

const client = createClient({ url: ${quote(endpoint)} });
const variable = ${handle};
const values = ${value};
`;
}

function selectionText({ dims, areNamed }: Recipe): string | undefined {
  if (dims.every(({ pick }) => pick === 'all')) return undefined;
  if (!areNamed) return quote(dims.map(({ pick }) => numpyText(pick)).join(', '));
  const parts = dims.flatMap(({ key, pick }) =>
    pick === 'all' ? [] : [`${keyText(key)}: ${pickText(pick)}`],
  );
  return `{ ${parts.join(', ')} }`;
}

function pickText(pick: Exclude<Pick, 'all'>): string {
  return 'index' in pick ? String(pick.index) : `[${pick.span[0]}, ${pick.span[1]}]`;
}

export function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
}

export function curlText(recipe: Recipe, endpoint: string): string {
  const query = graphqlText(recipe).replace(/\s+/g, ' ').trim();
  const body = JSON.stringify({ query }).replaceAll("'", String.raw`'\''`);
  return `curl -s ${endpoint} -H 'content-type: application/json' -d '${body}'\n`;
}

/** Generates Python code that requires only the standard library and NumPy. */
export function pythonText(recipe: Recipe, endpoint: string): string {
  const query = graphqlText(recipe)
    .replace(/^( *)values$/m, '$1base64 { data dtype }')
    .trimEnd();
  const path = [
    'store',
    ...(recipe.decode ? ['dataset', 'variable'] : ['array']),
    'slice',
    ...(recipe.field === undefined ? [] : ['field']),
    ...operationsOf(recipe).map((step) => ('reduce' in step ? 'reduce' : 'coarsen')),
  ];
  return `import base64, json, urllib.request
import numpy as np

query = """${query.replaceAll('\\', '\\\\').replaceAll('"""', String.raw`\"""`)}"""
request = urllib.request.Request(
    ${JSON.stringify(endpoint)},
    json.dumps({"query": query}).encode(),
    {"content-type": "application/json"},
)
response = json.load(urllib.request.urlopen(request))
if response.get("errors"):
    raise RuntimeError(response["errors"])
part = response["data"]${path.map((name) => `["${name}"]`).join('')}
values = np.frombuffer(base64.b64decode(part["base64"]["data"]), part["base64"]["dtype"]).reshape([int(n) for n in part["shape"]])
print(values)
`;
}

/** A string literal in single quotes. */
export function quote(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll("'", String.raw`\'`)
    .replaceAll(String.raw`\"`, '"')}'`;
}
