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
import { type Batch, dealtRuns, plannedRun, runNumber } from './campaign.ts';
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
    shard: z
      .strictObject({ number: z.int().min(1), of: z.int().min(1) })
      .nullable()
      .default(null)
      .describe('the part of the campaign that this is; null for the whole'),
  }),
  runs: naturals.describe('how many are done: the first ones of the campaign, or of its shard'),
  parts: z
    .array(
      z.strictObject({
        shard: z.strictObject({ number: z.int().min(1), of: z.int().min(1) }),
        runs: naturals,
        lastEnd: z.string(),
      }),
    )
    .exactOptional()
    .describe('shards put together that are no whole campaign yet'),
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
  judged: z
    .record(z.string(), naturals)
    // Older ledgers do not know.
    .optional()
    .describe('in how many runs each property had something to judge'),
  cut: naturals
    // Older ledgers do not know.
    .optional()
    .describe(
      'how many runs were cut: they left the boundary, went round, or took as many steps as a run may',
    ),
  coverage: z.strictObject({
    runs: naturals,
    // Older ledgers know no complaints.
    ...(Object.fromEntries(
      coverageKinds.map((kind) => [kind, kind === 'complaints' ? seenByType.default({}) : seenByType]),
    ) as Record<CoverageKind, typeof seenByType>),
  }),
  ends: z.strictObject({
    sampledBits: z.int().min(0).max(30),
    kept: z.string().regex(/^([0-9a-f]{16}[12])*$/),
  }),
  // Older ledgers have none.
  hash: z.string().exactOptional().describe('SHA-256 of all the rest'),
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

