import type { Run } from '../../../kernel/run.ts';
import type { SunwayConfig } from '../config.ts';
import { RaceDetector } from './race/race-detector.ts';
import { coreName } from './race/race-event.ts';
import { type Locate, type RaceReport, raceText } from './race/race-report.ts';
import { RaceAdapter } from './race-adapter.ts';

/** Findings that are kept with all they say: of each kind and pair of calls, so that a frequent one hides no other, and in all. Further ones are counted. */
const [findingsOfEachMax, findingsMax] = [64, 1000];
/** Of these the first few are looked up in their programs, since that means to run them again. */
const locatedMax = 8;

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

/**
 * Watches a run for races, as `race.policy` says (Sunway specification 7.3): the first errors become violations, warnings only findings.
 *
 * Use before the first step. Details: it reads messages and probes, and changes nothing; with the policy `off` it does not even listen.
 */
export function watchRaces(run: Run, config: SunwayConfig, locate?: Locate): RaceFindings {
  const errors: RaceReport[] = [];
  const warnings: RaceReport[] = [];
  const findings = { errors, warnings, errorCount: 0, warningCount: 0 };
  const { policy } = config.race;
  if (policy === 'off') return findings;
  const seen = new Map<string, number>();
  const found = (report: RaceReport): void => {
    const { kind, severity, first, second } = report;
    const about = `${kind} ${first.name} ${second?.name}`;
    const count = (seen.get(about) ?? 0) + 1;
    seen.set(about, count);
    const all = severity === 'warning' ? findings.warningCount++ : findings.errorCount++;
    if (count > findingsOfEachMax || all >= findingsMax) return;
    if (severity === 'warning') {
      warnings.push(report);
      return;
    }
    errors.push(report);
    run.report(report.cores.map(coreName), {
      property: raceProperty,
      why: raceText(report, count <= locatedMax ? locate : undefined),
    });
  };
  const detector = new RaceDetector({ groups: config.cgs, policy, found });
  const adapter = new RaceAdapter(config, (event) => detector.see(event));
  run.probes$.subscribe(({ tick, probe }) => adapter.probe(tick, probe));
  run.messages$.subscribe(({ message, from, to }) =>
    adapter.message({ tick: message.due, from, to, event: message.event }),
  );
  return findings;
}
