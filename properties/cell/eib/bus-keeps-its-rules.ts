import type { EibProbe } from '../../../actors/cell/eib/probes.ts';
import type { CellbeConfig } from '../../../machines/cell/cellbe-config.ts';
import { judged, type Property, property } from '../../property.ts';
import { type BusRules, busSentences, judgeBus } from './bus-rules.ts';

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

/**
 * An Element Interconnect Bus keeps its rules (Cell specification 19.1, 19.2).
 *
 * Details: collects what the parts show and judges it when the watch ends; each finding names its own sentence of `busSentences` and its cycle.
 */
export const busKeepsItsRules: Property<BusRules> = property(
  `the bus keeps its rules: ${busSentences.join('; ')}`,
  (run, rules) =>
    judged(run.probes$, (found) => {
      const probes: EibProbe[] = [];
      return {
        see: ({ probe }) => {
          probes.push(probe as EibProbe);
        },
        end: () => {
          for (const { property, tick, why } of judgeBus(rules, probes, run.ended))
            found(['Eib.DataArbiter'], tick < 0 ? why : `bus cycle ${tick}: ${why}`, property);
        },
      };
    }),
);
