import { z } from 'zod';
import {
  type Coverage,
  type CoverageKind,
  coverageKinds,
  emptyCoverage,
  mergeCoverage,
} from '../../kernel/coverage.ts';
import { invariant } from '../../kernel/errors.ts';
import { scheduleKinds } from '../../scenarios/schedule.ts';
import { bugOf } from './bug.ts';
import { type Batch, plannedRun } from './campaign.ts';
import { Distinct } from './distinct.ts';
import type { FailureKind } from './trial.ts';

const naturals = z.int().min(0);
const strategy = z.enum(scheduleKinds);

const seenByType = z.record(z.string(), z.record(z.string(), z.tuple([naturals, naturals]).readonly()));

/** Kinds of failures that a ledger tells apart; failures of further kinds are only counted. */
const kindsMax = 100;

/** The schema of ledgers as files have them. */
export const ledgerSchema = z.strictObject({
  format: z.literal('lockstep-ledger/1'),
  campaign: z.strictObject({
    version: z.string().describe('version of Lockstep'),
    machine: z.string(),
    scenario: z.string().nullable().describe('hash of the text of the scenario; null for generated ones'),
    mutants: z.array(z.string()).describe('planted in generated scenarios'),
    seed: naturals,
    strategies: z.array(strategy).min(1),
    coverage: z.boolean(),
    faults: z.array(z.string()).default([]).describe('injected in generated scenarios'),
  }),
  runs: naturals.describe('how many are done: those numbered from 0 to runs - 1'),
  deliveries: naturals,
  lastEnd: z
    .string()
    .regex(/^([0-9a-f]{16})?$/)
    .describe('fingerprint of the end of the last run'),
  findings: z.array(
    z.strictObject({
      verdict: z.enum(['violated', 'deadlock', 'livelock', 'error']),
      what: z.string(),
      by: z.array(
        z.strictObject({
          strategy,
          first: naturals.describe('number of the first run that failed so'),
          failures: z.int().min(1).describe('how many did'),
        }),
      ),
    }),
  ),
  furtherFailures: naturals,
  coverage: z.strictObject({
    runs: naturals,
    ...(Object.fromEntries(coverageKinds.map((kind) => [kind, seenByType])) as Record<
      CoverageKind,
      typeof seenByType
    >),
  }),
  ends: z.strictObject({
    sampledBits: z.int().min(0).max(30),
    kept: z.string().regex(/^([0-9a-f]{16}[12])*$/),
  }),
});

/** A ledger as plain data. */
export type SavedLedger = z.output<typeof ledgerSchema>;

/** Which campaign a ledger is of: equal ones cover the same runs. */
export type CampaignIdentity = Readonly<z.input<typeof ledgerSchema>['campaign']>;

/** One kind of failure, and what each strategy saw of it. */
export interface FailedRun {
  readonly kind: FailureKind;
  /** In the order in which the strategies found it. */
  readonly by: readonly Detection[];
}

/** How one strategy found one kind of failure. */
export type Detection = Readonly<SavedLedger['findings'][number]['by'][number]>;

/**
 * What a campaign has come to: a function of its identity and of how many of its runs are done, however they were carried out.
 *
 * Details: batches are added in the order of their runs, so that what is done is always a beginning, and a campaign goes on where it was left.
 */
export class Ledger {
  #runs = 0;
  #deliveries = 0;
  #lastEnd = '';
  #furtherFailures = 0;
  #ends = new Distinct();
  #coverage = emptyCoverage;
  readonly #findings = new Map<
    string,
    { kind: FailureKind; by: { -readonly [K in keyof Detection]: Detection[K] }[] }
  >();

  constructor(readonly campaign: CampaignIdentity) {}

  /** How many runs are done: those numbered from 0 to `runs - 1`. */
  get runs(): number {
    return this.#runs;
  }

  /** Messages delivered in all runs. */
  get deliveries(): number {
    return this.#deliveries;
  }

  get ends(): Pick<Distinct, 'count' | 'once' | 'exact'> {
    return this.#ends;
  }

  /** Fingerprint of the end of the last run, empty without runs. */
  get lastEnd(): string {
    return this.#lastEnd;
  }

  /** The kinds of failures in the order of their first runs. */
  get findings(): readonly FailedRun[] {
    return [...this.#findings.values()];
  }

  /** Failures of kinds for which there was no room. */
  get furtherFailures(): number {
    return this.#furtherFailures;
  }

  /** What the runs have covered; nothing when the campaign does not count it. */
  get coverage(): Coverage {
    return this.#coverage;
  }

  /** Takes in the runs that follow those that are done. */
  add({ first, runs, deliveries, ends, failures, coverage }: Batch): void {
    invariant(first === this.#runs, `run ${first} was added after run ${this.#runs - 1}`);
    for (let at = 0; at < ends.length; at += 2) this.#ends.add(ends[at]!, ends[at + 1]!);
    for (const { run, kind } of failures) this.#fail(run, kind);
    if (coverage) this.#coverage = mergeCoverage(this.#coverage, coverage);
    this.#runs += runs;
    this.#deliveries += deliveries;
    if (runs > 0)
      this.#lastEnd = [...ends.subarray(-2)].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  save(): SavedLedger {
    return {
      format: 'lockstep-ledger/1',
      campaign: { ...this.campaign, faults: this.campaign.faults ?? [] },
      runs: this.#runs,
      deliveries: this.#deliveries,
      lastEnd: this.#lastEnd,
      findings: this.findings.map(({ kind, by }) => ({ ...kind, by: by.map((one) => ({ ...one })) })),
      furtherFailures: this.#furtherFailures,
      coverage: this.#coverage,
      // Last, so that a reader meets everything else first.
      ends: this.#ends.save(),
    };
  }

  /** The ledger that `save` gave. */
  static of(saved: SavedLedger): Ledger {
    const ledger = new Ledger(saved.campaign);
    ledger.#runs = saved.runs;
    ledger.#deliveries = saved.deliveries;
    ledger.#lastEnd = saved.lastEnd;
    ledger.#furtherFailures = saved.furtherFailures;
    ledger.#coverage = saved.coverage;
    ledger.#ends = Distinct.of(saved.ends);
    for (const { verdict, what, by } of saved.findings)
      ledger.#findings.set(bugOf({ verdict, what }), { kind: { verdict, what }, by });
    return ledger;
  }

  #fail(run: number, kind: FailureKind): void {
    const name = bugOf(kind);
    let finding = this.#findings.get(name);
    if (!finding) {
      if (this.#findings.size >= kindsMax) {
        this.#furtherFailures++;
        return;
      }
      finding = { kind, by: [] };
      this.#findings.set(name, finding);
    }
    const { strategy } = plannedRun(this.campaign, run);
    const known = finding.by.find((one) => one.strategy === strategy);
    if (known) known.failures++;
    else finding.by.push({ strategy, first: run, failures: 1 });
  }
}
