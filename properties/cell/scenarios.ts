import fc from 'fast-check';
import type { WrittenScenario } from '../../scenarios/written.ts';
import { writtenCell } from './arbitraries.ts';
import { campaignGiven } from './campaign.ts';

/** Far above what a generated workload takes, so that a faulty machine that goes on for ever ends soon. */
const lastTick = 2000;

/** Above what the programs of a generated workload do in a cycle, so that a tick that does not end is soon called a livelock. */
const maxInstrPerCycle = 1000;
/** Now and then so few that timed lists come to it (Cell specification 2, 11). */
const limits = fc.constantFrom(maxInstrPerCycle, maxInstrPerCycle, maxInstrPerCycle, 3);

/** Scenarios of the Cell ring machine: all kinds of workloads, all policies, all options (Cell specification 21.1). */
export const cellScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(campaignGiven, limits)
  .map(([given, limit]) => {
    const { config, programs } = writtenCell(given);
    const name = `generated: ${given.name}`;
    return {
      name,
      config: {
        ...config,
        maxInstrPerCycle: Array.isArray(programs) ? limit : maxInstrPerCycle,
        programErrors: 'result',
      },
      programs,
      until: lastTick,
    };
  });
