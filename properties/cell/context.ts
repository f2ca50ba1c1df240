import type { CellShown } from '../../actors/cell/protocol.ts';
import type { Key, Observer, Pending } from '../../kernel/explore/observer.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { CellConfig, CellPrograms } from '../../machines/cell/config.ts';
import { logHeader } from '../../machines/cell/event-log.ts';
import type { CellLogHeader } from '../../machines/cell/log-events.ts';
import type { Given } from '../../machines/machine.ts';
import { judgingOf, type Tell } from '../judging.ts';

export type { Tell } from '../judging.ts';

/** What properties of the Cell ring machine know of a run before it begins (Cell specification 12). */
export interface CellFacts {
  /** The machine's numbers and promises: the first line of its event log. */
  readonly header: CellLogHeader;
  /** What the machine was built from. */
  readonly given: Given<CellConfig, CellPrograms>;
}

/** What is known of a run that is given so; `waitLimit` is the total waiting time it may have, in cycles (Cell specification 14). */
export const factsOf = (
  given: Given<CellConfig, CellPrograms>,
  waitLimit: number | null = null,
): CellFacts => ({ header: logHeader(given, waitLimit), given });

/** A property of the Cell ring machine: its sentence, and what judges the runs of a machine that is given. */
export interface CellProperty {
  readonly sentence: string;
  of(facts: CellFacts): Observer;
}

/** A probe as the parts show it: a record of the event log without its serial number (Cell specification 18.4). */
export type CellProbe<K extends CellShown['type'] = CellShown['type']> = Extract<CellShown, { type: K }>;

/** How a property judges, as an observer does: told the probes it watches, and saying any number of findings. */
export interface Judge<Memory extends object, K extends CellShown['type']> {
  see(memory: Memory, probe: CellProbe<K>, found: Tell): void;
  /** What a probe is about, where the sentence is one for each key (see `Observer.about`). */
  about?(probe: CellProbe<K>, actor: string): Key | readonly Key[] | undefined;
  /** Whether a probe is something to judge (see `Observer.judges`). */
  judges?(probe: CellProbe<K>): boolean;
  seeState?(memory: Memory, state: GlobalState, found: Tell): undefined;
  atRest?(memory: Memory, found: Tell): void;
  /** What must still come in a run that never ends; nothing when absent. */
  pending?(memory: Memory): readonly Pending[];
}

const observing = judgingOf<{ [K in CellShown['type']]: CellProbe<K> }>();

/** Declares a property that looks at the probes of the kinds named (Cell specification 18.4). */
export const cellProperty = <Memory extends object, K extends CellShown['type']>(
  sentence: string,
  watches: readonly K[],
  begin: (facts: CellFacts) => Memory,
  judging: (facts: CellFacts) => Judge<Memory, K>,
): CellProperty => ({
  sentence,
  of: (facts) => {
    const { see, about, ...rest } = judging(facts);
    return observing<K, Memory>({
      sentence,
      watches,
      begin: () => begin(facts),
      ...(about && { about: ({ to: actor, event }) => about(event, actor) }),
      // A run without end contradicts nothing that is said of the end of one.
      ...(rest.atRest && { pending: () => [] }),
      ...rest,
      see: (memory, { event }, tell) => see(memory, event, tell),
    });
  },
});

/** The names under which the parts of a machine appear in reports. */
export const nameOfSpu = (spu: number): string => `Cell.Spu[${spu}]`;
/** The name of a DMA module. */
export const nameOfDma = (spu: number): string => `${nameOfSpu(spu)}.Dma`;
/** The name of a memory module. */
export const nameOfMemory = (spu: number): string => `${nameOfSpu(spu)}.Memory`;
/** The name of the data arbiter. */
export const arbiterName = 'Cell.Arbiter';
/** The name of the command bus. */
export const busName = 'Cell.Bus';
/** The name of the cycle controller. */
export const controllerName = 'Cell.Controller';