/** One shard of those that a ledger was put together of. */
export type LedgerPart = Readonly<NonNullable<SavedLedger['parts']>[number]>;

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
  #parts: readonly LedgerPart[] = [];
  #coverage = emptyCoverage;
  /** Undefined when it is not known of all runs. */
  #judged: Readonly<Record<string, number>> | undefined = {};
  #cut: number | undefined = 0;
  readonly #findings = new Map<
    string,
    { kind: FailureKind; by: { -readonly [K in keyof Detection]: Detection[K] }[] }
  >();

  constructor(readonly campaign: CampaignIdentity) {}

  /** How many runs are done: the first ones of the campaign, or of its shard. */
  get runs(): number {
    return this.#runs;
  }

  /** Messages delivered in all runs. */
  get deliveries(): number {
    return this.#deliveries;
  }

  /** How many runs were cut: they left the boundary, or took as many steps as a run may. Undefined where an older ledger was gone on with. */
  get cut(): number | undefined {
    return this.#cut;
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

  /** Properties of which nothing that they look at came in any run; none after a failure, which ends runs early. */
  get idle(): readonly string[] {
    if (this.#findings.size > 0) return [];
    return Object.entries(this.#judged ?? {}).flatMap(([sentence, runs]) => (runs === 0 ? [sentence] : []));
  }

  /** Takes in the runs that follow those that are done. */
  add({ first, runs, deliveries, cut, ends, failures, judged, coverage }: Batch): void {
    invariant(this.#parts.length === 0, 'shards put together were gone on with');
    invariant(first === this.#runs, `run ${first} was added after run ${this.#runs - 1}`);
    for (let at = 0; at < ends.length; at += 2) this.#ends.add(ends[at]!, ends[at + 1]!);
    for (const { run, kind } of failures) this.#fail(run, kind);
    this.#judged &&= sumOf(this.#judged, judged);
    if (this.#cut !== undefined) this.#cut += cut;
    if (coverage) this.#coverage = mergeCoverage(this.#coverage, coverage);
    this.#runs += runs;
    this.#deliveries += deliveries;
    if (runs > 0)
      this.#lastEnd = [...ends.subarray(-2)].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  save(): SavedLedger {
    return {
      format: 'lockstep-ledger/1',
      campaign: {
        ...this.campaign,
        faults: this.campaign.faults ?? [],
        shard: this.campaign.shard ?? null,
      },
      runs: this.#runs,
      ...(this.#parts.length > 0 && { parts: [...this.#parts] }),
      deliveries: this.#deliveries,
      lastEnd: this.#lastEnd,
      findings: this.findings.map(({ kind, by }) => ({ ...kind, by: by.map((one) => ({ ...one })) })),
      furtherFailures: this.#furtherFailures,
      ...(this.#judged && { judged: this.#judged }),
      ...(this.#cut !== undefined && { cut: this.#cut }),
      coverage: this.#coverage,
      // Last, so that a reader meets everything else first.
      ends: this.#ends.save(),
    };
  }

  /** The ledger that `save` gave. */
  static of(saved: SavedLedger): Ledger {
    const ledger = new Ledger(saved.campaign);
    ledger.#runs = saved.runs;
    ledger.#parts = saved.parts ?? [];
    ledger.#deliveries = saved.deliveries;
    ledger.#lastEnd = saved.lastEnd;
    ledger.#furtherFailures = saved.furtherFailures;
    ledger.#coverage = saved.coverage;
    ledger.#judged = saved.judged ?? (saved.runs === 0 ? {} : undefined);
    ledger.#cut = saved.cut ?? (saved.runs === 0 ? 0 : undefined);
    ledger.#ends = Distinct.of(saved.ends);
    for (const { verdict, what, by } of saved.findings)
      ledger.#findings.set(bugOf({ verdict, what }), { kind: { verdict, what }, by });
    return ledger;
  }

  /** The shards that it was put together of, when they are no whole campaign yet. */
  get parts(): readonly LedgerPart[] {
    return this.#parts;
  }

  /**
   * What ledgers of shards of one campaign come to together: the ledger of the whole campaign, when each of its shards is done as far as the others
   * are.
   *
   * Details: failures of kinds for which a shard had no room are counted, and not told apart. Errors: a `RangeError` when there is none, when they
   * are of several campaigns, or when a shard is there twice.
   */
  static merged(ledgers: readonly Ledger[]): Ledger {
    const [first] = ledgers;
    if (!first) throw new RangeError('found no ledger, expected one of each shard');
    const whole = new Ledger({ ...first.campaign, shard: null });
    const parts = ledgers.flatMap(partsOf).sort((one, other) => one.shard.number - other.shard.number);
    for (const { campaign } of ledgers) sameCampaign(first.campaign, campaign);
    parts.forEach(({ shard: { number, of } }, index) => {
      const before = parts[index - 1]?.shard;
      if (before?.number === number) throw new RangeError(`found shard ${number}/${of} twice`);
      if (before && before.of !== of)
        throw new RangeError(`found shard ${number}/${of} beside ${before.number}/${before.of}`);
    });
    for (const ledger of ledgers) {
      whole.#runs += ledger.runs;
      whole.#deliveries += ledger.deliveries;
      whole.#furtherFailures += ledger.furtherFailures;
      whole.#ends.merge(ledger.#ends);
      whole.#judged = whole.#judged && ledger.#judged && sumOf(whole.#judged, ledger.#judged);
      whole.#cut =
        whole.#cut === undefined || ledger.#cut === undefined ? undefined : whole.#cut + ledger.#cut;
      whole.#coverage = mergeCoverage(whole.#coverage, ledger.coverage);
    }
    for (const finding of ledgers.flatMap(({ findings }) => findings).sort(byFirstRun)) whole.#join(finding);
    whole.#settle(parts);
    return whole;
  }

  /** Takes in the parts: they are forgotten when they are the beginning of the whole campaign. */
  #settle(parts: readonly LedgerPart[]): void {
    const { strategies } = this.campaign;
    const of = parts[0]?.shard.of ?? 1;
    const isBeginning =
      parts.length === of &&
      parts.every(({ shard, runs }) => runs === dealtRuns({ strategies, shard }, this.#runs));
    if (!isBeginning) {
      this.#parts = parts;
      return;
    }
    const last = parts.find(
      ({ shard, runs }) => runs > 0 && runNumber({ strategies, shard }, runs - 1) === this.#runs - 1,
    );
    this.#lastEnd = last?.lastEnd ?? '';
  }

  /** Takes in a finding of another ledger; they come in the order of their first runs. */
  #join({ kind, by }: FailedRun): void {
    const name = bugOf(kind);
    let finding = this.#findings.get(name);
    if (!finding) {
      if (this.#findings.size >= kindsMax) {
        this.#furtherFailures += by.reduce((sum, { failures }) => sum + failures, 0);
        return;
      }
      finding = { kind, by: [] };
      this.#findings.set(name, finding);
    }
    for (const one of by) {
      const known = finding.by.find(({ strategy }) => strategy === one.strategy);
      if (!known) finding.by.push({ ...one });
      else {
        known.first = Math.min(known.first, one.first);
        known.failures += one.failures;
      }
    }
    finding.by.sort((a, b) => a.first - b.first);
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

/** Adds up counts by name; names are sorted, so that equal counts are equal text. */
export function sumOf(
  some: Readonly<Record<string, number>>,
  others: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const names = [...new Set([...Object.keys(some), ...Object.keys(others)])].sort();
  return Object.fromEntries(names.map((name) => [name, (some[name] ?? 0) + (others[name] ?? 0)]));
}

const byFirstRun = (one: FailedRun, other: FailedRun): number => firstRunOf(one) - firstRunOf(other);

/** Number of the first run that failed so. */
export const firstRunOf = ({ by }: FailedRun): number => Math.min(...by.map(({ first }) => first));

function partsOf(ledger: Ledger): readonly LedgerPart[] {
  const { runs, lastEnd, parts, campaign } = ledger;
  return parts.length > 0 ? parts : [{ shard: campaign.shard ?? { number: 1, of: 1 }, runs, lastEnd }];
}

/** Errors: a `RangeError` for two campaigns, which names the first thing in which they differ. */
function sameCampaign(one: CampaignIdentity, other: CampaignIdentity): void {
  for (const key of Object.keys(one) as (keyof CampaignIdentity)[]) {
    const [there, here] = [one[key], other[key]].map((value) => JSON.stringify(value));
    if (key !== 'shard' && there !== here)
      throw new RangeError(`found ledgers of two campaigns: ${key} ${there} and ${here}`);
  }
}
