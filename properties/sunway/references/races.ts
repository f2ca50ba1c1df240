import { nodeVerdict } from '../race-oracle/on-node.ts';
import { oracleVerdict, programKinds } from '../race-oracle/oracle-run.ts';
import type { Following } from './follower.ts';

/** One of so many runs has a program, and one of so many of those on the machine as well, which costs more. */
const [every, onNodeEvery] = [2, 16];

/** The race detector of the machine and its oracle tell the same of a small program that is drawn for the run (Sunway specification 7.3). */
export const races: Following = (_given, run) => ({
  watches: [],
  difference: () => {
    const seed = Number.parseInt(run.fingerprint.slice(0, 8), 16);
    if (seed % every > 0) return undefined;
    const { wrong } = oracleVerdict(seed);
    // Any operations at all may never come to an end on a machine.
    const isOnNode = (seed / every) % onNodeEvery === 0 && programKinds[seed % programKinds.length] !== 'any';
    const [found] = wrong.length === 0 && isOnNode ? nodeVerdict(seed).wrong : wrong;
    return found && `race detector, program ${seed}: ${found}`;
  },
});
