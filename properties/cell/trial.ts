import { type Choices, RandomChoices, RecordingChoices, type Tape } from '../../kernel/choices.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import { Run } from '../../kernel/run.ts';
import { followEvents } from '../../machines/cell/event-log.ts';
import type { CellLogEvent } from '../../machines/cell/log-events.ts';
import { type CellParts, soundParts } from '../../machines/cell/parts.ts';
import { assembleBursts, assembleSteps, type CellRunResult } from '../../machines/cell.ts';
import { watch } from '../property.ts';
import type { CellGiven } from './arbitraries.ts';
import { cellProperties } from './cell-properties.ts';
import { type CellProbe, type CellProperty, factsOf } from './context.ts';
import { WaitCount } from './wait-count.ts';

/** How a trial is carried out; canonical order on the step machine when nothing is said. */
export interface TrialOptions {
  /** Seed of random picks: phases S and D then interleave freely (Cell specification 16). */
  readonly seed?: number;
  /** Picks of one's own instead of a seed. */
  readonly choices?: Choices;
  readonly parts?: CellParts;
  /** The burst machine, which knows the canonical order only. */
  readonly bursts?: boolean;
  /** Those that watch; all by default. */
  readonly properties?: readonly CellProperty[];
  /** What the properties take the machine for, instead of what was built: to show what they notice. */
  readonly judgedAs?: CellGiven;
  /** Keep the event log. */
  readonly keepLog?: boolean;
  /** Last tick carried out: a faulty machine may go on for ever. */
  readonly ticksMax?: number;
}

/** What became of one run under the eyes of the properties. */
export interface Trial {
  readonly outcome: Outcome;
  readonly result: CellRunResult;
  /** The picks, without trailing zeros. */
  readonly tape: Tape;
  /** Empty unless it was asked for. */
  readonly log: readonly CellLogEvent[];
  /**
   * What was found: ids of invariants, sentences of properties, the verdict of a run that did not end well, and `P-10` when the
   * result counts other waiting times than the log.
   */
  readonly raised: readonly string[];
}

/** Far above what a tick of a generated machine needs, so that livelocks end soon. */
const deliveriesPerTickMax = 50_000;

/** Runs a machine once, watched by properties (Cell specification 12). */
export function trial(given: CellGiven, options: TrialOptions = {}): Trial {
  const { seed, bursts = false, properties = cellProperties, parts = soundParts, keepLog = false } = options;
  const source = options.choices ?? (seed === undefined ? undefined : new RandomChoices(seed));
  const choices = source && new RecordingChoices(source);
  const asked = { ...given, scheduled: choices !== undefined && !choices.canonical };
  const assembly = bursts ? assembleBursts(asked) : assembleSteps(asked, parts);
  const run = new Run(assembly.wiring, { deliveriesPerTickMax, ...(choices && { choices }) });
  const log: CellLogEvent[] = [];
  if (keepLog) followEvents(run, assembly, (event) => log.push(event));
  const facts = factsOf({ ...asked, ...options.judgedAs });
  const watching = watch(
    run,
    properties.map((property) => property.of(facts)),
  );
  const waits = new WaitCount();
  run.probes$.subscribe(({ probe }) => {
    if (probe.type === 'REQ' || probe.type === 'GRANT' || probe.type === 'BARRIER')
      waits.see(probe as unknown as CellProbe<'REQ' | 'GRANT' | 'BARRIER'>);
  });
  run.until(options.ticksMax ?? 20_000);
  watching.end();
  const { outcome } = run;
  const result = assembly.result(run);
  const miscounted = run.ended && sound(outcome) && waits.total(result.cycles) !== result.totalWait;
  return {
    outcome,
    result,
    tape: choices?.tape ?? [],
    log,
    raised: [...raisedBy(outcome), ...(miscounted ? ['P-10'] : [])],
  };
}

/** True when the run came to its end, whatever was found on the way. */
const sound = ({ verdict }: Outcome): boolean => verdict === 'ok' || verdict === 'violated';

/** Names a finding by the id of its invariant where it has one. */
function raisedBy(outcome: Outcome): string[] {
  const { verdict, violations } = outcome;
  const ids = violations.map(({ property }) => /^CK-\d\d|^LOG/.exec(property)?.[0] ?? property);
  const ending = sound(outcome) ? [] : [verdict];
  return [...new Set([...ids, ...ending])].sort();
}
