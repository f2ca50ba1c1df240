import { join } from 'node:path';
import type { Campaign } from '../../properties/explore/campaign.ts';
import type { FailedRun } from '../../properties/explore/ledger.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { saveRecording } from '../../scenarios/recording.ts';
import { undisturbed } from '../background/heed.ts';
import {
  type FindingToSimplify,
  firstRunOf,
  foundRun,
  type SimplifiedFinding,
  simplifiedFinding,
} from './simplified-finding.ts';

/** A finding made simple and written down. */
export interface KeptFinding extends Omit<SimplifiedFinding, 'recorded' | 'scenarioText'> {
  readonly finding: FailedRun;
  /** Number of the first run that failed so. */
  readonly run: number;
  /** Files of the simplified run: recording, explanation, and the scenario when it was generated. */
  readonly recording: string;
  readonly explanation: string;
  readonly scenario?: string;
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

type Simplify = (what: FindingToSimplify) => Promise<SimplifiedFinding> | SimplifiedFinding;

/**
 * Simplifies the first run of a finding, explains it and writes it all down.
 *
 * Details: the run is recorded as it was found before it is simplified, which takes long: whoever ends the process meanwhile has that. `simplify` does it elsewhere.
 */
export async function keepFinding(
  campaign: Campaign,
  finding: FailedRun,
  { folder, name, generated, width }: FindingPlace,
  simplify: Simplify = (what) => simplifiedFinding(campaign, what, undisturbed),
): Promise<KeptFinding> {
  const file = join(folder, `${name}.yaml`);
  const recording = join(folder, `${name}.recording.json`);
  const explanation = join(folder, `${name}.txt`);
  const write = ({ recorded, scenarioText }: Pick<SimplifiedFinding, 'recorded' | 'scenarioText'>) => {
    if (generated) writeFileAtomically(file, scenarioText);
    saveRecording(recording, recorded);
  };
  write(foundRun(campaign, finding, file));
  const simple = await simplify({ finding, recording, file, width });
  write(simple);
  const { recorded, scenarioText, ...told } = simple;
  writeFileAtomically(explanation, told.page);
  return {
    ...told,
    finding,
    run: firstRunOf(finding),
    recording,
    explanation,
    ...(generated && { scenario: file }),
  };
}
