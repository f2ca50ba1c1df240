import { join } from 'node:path';
import { TapeChoices } from '../../kernel/choices.ts';
import type { Campaign } from '../../properties/explore/campaign.ts';
import type { Finding } from '../../properties/explore/ledger.ts';
import { simplestFailure } from '../../properties/explore/simplest.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { recordingOf, saveRecording } from '../../scenarios/recording.ts';
import { simulate } from '../../scenarios/simulate.ts';
import { Observation } from '../observation.ts';
import type { RunReport } from '../run-report.ts';
import { judgeRun } from '../run-verdict.ts';

/** A finding made simple and written down. */
export interface KeptFinding {
  readonly finding: Finding;
  /** Number of the first run that failed so. */
  readonly run: number;
  /** Recording of the simplified run. */
  readonly recording: string;
  /** Scenario file, when the scenario was generated. */
  readonly scenario?: string;
  /** Picks of the tape that was found and of the simplified one, without trailing zeros. */
  readonly picks: { readonly found: number; readonly left: number };
  /** Runs that the simplification took. */
  readonly attempts: number;
  /** False when time ran out before nothing simpler was left to try. */
  readonly complete: boolean;
  /** The simplified run. */
  readonly report: RunReport;
}

/** Seconds that the simplification of one finding may take. */
const simplifySecondsMax = 30;

/** Simplifies the first run of a finding and writes its recording, and its scenario when it was generated, into a folder under a name. */
export function keepFinding(
  campaign: Campaign,
  finding: Finding,
  {
    folder,
    name,
    generated,
  }: { readonly folder: string; readonly name: string; readonly generated: boolean },
): KeptFinding {
  const run = Math.min(...finding.by.map(({ first }) => first));
  const file = join(folder, `${name}.yaml`);
  const recording = join(folder, `${name}.recording.json`);
  const { machine } = campaign.subject;
  const giveUp = performance.now() + 1000 * simplifySecondsMax;
  const simplest = simplestFailure(campaign, run, finding.kind, file, {
    shouldStop: () => performance.now() > giveUp,
  });
  const { scenario, tape, foundPicks, attempts, complete } = simplest;

  const observation = new Observation(machine, { exports: [], sketch: false, properties: true });
  const began = performance.now();
  const simulation = simulate(scenario, machine, {
    choices: new TapeChoices(tape),
    scheduled: true,
    observe: observation.observe,
    onEnd: observation.onEnd,
  });
  const wallSeconds = (performance.now() - began) / 1000;
  if (generated) writeFileAtomically(file, scenario.text);
  saveRecording(recording, recordingOf(scenario, simulation));
  return {
    finding,
    run,
    recording,
    ...(generated && { scenario: file }),
    picks: { found: foundPicks, left: tape.length },
    attempts,
    complete,
    report: {
      scenario,
      machine,
      simulation,
      // What the scenario itself expects is no matter of a campaign.
      verdict: { ...judgeRun(scenario, simulation, true) },
      engine: 'compiled',
      schedule: `tape of ${recording}`,
      scheduleText: observation.scheduleText,
      watched: observation.watched,
      ...(observation.past && { past: observation.past }),
      files: [],
      recording,
      wallSeconds,
    },
  };
}
