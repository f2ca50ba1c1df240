import { reachableFrom, statementsOf } from './call-graph.ts';
import type { Routine, Statement, Variable } from './syntax.ts';
import { alignmentOf, bytesOfVariable, Layout } from './variables.ts';

/** Where the shared variables lie that a kernel can reach. */
export interface SharedPlaces {
  readonly places: ReadonlyMap<Variable, number>;
  /** Bytes of all of them with what is reserved, without what is given at launch. */
  readonly bytes: number;
}

/**
 * Bytes that a text finds reserved for the system at the beginning of shared memory, where it asks for their place (PTX ISA, `%reserved_smem_offset`): what groups of several warps meet in
 * (`cooperative_groups`, from sm_80 on).
 */
export const reservedSharedBytes = 1024;

/** Places the shared variables of everything that a kernel can reach behind so many bytes, those of a size given at launch behind all others. */
export function placeShared(
  kernel: Routine,
  routines: ReadonlyMap<string, Routine>,
  outside: readonly Variable[],
  taken: ReadonlySet<string>,
  reserved: number,
): SharedPlaces {
  const layout = new Layout(reserved);
  const places = new Map<Variable, number>();
  const inside = [...new Set([kernel, ...reachableFrom(kernel, routines, taken)])].flatMap((one) =>
    sharedIn(one.body ?? []),
  );
  const all = [...outside, ...inside];
  for (const one of all.filter(({ length }) => length !== 0))
    places.set(one, layout.place(bytesOfVariable(one), alignmentOf(one)));
  const open = all.filter(({ length }) => length === 0);
  if (open.length > 0) {
    const at = layout.place(0, Math.max(...open.map(alignmentOf)));
    for (const one of open) places.set(one, at);
  }
  return { places, bytes: layout.end };
}

const sharedIn = (body: readonly Statement[]): Variable[] =>
  [...statementsOf(body)].filter((one) => one.kind === 'variable').filter(({ space }) => space === 'shared');
