import type { EibProbe } from '../../../actors/cell/eib/protocol.ts';
import { type Observer, together } from '../../../kernel/explore/observer.ts';
import type { CellbeConfig } from '../../../machines/cell/cellbe-config.ts';
import { emptyTick, inOrder, place, type Tick } from '../tick-order.ts';
import { type BusRule, type BusRules, busRules, commandOf } from './bus-rules.ts';

/** The rules for a bus that is configured so (Cell specification 19.1). */
export function busRulesOf(config: CellbeConfig): BusRules {
  const { packetBytes, bytesPerBusCycle, maxPerRing, maxHops, ringStartGapBusCycles } = config;
  const { commandsPerBusCycle, commandLatencyBusCycles, mfcQueue, mfcProxyQueue } = config;
  const { elements, sharedPort } = config;
  return {
    elementCount: elements.length,
    packetBytes,
    bytesPerBusCycle,
    maxPerRing,
    maxHops,
    ringStartGapBusCycles,
    commandsPerBusCycle,
    commandLatencyBusCycles,
    mfcQueue,
    mfcProxyQueue,
    sharedPort: sharedPort.map((name) => elements.indexOf(name)),
  };
}

interface Memory {
  readonly past: EibProbe[];
  tick: Tick<EibProbe>;
}

/**
 * An Element Interconnect Bus keeps its rules (Cell specification 19.1, 19.2): one property a sentence.
 *
 * Details: collects what the parts show and judges it when the machine has come to rest; each finding names its cycle. Within a tick the order matters between what one part shows, and between what
 * concerns one command.
 */
export const busKeepsItsRules = (rules: BusRules): readonly Observer[] =>
  busRules.map((rule) => observerOf(rule, rules));

const observerOf = ({ sentence, watches, judge }: BusRule, rules: BusRules): Observer<Memory> => ({
  sentence,
  watches,
  begin: () => ({ past: [], tick: emptyTick() }),
  see({ tick }, observation) {
    if (observation.kind === 'message') return;
    // Parts of this machine show nothing else.
    const probe = observation.probe as EibProbe;
    place(tick, probe, observation.actor, commandOf('packet' in probe ? probe.packet : probe));
  },
  endOfTick(memory) {
    memory.past.push(...inOrder(memory.tick));
    memory.tick = emptyTick();
  },
  atRest: ({ past }) =>
    together(
      judge(rules, past, true).map(({ tick, why }) => ({
        actors: ['Eib.DataArbiter'],
        why: tick < 0 ? why : `bus cycle ${tick}: ${why}`,
      })),
    ),
});
