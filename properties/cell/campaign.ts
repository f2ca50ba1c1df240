import fc from 'fast-check';
import { type CellMutant, cellMutants } from '../../machines/cell/mutants.ts';
import { soundParts } from '../../machines/cell/parts.ts';
import { type CellGiven, closedLoopGiven, raceFreeGiven, racyGiven, transferGiven } from './arbitraries.ts';
import { type Trial, trial } from './trial.ts';

/** One workload of a campaign and the seed of its schedule. */
export interface CampaignCase {
  readonly given: CellGiven;
  readonly seed: number;
}

/** Workloads of all kinds: all policies, all options (Cell specification 21.1). */
export const campaignGiven: fc.Arbitrary<CellGiven> = fc.oneof<fc.MaybeWeightedArbitrary<CellGiven>[]>(
  { weight: 5, arbitrary: racyGiven },
  { weight: 3, arbitrary: raceFreeGiven },
  { weight: 1, arbitrary: transferGiven({ requestsMax: 24 }) },
  { weight: 1, arbitrary: closedLoopGiven },
);

/** Workloads of all kinds, each with the seed of a schedule. */
export const campaignCase: fc.Arbitrary<CampaignCase> = fc.record({ given: campaignGiven, seed: fc.nat() });

/** The seed of one batch, so that campaigns with neighbouring seeds have no workload in common. */
const seedOf = (seed: number, at: number): number => (Math.imul(seed, 1_000_003) + at) | 0;

/** How far a campaign has come. */
export interface SoundTally {
  /** Workloads tried; each was run under a random schedule, in canonical order, and on the burst machine. */
  readonly workloads: number;
  readonly runs: number;
  /** Cycles, messages and transfers of all runs. */
  readonly cycles: number;
  readonly deliveries: number;
  readonly transfers: number;
  /** Random picks of all schedules. */
  readonly picks: number;
  /** Workloads by policy. */
  readonly policies: Readonly<Record<string, number>>;
  /** The smallest workload that fails, with what it raises; absent as long as all is well. */
  readonly failure?: string;
}

/** Workloads between two looks at the clock and the keyboard. */
const batch = 20;

/**
 * Tries the sound machine on random workloads: all properties hold under every schedule, timing is the canonical one, race-free programs
 * leave the canonical memories, and the burst machine does the same event by event (Cell specification 8, 21.2: P-1 to P-3, P-10, P-16).
 *
 * Details: yields the tally after each batch, and ends early after a failure, which is shrunk.
 */
export function* soundCampaign(workloads: number, seed: number): Generator<SoundTally> {
  const tally = { workloads: 0, runs: 0, cycles: 0, deliveries: 0, transfers: 0, picks: 0 };
  const policies: Record<string, number> = {};
  let failed = false;
  const count = (one: Trial): Trial => {
    tally.runs++;
    tally.cycles += one.result.cycles;
    tally.deliveries += one.outcome.deliveries;
    tally.transfers += one.result.transfers.length;
    tally.picks += one.tape.length;
    return one;
  };
  while (tally.workloads < workloads) {
    const { given, ...rest } = { given: campaignCase, numRuns: Math.min(batch, workloads - tally.workloads) };
    const checked = fc.check(
      fc.property(given, (one) => {
        // What is tried while a failure is shrunk does not count.
        const counted = failed ? (trial: Trial) => trial : count;
        if (!failed) {
          tally.workloads++;
          policies[one.given.config.policy] = (policies[one.given.config.policy] ?? 0) + 1;
        }
        const why = faultOf(one, counted);
        failed ||= why !== undefined;
        if (why !== undefined) throw new Error(why);
      }),
      { ...rest, seed: seedOf(seed, tally.workloads) },
    );
    const state = { ...tally, policies: { ...policies } };
    yield checked.failed
      ? { ...state, failure: `${fc.defaultReportMessage(checked)}\n${String(checked.errorInstance)}` }
      : state;
    if (checked.failed) return;
  }
}

