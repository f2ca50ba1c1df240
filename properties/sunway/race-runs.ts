import type { MpeProgram } from '../../actors/sunway/program.ts';
import { type Choices, RandomChoices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { wireNode } from '../../machines/sunway/assembly.ts';
import { sunwayConfig } from '../../machines/sunway/config.ts';
import { ProgramPlaces } from '../../machines/sunway/monitors/program-places.ts';
import { type RaceFindings, watchRacesBy } from '../../machines/sunway/monitors/race-monitor.ts';

/** A host program for every core group, and the configuration that it is for. */
export interface RaceCase {
  readonly host: MpeProgram;
  readonly config?: object;
}

/** What the race detector finds in one run by each of the policies, and what the run came to. */
export interface JudgedRun {
  readonly verdict: string;
  readonly lenient: RaceFindings;
  readonly strict: RaceFindings;
}

/** How a program is run. */
interface RunWords {
  /** A schedule of its own, with services that take longer at random; the default one when absent. */
  readonly seed?: number;
  /** Reports say where their operations are written, which costs more than finding them. */
  readonly places?: boolean;
}

/** Runs a program, judged by both policies at once. */
export function judgedRun(
  { host, config: own }: RaceCase,
  { seed, places = false }: RunWords = {},
): JudgedRun {
  const config = sunwayConfig.parse({
    timing: { spawn: { latency: 10 } },
    ...(seed !== undefined && { fuzz: { maxJitter: 60, reorder: true } }),
    ...own,
  });
  const hosts = Array.from({ length: config.cgs }, () => host);
  const { wiring, groups } = wireNode(config, hosts);
  const choices: Choices | undefined = seed === undefined ? undefined : new RandomChoices(seed);
  const run = new Run(wiring, choices && { choices });
  const hostsAt = groups.map(({ mpe }) => ({ mpe, program: host }));
  const text = places ? new ProgramPlaces(run, hostsAt) : undefined;
  const [lenient, strict] = watchRacesBy(run, config, ['lenient', 'strict'], text);
  const { verdict } = run.toEnd();
  return { verdict, lenient: lenient!, strict: strict! };
}
