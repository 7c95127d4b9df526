/**
 * Documents that are generated from the schemas of stores equal xarray's answers: odd names, calendars, curvilinear
 * grids, text, packed values, families and pyramids. The schema alone determines the documents; the store only says
 * which labels it has.
 */
import fc from 'fast-check';
import { type GraphQLField, type GraphQLObjectType, isObjectType } from 'graphql';
import { afterAll, expect, test } from 'vitest';
import { createGateway, fullAccess, type Gateway } from '../../server/index.js';
import { zarrOf } from '../../server/typed/describe.js';
import { openStoreFromUrl } from '../../server/zarr/index.js';
import { findPython, runScript, seed, temporaryFolder } from './python.js';

const stores = ['names', 'days360', 'noleap', 'curvilinear', 'stations', 'packed', 'tree', 'pyramid'];
const python = await findPython('datasets');
const folder = await temporaryFolder();
afterAll(() => folder.remove());

type Label = string | number;

interface Dim {
  readonly name: string;
  readonly graphql: string;
  /** The type of the argument. */
  readonly type: string;
  readonly size: number;
  /** Undefined for a dimension without an index. */
  readonly labels: readonly Label[] | undefined;
}

interface Variable {
  readonly store: string;
  readonly group: string;
  readonly name: string;
  /** The fields from the root. */
  readonly fields: readonly string[];
  readonly dims: readonly Dim[];
  readonly result: GraphQLObjectType;
}

interface Step {
  readonly dim: string;
  readonly by: string;
  readonly value: Label | readonly (Label | null)[];
}

interface Question {
  readonly variable: Variable;
  readonly document: string;
  readonly select: readonly Step[];
  readonly operation: { readonly by: string; readonly over: readonly string[] } | null;
}

interface Answer {
  readonly values: unknown;
  readonly dims: readonly string[];
  readonly labels: Readonly<Record<string, unknown>>;
}

const shown = 'values(nonFinite: NULL) dimensions { name } coordinates { _all { name values } }';

async function dataOf(gateway: Gateway, store: string, document: string): Promise<Record<string, unknown>> {
  const { data, errors } = await gateway.as(fullAccess).forStore(store).execute({ document });
  expect(errors, document).toBeUndefined();
  const plain: Record<string, unknown> = JSON.parse(JSON.stringify(data));
  return plain;
}

/** The innermost object below a path of fields. */
function below(data: unknown, depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((at) => Object.values(Object(at))[0], data);
}

/** The arrays of a schema that are selected by name, with the labels of their dimensions. */
async function variablesOf(gateway: Gateway, store: string): Promise<Variable[]> {
  const schema = await gateway.as(fullAccess).forStore(store).schema();
  const found: Variable[] = [];
  const known = new Map<string, readonly Label[] | undefined>();
  const visit = async (type: GraphQLObjectType, group: string, fields: readonly string[]): Promise<void> => {
    const indexes = new Map<string, GraphQLField<unknown, unknown>>();
    for (const field of Object.values(type.getFields())) indexes.set(zarrOf(field).name ?? field.name, field);
    for (const field of Object.values(type.getFields())) {
      const { type: result } = field;
      if (field.name.startsWith('_') || !isObjectType(result)) continue;
      const name = zarrOf(field).name ?? field.name;
      const path = [...fields, field.name];
      if (result.getFields()['_name'] !== undefined) {
        await visit(result, `${group === '/' ? '' : group}/${name}`, path);
        continue;
      }
      const dims: Dim[] = [];
      const { shape } = Object(below(await dataOf(gateway, store, nested(path, 'shape')), path.length));
      // A dimension's argument takes a selection; others, such as a place, take other inputs.
      const selections = field.args.filter((argument) => String(argument.type).endsWith('Selection'));
      expect(selections.length, path.join('.')).toBe(shape.length);
      for (const [d, argument] of selections.entries()) {
        const dim = zarrOf(argument).name ?? argument.name;
        const index = indexes.get(dim);
        const key = `${group} ${dim}`;
        if (index !== undefined && !known.has(key)) {
          const values = await dataOf(gateway, store, nested([...fields, index.name], 'values'));
          const labels: readonly Label[] = Object(below(values, path.length)).values;
          known.set(key, String(argument.type) === 'IntegerSelection' ? labels.map(Number) : labels);
        }
        dims.push({ name: dim, graphql: argument.name, type: String(argument.type), size: Number(shape[d]), labels: known.get(key) }); // prettier-ignore
      }
      found.push({ store, group, name, fields: path, dims, result });
    }
  };
  const query = schema.getQueryType();
  if (query) await visit(query, '/', []);
  return found;
}

