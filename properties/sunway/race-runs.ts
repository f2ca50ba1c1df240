import type { MpeProgram } from '../../actors/sunway/program.ts';
import { type Choices, RandomChoices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { wireNode } from '../../machines/sunway/assembly.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';
import { ProgramPlaces } from '../../machines/sunway/monitors/program-places.ts';
import { type RaceFindings, raceProperty, watchRaces } from '../../machines/sunway/monitors/race-monitor.ts';

/** A host program, and the configuration that it is for. */
export interface RaceCase {
  readonly host: MpeProgram;
  readonly config?: object;
}

/** What the race detector finds in a run, and what the run came to. */
export interface RaceRun extends RaceFindings {
  readonly verdict: string;
  /** The races as the run tells them, in the order of `errors`. */
  readonly texts: readonly string[];
}

/** Runs a program of one core group under a policy; with a seed, in a schedule of its own with services that take longer at random. */
export function raceRun(
  { host, config: own }: RaceCase,
  policy: 'off' | 'lenient' | 'strict',
  seed?: number,
): RaceRun {
  const config = sunwayConfig.parse({
    timing: { spawn: { latency: 10 } },
    ...(seed !== undefined && { fuzz: { maxJitter: 60, reorder: true } }),
    ...own,
    race: { policy },
  });
  const { wiring, groups } = wireNode(config, [host]);
  const choices: Choices | undefined = seed === undefined ? undefined : new RandomChoices(seed);
  const run = new Run(wiring, choices && { choices });
  const places =
    policy === 'off' ? undefined : new ProgramPlaces(run, [{ mpe: groups[0]!.mpe, program: host }]);
  const found = watchRaces(run, config, places?.locate);
  const outcome = run.toEnd();
  return {
    ...found,
    verdict: outcome.verdict,
    texts: outcome.violations.filter(({ property }) => property === raceProperty).map(({ why }) => why),
  };
}
