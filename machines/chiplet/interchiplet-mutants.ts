import type { Mutants } from '../mutant.ts';
import type { InterchipletParts } from './interchiplet-assembly.ts';

export const interchipletMutants: Mutants<InterchipletParts> = new Map();
