/** The steps of a program before register assignment. Each step uses earlier ones; equal steps are computed once. */
import type { FixedSizeType } from '../../core/dtype/data-type.js';
import type { KernelName, NarrowName, Program, RegisterKind } from './program.js';

export interface Vertex {
  readonly kind: RegisterKind;
  readonly from:
    | { readonly load: number; readonly dtype: FixedSizeType }
    | { readonly constant: number | bigint }
    | { readonly kernel: KernelName; readonly args: readonly number[]; readonly narrow?: NarrowName };
}

/** `load`, `constant` and `step` return the index of a vertex. */
export type Graph = ReturnType<typeof createGraph>;

export function createGraph() {
  const vertices: Vertex[] = [];
  const indices = new Map<string, number>();

  function add(key: string, vertex: Vertex): number {
    const known = indices.get(key);
    if (known !== undefined) return known;
    indices.set(key, vertices.length);
    return vertices.push(vertex) - 1;
  }

  return {
    /** Operands precede the steps that use them. */
    vertices: vertices as readonly Vertex[],
    load: (input: number, dtype: FixedSizeType, kind: RegisterKind): number =>
      add(`load ${input}`, { kind, from: { load: input, dtype } }),
    constant: (value: number | bigint, kind: RegisterKind): number =>
      add(`${kind} ${Object.is(value, -0) ? '-0' : value}`, { kind, from: { constant: value } }),
    step: (kernel: KernelName, args: readonly number[], kind: RegisterKind, narrow?: NarrowName): number =>
      add(`${kernel} ${args.join(' ')} ${kind} ${narrow ?? ''}`, {
        kind,
        from: { kernel, args, ...(narrow === undefined ? {} : { narrow }) },
      }),
    /** Assigns registers and returns the program that computes this vertex. */
    program: (result: number, dtype: FixedSizeType): Program => assignRegisters(vertices, result, dtype),
  };
}

/** The register of a step is reused when no later step needs its value. */
function assignRegisters(vertices: readonly Vertex[], result: number, dtype: FixedSizeType): Program {
  const lastUse = lastUses(vertices, result);
  const registers: RegisterKind[] = [];
  const free = new Map<RegisterKind, number[]>();
  const registerByVertex = new Map<number, number>();
  const registerOf = (vertex: number): number => registerByVertex.get(vertex) ?? -1;
  const take = (kind: RegisterKind): number => free.get(kind)?.pop() ?? registers.push(kind) - 1;
  const [constants, loads, steps]: [Program['constants'][number][], Program['loads'][number][], Program['steps'][number][]] = [[], [], []]; // prettier-ignore

  // Loads and constants precede the first step.
  vertices.forEach(({ kind, from }, v) => {
    if ('kernel' in from || !lastUse.has(v)) return;
    const register = registers.push(kind) - 1;
    registerByVertex.set(v, register);
    if ('load' in from) loads.push({ input: from.load, dtype: from.dtype, register });
    else constants.push({ register, value: from.constant });
  });
  vertices.forEach(({ kind, from }, v) => {
    if (!('kernel' in from) || !lastUse.has(v)) return;
    // Kernels read each element before they write it, so a result may overwrite an operand of the same kind.
    for (const arg of new Set(from.args)) {
      const vertex = vertices[arg];
      // Registers of constants and loads are never overwritten: loads may be views of their inputs.
      if (lastUse.get(arg) !== v || vertex === undefined || !('kernel' in vertex.from)) continue;
      free.set(vertex.kind, [...(free.get(vertex.kind) ?? []), registerOf(arg)]);
    }
    const out = take(kind);
    registerByVertex.set(v, out);
    const { kernel, args, narrow } = from;
    steps.push({ kernel, out, args: args.map(registerOf), ...(narrow === undefined ? {} : { narrow }) });
  });
  return { registers, constants, loads, steps, result: { register: registerOf(result), dtype } };
}

/** The last step that uses each vertex on which the result depends. */
function lastUses(vertices: readonly Vertex[], result: number): ReadonlyMap<number, number> {
  const uses = new Map([[result, Infinity]]);
  for (let v = vertices.length - 1; v >= 0; v--) {
    const from = vertices[v]?.from;
    if (from === undefined || !('kernel' in from) || !uses.has(v)) continue;
    for (const arg of from.args) if (!uses.has(arg)) uses.set(arg, v);
  }
  return uses;
}
