import { join } from 'node:path';
import { type Campaign, plannedRun } from '../../properties/explore/campaign.ts';
import { explainFailure } from '../../properties/explore/explain.ts';
import { explanationPage } from '../../properties/explore/explanation-page.ts';
import type { FailedRun } from '../../properties/explore/ledger.ts';
import { simplestFailure } from '../../properties/explore/simplest.ts';
import { GeneratedSubject } from '../../properties/explore/subject.ts';
import { type FailureKind, failureOf, Trials } from '../../properties/explore/trial.ts';
import { watchedRun } from '../../properties/watched-run.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { recordingOf, saveRecording } from '../../scenarios/recording.ts';

/** A finding made simple and written down. */
export interface KeptFinding {
  readonly finding: FailedRun;
  /** How the simplified run fails: the same kind of failure, of other actors perhaps. What is recorded and explained is this one. */
  readonly simplified: FailureKind;
  /** Number of the first run that failed so. */
  readonly run: number;
  /** Files of the simplified run: recording, explanation, and the scenario when it was generated. */
  readonly recording: string;
  readonly explanation: string;
  readonly scenario?: string;
  /** The explanation itself. */
  readonly page: string;
  /** Picks of the tape that was found and of the simplified one, without trailing zeros. */
  readonly picks: { readonly found: number; readonly left: number };
  /** Runs that the simplification took. */
  readonly attempts: number;
  /** False when time ran out before nothing simpler was left to try. */
  readonly complete: boolean;
}

/** Where a finding is kept. */
export interface FindingPlace {
  readonly folder: string;
  /** Beginning of the names of its files. */
  readonly name: string;
  /** Whether the scenario was generated, so that it has no file yet. */
  readonly generated: boolean;
  /** Characters in a line of the explanation. */
  readonly width: number;
}

/** Kinds of failures of a campaign that are made simple and written down. */
export const keptMax = 10;

/** Seconds that the simplification of one finding may take, and again its explanation. */
const secondsMax = 30;

/**
 * Simplifies the first run of a finding, explains it and writes it all down.
 *
 * Details: the run is recorded as it was found before it is simplified, which takes long: whoever ends the process meanwhile has that.
 */
export function keepFinding(
  campaign: Campaign,
  finding: FailedRun,
  { folder, name, generated, width }: FindingPlace,
): KeptFinding {
  const run = Math.min(...finding.by.map(({ first }) => first));
  const file = join(folder, `${name}.yaml`);
  const recording = join(folder, `${name}.recording.json`);
  const explanation = join(folder, `${name}.txt`);
  const { machine, properties } = campaign.subject;
  keepAsFound(campaign, run, file, recording, generated);
  const simplest = simplestFailure(campaign, run, finding.kind, file, {
    shouldStop: afterSeconds(secondsMax),
  });
  const { scenario, tape, foundPicks, attempts, complete } = simplest;

  if (generated) writeFileAtomically(file, scenario.text);
  const simulated = watchedRun({ scenario, machine, properties }, tape, { scheduled: true });
  saveRecording(recording, recordingOf(scenario, simulated));
  const explained = explainFailure(new Trials(scenario, machine, properties), tape, {
    shouldStop: afterSeconds(secondsMax),
  });
  const replay = `npx lockstep replay ${recording}`;
  const about = `${scenario.name} (${machine.name}), ${recording}`;
  const page = explained
    ? explanationPage(explained, { about, replay, width })
    : `${about}\nreplay it: ${replay}\n`;
  writeFileAtomically(explanation, page);
  return {
    finding,
    simplified: failureOf(simulated.outcome) ?? finding.kind,
    run,
    recording,
    explanation,
    ...(generated && { scenario: file }),
    page,
    picks: { found: foundPicks, left: tape.length },
    attempts,
    complete,
  };
}

/** Records the run as it was found. */
function keepAsFound(
  campaign: Campaign,
  run: number,
  file: string,
  recording: string,
  generated: boolean,
): void {
  const { subject, plan } = campaign;
  const { machine, properties } = subject;
  const index = plannedRun(plan, run).scenario;
  const scenario =
    subject instanceof GeneratedSubject
      ? subject.read(subject.generate(index), file)
      : subject.scenario(index);
  if (generated) writeFileAtomically(file, scenario.text);
  const { tape } = campaign.attempt(run);
  saveRecording(
    recording,
    recordingOf(scenario, watchedRun({ scenario, machine, properties }, tape, { scheduled: true })),
  );
}

/** True once so many seconds have passed from now on. */
function afterSeconds(seconds: number): () => boolean {
  const end = performance.now() + 1000 * seconds;
  return () => performance.now() > end;
}
