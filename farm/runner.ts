import type { FailureKind } from '../properties/explore/trial.ts';
import type { BundleFiles, FarmCampaign } from './campaign.ts';
import type { FindingRecord } from './take-in.ts';
import type { FarmBatch } from './tally.ts';

/** A process that carries out runs of one campaign, beside the one that speaks to the database: it may die of them. */
export interface Runner {
  /** Fingerprint of the end of run 0. Errors: rejects with what is wrong with the campaign here; `RunnerDied`. */
  readonly firstEnd: Promise<string>;
  /** Carries out consecutive runs. Errors: rejects with what a run threw; `RunnerDied`. */
  batch(first: number, count: number): Promise<FarmBatch>;
  /** Makes a failing run simple. Errors: as above. */
  simplify(finding: number, run: number, kind: FailureKind): Promise<FindingRecord>;
  /** When it last showed that it goes on, by `performance.now()`. */
  readonly lastSign: number;
  /** Ends the process. */
  end(): void;
}

/** Starts a runner for a campaign, with the modules that it needs. */
export type StartRunner = (campaign: FarmCampaign, bundle: BundleFiles | undefined) => Runner;

/** A process of a runner is gone. */
export class RunnerDied extends Error {
  override readonly name = 'RunnerDied';
}
