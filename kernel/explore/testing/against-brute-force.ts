import { type Exploration, Explorer } from '../explorer.ts';
import { byBruteForce, classLine, findingLine, spelled, stateLine } from './brute-force.ts';
import { inTurns } from './in-turns.ts';
import { type RandomSystem, randomSystem } from './random-system.ts';

/** What comparing the exhaustive checker with brute force came to, for one system. */
export interface Comparison {
  readonly features: readonly string[];
  /** Runs of the brute force. */
  readonly runs: number;
  /** Different states. */
  readonly states: number;
  /** Different things found, each of which a run along its route has come to. */
  readonly findings: readonly string[];
  /** What differs, in words; empty when nothing does. */
  readonly differences: readonly string[];
}

/** How many deliveries the runs of one system may have on the average. */
const deliveriesEach = 40;

/**
 * Compares states and findings of the exhaustive checker with those of runs under all tapes, for the random system of a seed; undefined when that has more
 * than `runsMax` runs.
 *
 * Details: with and without reduction; by one to four who take turns, as threads do; with exchanged actors where some are alike, by classes of states. Each finding is
 * replayed when it is asked for: a finding that does not come to itself throws, which is a difference, too.
 */
export function againstBruteForce(seed: number, runsMax: number): Comparison | undefined {
  const system = randomSystem(seed);
  const brute = byBruteForce(system, runsMax, deliveriesEach * runsMax);
  if (!brute) return undefined;
  const differences: string[] = [];
  const differ = (which: string, one: Iterable<string>, other: Iterable<string>) => {
    const [mine, wanted] = [new Set(one), new Set(other)];
    for (const line of mine) if (!wanted.has(line)) differences.push(`${which}, not by brute force: ${line}`);
    for (const line of wanted)
      if (!mine.has(line)) differences.push(`${which}, by brute force only: ${line}`);
  };
  const guarded = (which: string, compare: () => void) => {
    try {
      compare();
    } catch (error) {
      differences.push(`${which}: ${(error as Error).message}`);
    }
  };
  let plain: Exploration | undefined;
  for (const reduction of [false, true])
    guarded(`reduction ${reduction}`, () => {
      const explorer = new Explorer(system.make, { ...optionsOf(system), reduction });
      plain = explorer.toEnd();
      const states = [...explorer.states()].map((state) => stateLine(spelled(state)));
      differ(`state with reduction ${reduction}`, states, brute.states.keys());
      differ(`found with reduction ${reduction}`, plain.findings.map(findingLine), brute.findings);
    });
  const several = 1 + (seed % 4);
  guarded(`${several} in turns`, () => {
    const { findings, states, transitions } = inTurns(system.make, optionsOf(system), several, [5, 2]);
    differ(
      `found by ${several} in turns`,
      findings.map(({ found }) => findingLine(found)),
      brute.findings,
    );
    if (states !== plain?.states || transitions !== plain.transitions)
      differences.push(`${several} in turns: ${states} states, ${transitions} transitions`);
  });
  const { symmetry } = system;
  if (symmetry)
    guarded('symmetry', () => {
      const explorer = new Explorer(system.make, { ...optionsOf(system), symmetry });
      const { findings } = explorer.toEnd();
      const count = symmetry.actors.length;
      const states = [...explorer.states()].map((state) => classLine(spelled(state), count));
      const classes = [...brute.states.values()].map((state) => classLine(state, count));
      differ('class of states', states, classes);
      for (const line of findings.map(findingLine))
        if (!brute.findings.has(line)) differences.push(`found with symmetry, not by brute force: ${line}`);
      const kinds = (lines: Iterable<string>) => [...lines].map((line) => line.split(':')[0]!);
      differ('kind found with symmetry', kinds(findings.map(findingLine)), kinds(brute.findings));
    });
  return {
    features: system.features,
    runs: brute.runs,
    states: brute.states.size,
    findings: [...brute.findings],
    differences,
  };
}

const optionsOf = ({ faults, observers, deliveriesPerTickMax, until }: RandomSystem) => ({
  faults,
  observers,
  deliveriesPerTickMax,
  findingsMax: Number.POSITIVE_INFINITY,
  ...(until !== undefined && { until }),
});
