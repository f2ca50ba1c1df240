import type { Assembly, Given, Machine } from '../machine.ts';

/** One kind of scenario of the machine `chiplet`: what a machine says of itself, but for its name. */
export type ChipletKind<
  Config,
  Programs,
  Result,
  Assembled extends Assembly<Result> = Assembly<Result>,
> = Omit<Machine<Config, Programs, Result>, 'name' | 'assemble'> & {
  assemble(given: Given<Config, Programs>): Assembled;
};
