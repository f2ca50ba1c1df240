import type {
  BarrierOperands,
  ClusterStep,
  InstructionClass,
  InstructionKind,
  LaneFunction,
  LaneValue,
  MemoryAccess,
} from './instruction.ts';
import type { LaneWriter } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import type { ValueType } from './value-type.ts';

/** What a definition makes of one instruction. */
export interface Lowered {
  readonly run: LaneFunction;
  readonly access?: MemoryAccess;
  readonly barrier?: BarrierOperands;
  readonly clusterStep?: ClusterStep;
  /** The mask of lanes that wait for each other here. */
  readonly members?: LaneValue;
}

/** What an instruction may look like and what it does. */
export interface Definition {
  /** Words that may stand beside the types, before or behind them: assemblers take them in any order. */
  readonly words: readonly string[];
  /** Words of which an instruction has one at most. */
  readonly exclusive?: readonly (readonly string[])[];
  /** Words that an instruction may have twice; all others it has once. */
  readonly repeated?: readonly string[];
  /** Types by position; an empty list for an instruction without types. */
  readonly types: readonly (readonly ValueType[])[];
  /** How many of the types must stand there; all of them when absent. */
  readonly typesLeast?: number;
  /** Fewest and most operands. */
  readonly operands: readonly [least: number, most: number];
  /** Those of one form, where they are not those of all. */
  operandsOf?(form: Form): Definition['operands'];
  readonly kind: InstructionKind;
  /** The kind of one form, where it is not that of all. */
  kindOf?(form: Form): InstructionKind;
  class(form: Form, operands: readonly ResolvedOperand[]): InstructionClass;
  /** Writes the work on the lanes. Errors: `OperandMismatch`, `UnknownForm`. */
  lower(writer: LaneWriter, form: Form, operands: readonly ResolvedOperand[]): Lowered;
}

/** What an instruction has in all of its forms. */
export const uniform = (
  operands: Definition['operands'],
  kind: InstructionKind,
  ofAll: InstructionClass,
): Pick<Definition, 'operands' | 'kind' | 'class'> => ({ operands, kind, class: () => ofAll });

/** Definitions by the first word of an instruction. */
export type Definitions = Readonly<Record<string, Definition>>;

/** A combination of words and types that there is no such instruction for. */
export class UnknownForm extends Error {
  constructor(
    written: string,
    /** What there is instead, where it can be said in short. */
    readonly expected?: string,
  ) {
    super(written);
  }
}

export const integers16: readonly ValueType[] = ['u16', 's16'];
export const integers32: readonly ValueType[] = ['u32', 's32'];
export const integers64: readonly ValueType[] = ['u64', 's64'];
export const integers: readonly ValueType[] = [...integers16, ...integers32, ...integers64];
export const reals: readonly ValueType[] = ['f32', 'f64'];
export const bits: readonly ValueType[] = ['b16', 'b32', 'b64'];

/** What nothing is done by. */
export const noWork: LaneFunction = () => {};
