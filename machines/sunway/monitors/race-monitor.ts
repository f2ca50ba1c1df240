import type { Run } from '../../../kernel/run.ts';
import type { SunwayConfig } from '../config.ts';
import { RaceDetector } from './race/race-detector.ts';
import { coreName } from './race/race-event.ts';
import { type Locate, type RaceReport, raceText } from './race/race-report.ts';
import { RaceAdapter } from './race-adapter.ts';

/** Findings of each severity that are kept with all they say; further ones are counted. */
const findingsMax = 100;

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
  const found = (report: RaceReport): void => {
    if (report.severity === 'warning') {
      if (findings.warningCount++ < findingsMax) warnings.push(report);
      return;
    }
    if (findings.errorCount++ >= findingsMax) return;
    errors.push(report);
    run.report(report.cores.map(coreName), {
      property: 'accesses to the same bytes are ordered',
      why: raceText(report, locate),
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