function nested(fields: readonly string[], inner: string): string {
  return fields.reduceRight((text, field) => `${field} { ${text} }`, inner).replace(/^/, '{ ') + ' }';
}

interface Selection extends Step {
  readonly graphql: string;
}

const text = (value: unknown): string => JSON.stringify(value);

function selectionOf({ name, graphql, type, size, labels }: Dim): fc.Arbitrary<Selection> {
  const position = fc.integer({ min: 0, max: size - 1 });
  const make = (by: string, value: Step['value'], typed: string): Selection => ({ dim: name, by, value, graphql: `${graphql}: {${typed}}` }); // prettier-ignore
  const forms: fc.Arbitrary<Selection>[] = [
    position.map((at) => make('index', at, `index: ${at}`)),
    fc.tuple(position, position).map(([a, b]) => make('slice', [Math.min(a, b), Math.max(a, b) + 1], `slice: {start: ${Math.min(a, b)}, stop: ${Math.max(a, b) + 1}}`)), // prettier-ignore
    fc.array(position, { minLength: 1, maxLength: 3 }).map((all) => make('indices', all, `indices: [${all.join(', ')}]`)), // prettier-ignore
  ];
  if (labels === undefined) return fc.oneof(...forms);
  const label = position.map((at) => labels[at] ?? 0);
  forms.push(label.map((value) => make('at', value, `at: ${text(value)}`)));
  if (type !== 'TextSelection') {
    const sorted = (a: Label, b: Label): [Label, Label] => (labels.indexOf(a) <= labels.indexOf(b)) === isAscending(labels) ? [a, b] : [b, a]; // prettier-ignore
    forms.push(
      fc.tuple(label, label).map(([a, b]) => make('between', sorted(a, b), `between: {from: ${text(sorted(a, b)[0])}, to: ${text(sorted(a, b)[1])}}`)), // prettier-ignore
    );
  }
  if (type === 'DateSelection') forms.push(label.map((value) => make('during', String(value).slice(0, 7), `during: ${text(String(value).slice(0, 7))}`))); // prettier-ignore
  if (type === 'NumberSelection' || type === 'LongitudeSelection')
    forms.push(
      label.map((value) => make('near', Number(value) + 0.125, `near: ${Number(value) + 0.125}`)),
      fc.uniqueArray(label, { minLength: 1, maxLength: 3 }).map((all) => make('values', all, `values: [${all.map(text).join(', ')}]`)), // prettier-ignore
    );
  return fc.oneof(...forms);
}

function isAscending(labels: readonly Label[]): boolean {
  const [first, last] = [labels[0], labels.at(-1)];
  return first === undefined || last === undefined || first <= last;
}

