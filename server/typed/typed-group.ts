/** Groups of the generated schema: a path, and the selections that `_select` made. */
import { cutAlike, type CutDataset } from '../dataset/cut-dataset.js';
import { isVariable } from '../dataset/variable.js';
import { NotFoundError, withContext } from '../zarr/index.js';
import type { GatewayContext } from '../resolvers/context.js';
import { selectDataset } from '../resolvers/datasets/dataset.js';
import type { DatasetComputeArgs } from '../resolvers/generated/types.js';
import type { DatasetModel, GroupModel, StoreModel } from '../resolvers/models.js';
import { sliceOfExpression, sliceOfVariable, wholeArray } from '../resolvers/slices/slice-model.js';
import type { ArrayFacts } from './facts.js';
import {
  type GivenSelections,
  inTypedWords,
  namedSelections,
  selectTyped,
  type TypedSlice,
} from './typed-slice.js';

export class TypedGroup {
  readonly store: StoreModel;
  readonly path: string;
  readonly #steps: CutDataset['steps'];
  #dataset: Promise<DatasetModel> | undefined;

  constructor(store: StoreModel, path: string, steps: CutDataset['steps'] = []) {
    this.store = store;
    this.path = path;
    this.#steps = steps;
  }

  get name(): string {
    return this.path.slice(this.path.lastIndexOf('/') + 1);
  }

  /** A node below the group. */
  pathOf(name: string): string {
    return this.path === '/' ? `/${name}` : `${this.path}/${name}`;
  }

  child(name: string): TypedGroup {
    return new TypedGroup(this.store, this.pathOf(name), this.#steps);
  }

  node({ nodes }: GatewayContext): Promise<GroupModel> {
    return nodes.group(this.store, this.path);
  }

  /** The dataset with the selections, opened once for all fields. @throws errors from opening it */
  dataset({ datasets }: GatewayContext): Promise<DatasetModel> {
    this.#dataset ??= this.#open(datasets);
    return this.#dataset;
  }

  async #open(datasets: GatewayContext['datasets']): Promise<DatasetModel> {
    const { store, path } = this;
    const { cut } = await datasets.open(store, path);
    try {
      return { store, cut: await cutAlike(cut, this.#steps, datasets.coordinates) };
    } catch (error) {
      throw withContext(error, { store: store.name, path });
    }
  }

  /** @throws errors from the selection */
  async select(given: GivenSelections, context: GatewayContext): Promise<TypedGroup> {
    const { store, path } = this;
    if (given.length === 0) return this;
    const dataset = await this.dataset(context);
    const { cut } = await inTypedWords(selectDataset(dataset, namedSelections(given), context));
    return new TypedGroup(store, path, cut.steps);
  }

  /**
   * The slice of one of its arrays.
   * @returns undefined if the group has no such variable
   * @throws the error of an array that is not a variable; errors from the selection
   */
  async slice(
    { name, role, dims }: Pick<ArrayFacts, 'name' | 'role' | 'dims'>,
    given: GivenSelections,
    context: GatewayContext,
  ): Promise<TypedSlice | undefined> {
    if (role === 'array') {
      const array = await context.nodes.array(this.store, this.path === '/' && name === '' ? '/' : this.pathOf(name)); // prettier-ignore
      const whole = { model: wholeArray(array), variable: undefined, array, axes: dims };
      return selectTyped(whole, given, context);
    }
    const dataset = await this.dataset(context);
    const variable = dataset.cut.dataset.variables.get(name);
    if (variable === undefined) return undefined;
    if (!isVariable(variable)) throw variable;
    const found = { dataset, variable };
    const select = given.length === 0 ? undefined : { named: namedSelections(given) };
    const model = await inTypedWords(
      sliceOfVariable(found, { select, decode: true, maskOutOfRange: false }, context),
    );
    return { model, variable: found, array: { store: this.store, node: variable.array }, axes: undefined };
  }

  async compute(args: DatasetComputeArgs, context: GatewayContext): Promise<TypedSlice> {
    const model = await sliceOfExpression(await this.dataset(context), args, context);
    return { model, variable: undefined, array: undefined, axes: undefined };
  }

  /** The error for a node that does not exist any more, or that the caller may not read. */
  missing(name: string): NotFoundError {
    return new NotFoundError('no node at this path', { where: { store: this.store.name, path: this.pathOf(name) } }); // prettier-ignore
  }
}
