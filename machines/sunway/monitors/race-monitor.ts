import type { Run } from '../../../kernel/run.ts';
import type { SunwayConfig } from '../config.ts';
import type { Rules } from './race/clock.ts';
import { RaceDetector } from './race/race-detector.ts';
import { coreName, mainMemory } from './race/race-event.ts';
import { type ProgramText, placed, type RaceReport, raceText } from './race/race-report.ts';
import { RaceAdapter } from './race-adapter.ts';

/** Findings that are kept with all they say: of each kind, pair of calls and variable, so that a frequent one hides no other, and in all. Further ones are counted. */
const [findingsOfEachMax, findingsMax] = [64, 1000];

/** The sentence that a race contradicts. */
export const raceProperty = 'accesses to the same bytes are ordered';

/** What the race detector has found in a run. */
export interface RaceFindings {
  readonly errors: readonly RaceReport[];
  readonly warnings: readonly RaceReport[];
  /** All of them, the kept ones and the others. */
  readonly errorCount: number;
  readonly warningCount: number;
}

/** Findings as they come in. */
class FindingsKept implements RaceFindings {
  readonly errors: RaceReport[] = [];
  readonly warnings: RaceReport[] = [];
  errorCount = 0;
  warningCount = 0;
  readonly #seen = new Map<string, number>();

  /** Counts a report, and keeps it unless there are many of its like; true when it was kept. */
  take({ kind, severity, first, second, range }: RaceReport): boolean {
    // Variables lie at the same place in every LDM; places in memory are as many as cores.
    const variable = range.space === mainMemory ? '' : range.from;
    const about = `${kind} ${first.name} ${second.name} ${variable}`;
    const count = (this.#seen.get(about) ?? 0) + 1;
    this.#seen.set(about, count);
    const all = severity === 'warning' ? this.warningCount++ : this.errorCount++;
    return count <= findingsOfEachMax && all < findingsMax;
  }
}

/**
 * Watches a run for races, as `race.policy` says (Sunway specification 7.3): the first errors become violations, warnings only findings.
 *
 * Use before the first step. Details: it reads messages and probes, and changes nothing; with the policy `off` it does not even listen.
 */
export function watchRaces(run: Run, config: SunwayConfig, programs?: ProgramText): RaceFindings {
  const { policy } = config.race;
  if (policy === 'off') return new FindingsKept();
  const [findings] = watchRacesBy(run, config, [policy], programs, (report) =>
    run.report(report.cores.map(coreName), { property: raceProperty, why: raceText(report) }),
  );
  return findings!;
}

/** Watches a run for races by several rules at once; `found` is called for each error that is kept. The findings are in the order of the rules. */
export function watchRacesBy(
  run: Run,
  config: SunwayConfig,
  policies: readonly Rules[],
  programs?: ProgramText,
  found: (error: RaceReport) => void = () => {},
): readonly RaceFindings[] {
  const watching = policies.map((policy) => {
    const findings = new FindingsKept();
    const take = (report: RaceReport): void => {
      if (!findings.take(report)) return;
      const told = programs ? placed(report, programs) : report;
      if (report.severity === 'warning') findings.warnings.push(told);
      else {
        findings.errors.push(told);
        found(told);
      }
    };
    return { findings, detector: new RaceDetector({ groups: config.cgs, policy, found: take }) };
  });
  const adapter = new RaceAdapter(config, (event) => {
    for (const { detector } of watching) detector.see(event);
  });
  run.probes$.subscribe(({ tick, probe }) => adapter.probe(tick, probe));
  run.messages$.subscribe(({ message, from, to }) =>
    adapter.message({ tick: message.due, from, to, event: message.event }),
  );
  return watching.map(({ findings }) => findings);
}
