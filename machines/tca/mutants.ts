import type { Mutant, Mutants } from '../mutant.ts';
import type { TcaParts } from './assembly.ts';
import { channelMutants } from './channel-mutants.ts';
import { conformanceMutants } from './conformance-mutants.ts';
import { gasnetMutants } from './gasnet-mutants.ts';
import { wireMutants } from './wire-mutants.ts';

const all = [...channelMutants, ...wireMutants, ...gasnetMutants, ...conformanceMutants];

/** Planted faults of TCA nodes, in the order of their ids (TCA specification 19, 21 A7). */
export const tcaMutants: Mutants<TcaParts> = new Map<string, Mutant<TcaParts>>(
  all.sort(([a], [b]) => (a < b ? -1 : 1)),
);
