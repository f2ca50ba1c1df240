import type { Run } from '../../../kernel/run.ts';
import type { SunwayConfig } from '../config.ts';
import { RaceDetector } from './race/race-detector.ts';
import { coreName } from './race/race-event.ts';
import { type Locate, type RaceReport, raceText } from './race/race-report.ts';
import { RaceAdapter } from './race-adapter.ts';

/** Races that a run may report as violations; the others are counted only. */
const violationsMax = 100;

/** What the race detector has found in a run. */
export interface RaceFindings {
  readonly errors: readonly RaceReport[];
  readonly warnings: readonly RaceReport[];
}

/**
 * Watches a run for races, as `race.policy` says (Sunway specification 7.3): errors become violations, warnings only findings.
 *
 * Use before the first step. Details: it reads messages and probes, and changes nothing.
 */
export function watchRaces(run: Run, config: SunwayConfig, locate?: Locate): RaceFindings {
  const errors: RaceReport[] = [];
  const warnings: RaceReport[] = [];
  const { policy } = config.race;
  if (policy === 'off') return { errors, warnings };
  const found = (report: RaceReport): void => {
    if (report.severity === 'warning') {
      warnings.push(report);
      return;
    }
    errors.push(report);
    if (errors.length <= violationsMax)
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
  return { errors, warnings };
}
