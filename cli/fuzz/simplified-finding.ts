import { type Campaign, plannedRun } from '../../properties/explore/campaign.ts';
import { explainFailure } from '../../properties/explore/explain.ts';
import { explanationPage } from '../../properties/explore/explanation-page.ts';
import type { FailedRun } from '../../properties/explore/ledger.ts';
import { simplestFailure } from '../../properties/explore/simplest.ts';
import { GeneratedSubject } from '../../properties/explore/subject.ts';
import { type FailureKind, failureOf, Trials } from '../../properties/explore/trial.ts';
import { watchedRun } from '../../properties/watched-run.ts';
import { type Recording, recordingOf } from '../../scenarios/recording.ts';
import { type Heed, within } from '../background/heed.ts';
import type { CampaignOrder } from './order.ts';

/** A finding that is to be made simple, and where it will lie. */
export interface FindingToSimplify {
  readonly finding: FailedRun;
  /** Files of the recording, and of the scenario when it was generated. */
  readonly recording: string;
  readonly file: string;
  /** Characters in a line of the explanation. */
  readonly width: number;
}

/** The same in words that another thread can be told. */
export interface FindingOrder extends FindingToSimplify {
  readonly campaign: CampaignOrder;
}

/** A finding made simple. */
export interface SimplifiedFinding {
  /** How the simplified run fails: the same kind of failure, of other actors perhaps. What is recorded and explained is this one. */
  readonly simplified: FailureKind;
  readonly recorded: Recording;
  readonly scenarioText: string;
  /** The explanation. */
  readonly page: string;
  /** Picks of the tape that was found and of the simplified one, without trailing zeros. */
  readonly picks: { readonly found: number; readonly left: number };
  /** Runs that the simplification took. */
  readonly attempts: number;
  /** False when it was stopped before nothing simpler was left to try. */
  readonly complete: boolean;
}

/** Seconds that the simplification of one finding may take, and again its explanation. */
const secondsMax = 30;

/** Number of the first run of a finding. */
export const firstRunOf = ({ by }: FailedRun): number => Math.min(...by.map(({ first }) => first));

/** Simplifies the first run of a finding and explains it. */
export function simplifiedFinding(
  campaign: Campaign,
  { finding, recording, file, width }: FindingToSimplify,
  heed: Heed,
): SimplifiedFinding {
  const { machine, properties } = campaign.subject;
  const run = firstRunOf(finding);
  const simplest = simplestFailure(campaign, run, finding.kind, file, within(heed, secondsMax));
  const { scenario, tape, foundPicks, attempts, complete } = simplest;
  const simulated = watchedRun({ scenario, machine, properties }, tape, { scheduled: true });
  const explained = explainFailure(new Trials(scenario, machine, properties), tape, within(heed, secondsMax));
  const replay = `npx lockstep replay ${recording}`;
  const about = `${scenario.name} (${machine.name}), ${recording}`;
  return {
    simplified: failureOf(simulated.outcome) ?? finding.kind,
    recorded: recordingOf(scenario, simulated),
    scenarioText: scenario.text,
    page: explained
      ? explanationPage(explained, { about, replay, width })
      : `${about}\nreplay it: ${replay}\n`,
    picks: { found: foundPicks, left: tape.length },
    attempts,
    complete,
  };
}

/** The first run of a finding, as it was found. */
export function foundRun(
  campaign: Campaign,
  finding: FailedRun,
  file: string,
): Pick<SimplifiedFinding, 'recorded' | 'scenarioText'> {
  const { subject, plan } = campaign;
  const { machine, properties } = subject;
  const run = firstRunOf(finding);
  const index = plannedRun(plan, run).scenario;
  const scenario =
    subject instanceof GeneratedSubject
      ? subject.read(subject.generate(index), file)
      : subject.scenario(index);
  const { tape } = campaign.attempt(run);
  const simulated = watchedRun({ scenario, machine, properties }, tape, { scheduled: true });
  return { recorded: recordingOf(scenario, simulated), scenarioText: scenario.text };
}
