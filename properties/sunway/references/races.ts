import { nodeVerdict } from '../race-oracle/on-node.ts';
import { oracleVerdict } from '../race-oracle/oracle-run.ts';
import type { Following } from './follower.ts';

/** Of so many runs one holds the monitor against the oracle on the machine as well, which costs more. */
const onNodeEvery = 16;

/** The race detector of the machine and its oracle tell the same of a small program that is drawn for the run (Sunway specification 7.3). */
export const races: Following = (_given, run) => ({
  watches: [],
  difference: () => {
    const seed = Number.parseInt(run.fingerprint.slice(0, 8), 16);
    const { wrong } = oracleVerdict(seed);
    const found = wrong.length === 0 && seed % onNodeEvery === 0 ? nodeVerdict(seed).wrong : wrong;
    return found[0] && `race detector, program ${seed}: ${found[0]}`;
  },
});
