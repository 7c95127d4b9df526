/**
 * Divides programs by the axes of their inputs: what does not vary along all axes of the result is computed once for the
 * axes that it varies along, such as `cos(lat)` in `t * cos(lat)`. The same operations run on the same operands, so that
 * results have the same bits. Pure.
 */
import { defined } from '../../../wire/guards.js';
import { type FixedSizeType, numberType } from '../../core/dtype/data-type.js';
import { createGraph, type Graph, type Vertex } from './graph.js';
import type { Program, Step } from './program.js';

/** A program whose result is an input of the programs after it. */
export interface Stage {
  readonly program: Program;
  /** The axes along which the result varies, in ascending order. */
  readonly axes: readonly number[];
}

export interface StagedPrograms {
  /** Each in its turn. The result of stage `k` of `n` inputs is the input `n + k`. */
  readonly stages: readonly Stage[];
  /** The given programs, with results of stages as inputs. */
  readonly programs: readonly Program[];
}

/** @param axes the axes along which each input varies, without those of length 1 */
export function stagesOf(programs: readonly Program[], axes: readonly (readonly number[])[]): StagedPrograms {
  const graph = createGraph();
  const results = programs.map((program) => addProgram(graph, program));
  const { vertices } = graph;
  const axesOf = variesAlong(vertices, axes);
  const all = new Set(axes.flat());
  const hoisted = new Set<number>();
  const use = (arg: number, usedAlong: number): void => {
    if ('kernel' in defined(vertices[arg]).from && defined(axesOf[arg]).length < usedAlong) hoisted.add(arg);
  };
  vertices.forEach(({ from }, v) => {
    if ('kernel' in from) for (const arg of from.args) use(arg, defined(axesOf[v]).length);
  });
  for (const result of results) use(result, all.size);
  if (hoisted.size === 0) return { stages: [], programs };
  const inputs = new Map([...hoisted].toSorted((a, b) => a - b).map((v, k) => [v, axes.length + k]));
  const stages = [...inputs.keys()].map((v) => ({
    program: programFrom(vertices, inputs, v, true),
    axes: defined(axesOf[v]),
  }));
  return {
    stages,
    programs: programs.map(({ result: { dtype } }, k) =>
      programFrom(vertices, inputs, defined(results[k]), false, dtype),
    ),
  };
}

/** @returns the vertex of the result */
function addProgram(graph: Graph, { registers, loads, constants, steps, result }: Program): number {
  const vertexIn = new Map<number, number>();
  const kindOf = (register: number) => defined(registers[register]);
  for (const { input, dtype, register } of loads)
    vertexIn.set(register, graph.load(input, dtype, kindOf(register)));
  for (const { register, value } of constants)
    vertexIn.set(register, graph.constant(value, kindOf(register)));
  for (const { kernel, out, args, narrow } of steps)
    vertexIn.set(out, graph.step(kernel, args.map((arg) => defined(vertexIn.get(arg))), kindOf(out), narrow)); // prettier-ignore
  return defined(vertexIn.get(result.register));
}

/** For each vertex, the axes of its inputs in ascending order. */
function variesAlong(
  vertices: readonly Vertex[],
  axes: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const along: (readonly number[])[] = [];
  for (const { from } of vertices) {
    const own =
      'kernel' in from
        ? from.args.flatMap((arg) => defined(along[arg]))
        : 'load' in from
          ? defined(axes[from.load])
          : [];
    along.push([...new Set(own)].toSorted((a, b) => a - b));
  }
  return along;
}

/**
 * The program that computes a vertex, with hoisted ones as inputs.
 * @param isStage whether the vertex is a hoisted one, which is then computed and not loaded
 * @param dtype type of the result; by default the type in which a register holds it
 */
function programFrom(
  vertices: readonly Vertex[],
  inputs: ReadonlyMap<number, number>,
  result: number,
  isStage: boolean,
  dtype: FixedSizeType = heldType(defined(vertices[result])),
): Program {
  const graph = createGraph();
  const inputOf = (v: number): number | undefined => (isStage && v === result ? undefined : inputs.get(v));
  const needed = new Set([result]);
  for (let v = result; v >= 0; v--) {
    const { from } = defined(vertices[v]);
    if (needed.has(v) && 'kernel' in from && inputOf(v) === undefined)
      for (const arg of from.args) needed.add(arg);
  }
  const copies = new Map<number, number>();
  vertices.slice(0, result + 1).forEach((vertex, v) => {
    if (!needed.has(v)) return;
    const { kind, from } = vertex;
    const input = inputOf(v);
    if (input !== undefined) copies.set(v, graph.load(input, heldType(vertex), kind));
    else if ('load' in from) copies.set(v, graph.load(from.load, from.dtype, kind));
    else if ('constant' in from) copies.set(v, graph.constant(from.constant, kind));
    else {
      const args = from.args.map((arg) => defined(copies.get(arg)));
      copies.set(v, graph.step(from.kernel, args, kind, from.narrow));
    }
  });
  return graph.program(defined(copies.get(result)), dtype);
}

/** Steps whose results are 0 or 1. */
const tests: ReadonlySet<Step['kernel']> = new Set<Step['kernel']>([
  ...(['isnan', 'equal', 'notEqual', 'less', 'lessOrEqual', 'and', 'or', 'not'] as const),
  ...(['isnanSingles', 'equalSingles', 'notEqualSingles', 'lessSingles', 'lessOrEqualSingles', 'truthOfSingles'] as const),
  ...(['equalWords', 'notEqualWords', 'lessWords', 'lessOrEqualWords', 'truthOfWords'] as const),
]); // prettier-ignore

/** The data type that represents the values of a register exactly: booleans as such, because compiled code loads them as masks. */
function heldType({ kind, from }: Vertex): FixedSizeType {
  if ('kernel' in from && tests.has(from.kernel)) return numberType('bool');
  if (kind === 'single') return numberType('float32');
  return numberType(kind === 'float' ? 'float64' : kind);
}
