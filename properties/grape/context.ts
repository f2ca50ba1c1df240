import type { TimedCall } from '../../actors/grape/host-calls.ts';
import type * as messages from '../../actors/grape/messages.ts';
import type { Program } from '../../actors/grape/program.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { GrapeConfig } from '../../machines/grape/config.ts';
import { type Judging, judgingOf } from '../judging.ts';

export type { Seen, Tell } from '../judging.ts';

/** What properties of the chip know of a run before it begins: its numbers, and the program in it. */
export interface GrapeFacts {
  readonly config: GrapeConfig;
  readonly program: Program;
  /** The source and the calls as they are written; absent where a source is more than its text says: macros, schedules, bugs of its time. */
  readonly written?: { readonly source: string; readonly host: readonly TimedCall[] };
}

/** When a port was busy, as it is shown: from one cycle up to, not including, another one. */
interface PortShown {
  readonly type: 'PORT';
  readonly port: 'idp' | 'rrn';
  readonly t: number;
  readonly end: number;
}

/** A slot as it is shown. */
interface SlotShown {
  readonly type: 'SLOT';
  readonly t: number;
  readonly length: number;
  readonly seq: number;
  readonly section: string;
  readonly pass: number | null;
  readonly line: number;
}

/** A warning as it is shown. */
interface FaultShown {
  readonly type: 'FAULT';
  readonly t: number;
  readonly code: string;
  readonly block: number;
}

/** A property of the chip: its sentence, and what judges the runs of a chip with such numbers and such a program. */
export interface GrapeProperty {
  readonly sentence: string;
  of(facts: GrapeFacts): Observer;
}

/** The messages that properties look at, by type (GRAPE specification 6.2). */
export interface Messages {
  'host.call': messages.HostCallMessage;
  'host.result': messages.HostResult;
  'control.run': messages.ControlRun;
  'control.done': messages.ControlDone;
  'slot.issue': messages.SlotIssue;
  'slot.done': messages.SlotDone;
  'bm.announce': messages.BroadcastAnnounce;
  'bm.write': messages.BroadcastWrite;
  'bm.read': messages.BroadcastRead;
  'bm.word': messages.BroadcastWord;
  'idp.start': messages.InputStart;
  'idp.packets': messages.InputPackets;
  'idp.done': messages.InputDone;
  'idp.refused': messages.InputRefused;
  'em.store': messages.MemoryStore;
  'em.clear': messages.MemoryClear;
  'em.opened': messages.MemoryOpened;
  'em.refused': messages.MemoryRefused;
  'em.read': messages.MemoryRead;
  'em.word': messages.MemoryWord;
  'rrn.start': messages.ReductionStart;
  'rrn.done': messages.ReductionDone;
  'out.word': messages.OutputWord;
  PORT: PortShown;
  SLOT: SlotShown;
  FAULT: FaultShown;
}

const observing = judgingOf<Messages>();

type Kind = keyof Messages;

/** Declares a property that looks at the messages and probes of the types named. */
export const grapeProperty = <Memory extends object, T extends Kind>(
  sentence: string,
  watches: readonly T[],
  begin: (facts: GrapeFacts) => Memory,
  judging: (facts: GrapeFacts) => Omit<Judging<Messages, T, Memory>, 'sentence' | 'watches' | 'begin'>,
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
