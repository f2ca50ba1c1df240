import type { Instruction } from '../../actors/cell/instructions.ts';
import { type CellPrograms, cellPrograms } from '../../machines/cell/config.ts';
import { firstDifference, type Reference } from '../with-reference.ts';

/** A timed list as scenarios write it; of a program in TypeScript the module. */
export function listOf(program: Extract<CellPrograms, readonly unknown[]>[number]): unknown {
  if (!Array.isArray(program)) return { module: program.module };
  return program.map(({ cycle, instruction }) => [cycle, ...words(instruction)]);
}

function words(instruction: Instruction): readonly (string | number)[] {
  switch (instruction.op) {
    case 'read':
      return ['read', instruction.addr];
    case 'write':
      return ['write', instruction.addr, instruction.value];
    case 'status':
      return ['status', instruction.id];
    case 'endCycle':
      return [];
    default: {
      const { op, my, peer, addr, size } = instruction;
      return [op, my, peer, addr, size];
    }
  }
}

/** Timed lists mean what they say: written out again they are read as what runs (Cell specification 18). */
export const programsAreRead: Reference = (_run, given) => {
  // The name of the machine says what was given.
  const programs = given.programs as CellPrograms;
  if (!Array.isArray(programs) || !programs.every((program) => Array.isArray(program))) return undefined;
  return () => firstDifference(cellPrograms.parse(programs.map(listOf)), programs, '.programs');
};
