import { reduceLevel } from '../../actors/grape/arithmetic/reduction.ts';
import { LaneBlock } from '../../actors/grape/block/lane-block.ts';
import type { Slot } from '../../actors/grape/program.ts';
import type { Mutants } from '../mutant.ts';
import type { GrapeParts } from './assembly.ts';

void reduceLevel;
void LaneBlock;
/** Planted faults of the chip, by id (GRAPE specification 13). */
export const grapeMutants: Mutants<GrapeParts> = new Map<
  string,
  { sentence: string; mutate: (parts: GrapeParts) => GrapeParts }
>();
export type Unused = Slot;
