import type { Program, RrnOp, Variable } from './program.ts';
import type { RecordUnit } from './protocol.ts';

/** The variables of one table, in the order of their declarations. */
export const tableOf = (program: Program, kind: 'elt' | 'hlt', num: number): readonly Variable[] =>
  program.symbols.filter(({ transfer }) => transfer?.kind === kind && transfer.num === num);

/** The numbers of the tables of a kind, ascending. */
export const tablesOf = (program: Program, kind: 'elt' | 'hlt'): readonly number[] =>
  [
    ...new Set(program.symbols.flatMap(({ transfer }) => (transfer?.kind === kind ? [transfer.num] : []))),
  ].sort((a, b) => a - b);

/** The variables whose reductions are the result of a type I program. */
export const resultsOf = (program: Program): readonly Variable[] =>
  program.symbols.filter(({ transfer }) => transfer?.kind === 'rrn');

/** The reductions of one pass of a type II program, in the order in which they are executed, with the names of their members. */
export function reductionsOf(program: Program): readonly { readonly op: RrnOp; readonly name: string }[] {
  const found = program.sections.loopBody.flatMap((item) =>
    item.kind === 'slot' && item.rrn ? [item.rrn] : [],
  );
  return found.map((op, at) => ({ op, name: op.name ?? `rrn${at}` }));
}

/** Those of them that send words to the host: option `o` switches the output off, and leaves no trace in what a pass sends. */
export const sentReductionsOf = (program: Program): ReturnType<typeof reductionsOf> =>
  reductionsOf(program).filter(({ op }) => op.odpoe);

/** Where each word of a record of a table lies in broadcast memory, in the order of the declarations. */
export const placesOf = (variables: readonly Variable[]): readonly RecordUnit[] =>
  variables.flatMap(({ addr, long, vector }) =>
    Array.from({ length: vector ? 4 : 1 }, (_, k) => ({ addr: addr + k * (long ? 2 : 1), long })),
  );

/**
 * What the input port passes on in one cycle each: a long word, or two short ones that share a long word (GRAPE specification 6.3).
 *
 * Details: in the order of the words; a short word whose neighbour does not belong to the record goes alone.
 */
export function unitsOf(variables: readonly Variable[]): readonly RecordUnit[] {
  const places = placesOf(variables);
  const shorts = new Set(places.filter(({ long }) => !long).map(({ addr }) => addr));
  return places.flatMap(({ addr, long }): readonly RecordUnit[] => {
    if (long) return [{ addr, long }];
    const even = addr & ~1;
    if (!shorts.has(even) || !shorts.has(even + 1)) return [{ addr, long }];
    return addr === even ? [{ addr, long: true }] : [];
  });
}

/** The words of a record as its units carry them. */
export function unitWords(variables: readonly Variable[], words: readonly bigint[]): readonly bigint[] {
  const held = new Map<number, bigint>();
  for (const [at, { addr, long }] of placesOf(variables).entries()) {
    const word = words[at] ?? 0n;
    if (long) {
      held.set(addr, word >> 36n);
      held.set(addr + 1, word & 0xf_ffff_ffffn);
    } else held.set(addr, word);
  }
  return unitsOf(variables).map(({ addr, long }) =>
    long ? ((held.get(addr) ?? 0n) << 36n) | (held.get(addr + 1) ?? 0n) : (held.get(addr) ?? 0n),
  );
}
