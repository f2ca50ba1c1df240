import type { Slot } from './program.ts';

/** A unit that takes part in handing results on. */
export type HandingUnit = 'mul' | 'add' | 'alu';

/** What a slot takes from the one before, and what it hands on to the next (GRAPE specification 4.2). */
export interface HandingOn {
  /** Operands that come from the slot before: by `$ti`, what it made for T; by `$fb`, its product. */
  readonly takes: readonly { readonly unit: HandingUnit; readonly by: '$ti' | '$fb' }[];
  /** The unit whose result `$ti` is in the next slot; null when that is T itself. */
  readonly gives: HandingUnit | null;
}

const writesT = (dst: readonly { readonly kind: string }[]): boolean => dst.some(({ kind }) => kind === 't');

/** What a slot hands on and takes; of a slot in which nothing happens nothing. */
export function handingOn(slot: Slot | null): HandingOn {
  if (slot === null) return { takes: [], gives: null };
  const { mul, add } = slot;
  const adder = add?.unit === 'ialu' ? 'alu' : 'add';
  const operands = [
    ...(mul ? [mul.a, mul.b].map((ref) => ({ unit: 'mul' as const, ref })) : []),
    ...(add ? [add.a, add.b].map((ref) => ({ unit: adder as HandingUnit, ref })) : []),
  ];
  const takes = operands.flatMap(({ unit, ref }) =>
    ref?.kind === 'ti' || ref?.kind === 'fb' ? [{ unit, by: `$${ref.kind}` as const }] : [],
  );
  return {
    takes: takes.filter(
      ({ unit, by }, at) => takes.findIndex((one) => one.unit === unit && one.by === by) === at,
    ),
    gives: add && writesT(add.dst) ? adder : mul && writesT(mul.dst) ? 'mul' : null,
  };
}
