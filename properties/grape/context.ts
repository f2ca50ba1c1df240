import type { TimedCall } from '../../actors/grape/host-calls.ts';
import type { Program } from '../../actors/grape/program.ts';
import type { GrapeMessages } from '../../actors/grape/protocol.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { type Judging, judgingOf } from '../judging.ts';

export type { Seen, Tell } from '../judging.ts';

/** What properties of the chip know of a run before it begins: its numbers, and the program in it. */
export interface GrapeFacts {
  readonly config: GrapeConfig;
  readonly program: Program;
  /** The source without macros and the calls as they are written; absent where they do not say what the chip does: calls of a function, bugs of its time. */
  readonly written?: { readonly source: string; readonly host: readonly TimedCall[] };
}

/** A property of the chip: its sentence, and what judges the runs of a chip with such numbers and such a program. */
export interface GrapeProperty {
  readonly sentence: string;
  of(facts: GrapeFacts): Observer;
}

const observing = judgingOf<GrapeMessages>();

type Kind = keyof GrapeMessages;

/** Declares a property that looks at the messages and probes of the types named. */
export const grapeProperty = <Memory extends object, T extends Kind>(
  sentence: string,
  watches: readonly T[],
  begin: (facts: GrapeFacts) => Memory,
  judging: (facts: GrapeFacts) => Omit<Judging<GrapeMessages, T, Memory>, 'sentence' | 'watches' | 'begin'>,
): GrapeProperty => ({
  sentence,
  // A run without end contradicts nothing that is said of the end of one.
  of: (facts) =>
    observing({ sentence, watches, begin: () => begin(facts), pending: () => [], ...judging(facts) }),
});

/** Counts the cycle in a memory that has one. */
export const countTicks = (memory: { tick: number }, ticks: number): undefined => {
  memory.tick += ticks;
};

/** The names under which the parts of the chip appear in reports. */
export const nameOfBlock = (block: number): string => `Block[${block}]`;
export const controlName = 'ControlProcessor';
/** The name of the program on the host. */
export const hostName = 'Host';
export const memoryName = 'ExternalMemory';
export const inputName = 'InputPort';
export const reductionName = 'ReductionNetwork';
export const outputName = 'OutputPort';

/** The number of a block by its name. */
export const blockOf = (name: string): number => Number(name.slice('Block['.length, -1));

/** A word in hexadecimal digits, for reports. */
export const shownWord = (word: bigint): string => word.toString(16).padStart(18, '0');

/** True for a reduction opcode that reads one block out (GRAPE specification 2.10). */
export const readsOneBlock = (op: string): boolean => /^\d+$/.test(op);

/** Levels of the tree that a word climbs (GRAPE specification 6.3, RRN). */
export const levelsOf = (op: string, blocks: number): number => {
  if (readsOneBlock(op)) return 1;
  let levels = 1;
  while (2 ** levels < blocks) levels++;
  return levels;
};
