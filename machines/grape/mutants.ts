import type { Mutants } from '../mutant.ts';
import type { GrapeParts } from './assembly.ts';
import { blockFaults } from './mutants/block-faults.ts';
import { controlFaults } from './mutants/control-faults.ts';
import { portFaults } from './mutants/port-faults.ts';

/** The fault catalogue of the chip by id (GRAPE specification 13), in the order of the ids. */
export const grapeMutants: Mutants<GrapeParts> = new Map([...blockFaults, ...portFaults, ...controlFaults]);
