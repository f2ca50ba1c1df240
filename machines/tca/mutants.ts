import type { Mutants } from '../mutant.ts';
import type { TcaParts } from './assembly.ts';
import { channelMutants } from './channel-mutants.ts';
import { conformanceMutants } from './conformance-mutants.ts';
import { gasnetMutants } from './gasnet-mutants.ts';
import { wireMutants } from './wire-mutants.ts';

/** Planted faults of TCA nodes, in the order of their ids (TCA specification 19, 21 A7). */
export const tcaMutants: Mutants<TcaParts> = new Map(
  [...channelMutants, ...wireMutants, ...gasnetMutants, ...conformanceMutants].sort(([a], [b]) =>
    a < b ? -1 : 1,
  ),
);