function questionOf(variable: Variable): fc.Arbitrary<Question> {
  const { dims, fields, result } = variable;
  const methods = ['mean', 'sum', 'min', 'max', 'std', 'median', 'count'].filter((name) => result.getFields()[name]?.args.some((argument) => argument.name === 'over')); // prettier-ignore
  return fc.subarray([...dims]).chain((chosen) =>
    fc.tuple(...chosen.map(selectionOf)).chain((selections) => {
      const dropped = new Set(selections.filter(({ by }) => ['index', 'at', 'near'].includes(by)).map(({ dim }) => dim)); // prettier-ignore
      const left = dims.filter(({ name }) => !dropped.has(name));
      const none = fc.constant<Question['operation']>(null);
      const some = fc.tuple(fc.constantFrom('', ...methods), fc.subarray([...left])).map(([by, over]): Question['operation'] => (by === '' || over.length === 0 ? null : { by, over: over.map(({ name }) => name) })); // prettier-ignore
      return fc.oneof(none, some, some).map((operation) => {
        const args =
          selections.length === 0 ? '' : `(${selections.map(({ graphql }) => graphql).join(', ')})`;
        const over = operation?.over.map((name) => dims.find((dim) => dim.name === name)?.graphql ?? '');
        const steps = operation === null ? [] : [`${operation.by}(over: [${over?.join(', ')}])`];
        const document = nested([...fields.slice(0, -1), `${fields.at(-1)}${args}`, ...steps], shown);
        const select = selections.map(({ dim, by, value }) => ({ dim, by, value }));
        return { variable, document, select, operation };
      });
    }),
  );
}

/** Whether two nested lists are equal, numbers within the error of single precision. */
function difference(own: unknown, theirs: unknown): string | undefined {
  if (Array.isArray(own) && Array.isArray(theirs)) {
    if (own.length !== theirs.length) return `${own.length} instead of ${theirs.length} items`;
    return own.map((item, i) => difference(item, theirs[i])).find((found) => found !== undefined);
  }
  const [a, b] = [plain(own), plain(theirs)];
  const isClose = typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(a), Math.abs(b)); // prettier-ignore
  return a === b || isClose ? undefined : `${text(own)} instead of ${text(theirs)}`;
}

/** Large integers are text in JSON. */
function plain(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
}

test('documents of the schemas equal the answers of xarray', { timeout: 300_000 }, async (context) => {
  if ('missing' in python) return context.skip(python.missing);
  await runScript(python.command, 'held_out.py', ['write', folder.path]);
  const gateway = createGateway({ stores: stores.map((name) => ({ name, store: openStoreFromUrl(name, new URL(`file://${folder.path}/${name}.zarr`).href) })) }); // prettier-ignore
  try {
    const variables = (await Promise.all(stores.map((store) => variablesOf(gateway, store)))).flat();
    // Every variable of every store, among them those of 24 groups of a family and 3 levels of a pyramid.
    expect(variables.length).toBeGreaterThan(70);
    const questions = variables.flatMap((variable) => fc.sample(questionOf(variable), { numRuns: variable.store === 'tree' ? 2 : 12, seed })); // prettier-ignore
    const asked = questions.map(({ variable: { store, group, name }, select, operation }) => ({ store, group, name, select, operation })); // prettier-ignore
    const { stdout } = await runScript(python.command, 'held_out.py', ['answer', folder.path], JSON.stringify(asked)); // prettier-ignore
    const answers: readonly Answer[] = JSON.parse(stdout);
    const problems: string[] = [];
    for (const [i, { variable, document, operation }] of questions.entries()) {
      const answer = answers[i];
      if (answer === undefined) throw new Error('an answer is missing');
      const depth = variable.fields.length + (operation === null ? 0 : 1);
      const own = Object(below(await dataOf(gateway, variable.store, document), depth));
      const labels: Record<string, unknown> = Object.fromEntries(own.coordinates._all.map((one: { readonly name: string; readonly values: unknown }) => [one.name, one.values])); // prettier-ignore
      const found =
        difference(own.values, answer.values) ??
        difference(own.dimensions.map((dim: { readonly name: string }) => dim.name), answer.dims) ??
        Object.entries(answer.labels).map(([name, theirs]) => difference(labels[name], theirs)).find((one) => one !== undefined); // prettier-ignore
      if (found !== undefined) problems.push(`${variable.store} ${document}: ${found}`);
    }
    expect(problems).toEqual([]);
  } finally {
    await gateway.close();
  }
});