/** What is wrong with the sound machine on a workload, or undefined. */
export function faultOf(
  { given, seed }: CampaignCase,
  note: (trial: Trial) => Trial = (one) => one,
): string | undefined {
  const random = note(trial(given, { seed }));
  const canonical = note(trial(given, { keepLog: true }));
  const bursts = note(trial(given, { bursts: true, keepLog: true }));
  for (const [name, { raised, outcome }] of Object.entries({ random, canonical, bursts })) {
    if (raised.length === 0) continue;
    const first = outcome.violations.map(({ tick, property, why }) => `tick ${tick}, ${property}: ${why}`);
    return `${name}: ${raised.join(', ')}\n${first.slice(0, 5).join('\n')}${outcome.failure?.message ?? ''}`;
  }
  if (timingOf(random) !== timingOf(canonical)) return 'the timing depends on the schedule (P-2)';
  if (given.name === 'race-free' || given.name === 'closed loop') {
    const same =
      random.result.memHash === canonical.result.memHash &&
      random.result.readHash === canonical.result.readHash;
    if (!same) return 'a race-free program depends on the schedule (P-3)';
  }
  const differing = canonical.log.findIndex(
    (event, at) => JSON.stringify(event) !== JSON.stringify(bursts.log[at]),
  );
  if (differing >= 0 || canonical.log.length !== bursts.log.length)
    return `the burst machine differs in record ${differing < 0 ? canonical.log.length : differing} (P-16)`;
  return undefined;
}

/** All that the schedule may not change: requests, starts, rings, and the number of cycles (Cell specification 8). */
export function timingOf({ result }: Trial): string {
  return JSON.stringify([result.cycles, result.totalWait, result.commands, result.transfers]);
}

/** How a mutant fared. */
export interface MutantTally {
  readonly mutant: CellMutant;
  readonly runs: number;
  /** Runs until the first of `mustRaise` was seen; 0 when none was. */
  readonly killedAfter: number;
  /** Runs until all of `mustRaise` were seen; 0 when some are missing. */
  readonly completeAfter: number;
  /** How many of the runs raised any of `mustRaise`. */
  readonly caught: number;
  /** Everything the mutant raised, with how many of the runs raised it. */
  readonly raised: Readonly<Record<string, number>>;
}

/**
 * Runs a mutant on random workloads, each in canonical order or under a random schedule in turn, until all it must raise was seen
 * (Cell specification 21.4), and at least `runsMin` times, which shows how easily it is caught.
 */
export function killMutant(
  mutant: CellMutant,
  { runsMin, runsMax, seed }: { readonly runsMin: number; readonly runsMax: number; readonly seed: number },
): MutantTally {
  const parts = mutant.mutate(soundParts);
  const missing = new Set(mutant.mustRaise);
  const raised: Record<string, number> = {};
  const tally = { mutant, runs: 0, killedAfter: 0, completeAfter: 0, caught: 0, raised };
  for (let run = 1; run <= runsMax && (run <= runsMin || missing.size > 0); run++) {
    const [one] = fc.sample(campaignCase, { seed: seedOf(seed, run), numRuns: 1 }) as [CampaignCase];
    const tried = trial(one.given, { parts, ticksMax: 2000, ...(run % 2 === 0 && { seed: one.seed }) });
    tally.runs = run;
    for (const name of tried.raised) {
      raised[name] = (raised[name] ?? 0) + 1;
      missing.delete(name);
    }
    if (tried.raised.some((name) => mutant.mustRaise.includes(name))) tally.caught++;
    if (tally.killedAfter === 0 && tally.caught > 0) tally.killedAfter = run;
    if (tally.completeAfter === 0 && missing.size === 0) tally.completeAfter = run;
  }
  return tally;
}

/** The mutants of a campaign, in the order of the catalogue. */
export const campaignMutants: readonly CellMutant[] = [...cellMutants.values()];
