import { type InstructionClass, instructionClasses } from '../ptx/instruction.ts';
import type { Sequence } from '../ptx/schedule.ts';

/** Units that instructions need: none, arithmetic of the scheduler, special functions, memory. */
export const units = { none: 0, arithmetic: 1, special: 2, memory: 3 } as const;
export const unitCount = 4;

const unitsOfClasses: Readonly<Partial<Record<InstructionClass, number>>> = {
  control: units.none,
  special: units.special,
  constant: units.memory,
  shared: units.memory,
  global: units.memory,
  atomic: units.memory,
  message: units.memory,
};
/** The unit of each class of instructions, by its index. */
export const unitOfClass = instructionClasses.map((one) => unitsOfClasses[one] ?? units.arithmetic);

/** The units of what is carried out by another one than its class. */
export const unitOfSequence: Readonly<Partial<Record<Sequence, number>>> = {
  folded: units.none,
  count: units.special,
  countZeros: units.special,
  wideCount: units.special,
  fromReal: units.special,
  doubleConvert: units.special,
};
