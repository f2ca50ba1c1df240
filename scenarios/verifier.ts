import type { Run } from '../kernel/run.ts';
import {
  absent,
  digitsOf,
  type RecordedCheckpoint,
  type Recording,
  recordedActors,
  violatedProperties,
} from './recording.ts';

/** The first thing in which a run is not the recorded one. */
export interface Deviation {
  /** The last tick at whose end both were equal, -1 when there is none. */
  readonly after: number;
  /** The first tick at whose end they were seen to differ. */
  readonly tick: number;
  /** The actors that differ, when the recording tells them apart. */
  readonly actors: readonly string[];
  /** What differs, in words. */
  readonly what: string;
  /** True when all that happened is equal, and what was found in it is not. */
  readonly judgedOnly?: true;
}

/** Compares a run with the checkpoints of a recording while it goes. */
export class Verifier {
  readonly #recording: Recording;
  readonly #run: Run;
  #next = 0;
  #equalUntil = -1;
  /** The first difference, once there is one. */
  deviation: Deviation | undefined;

  constructor(recording: Recording, run: Run) {
    this.#recording = recording;
    this.#run = run;
    run.ticks$.subscribe((tick) => this.#atEndOf(tick));
  }

  /** How many checkpoints were found equal. */
  get checked(): number {
    return this.deviation ? this.#next - 1 : this.#next;
  }

  /** Compares the ends, after the run has carried out what the recording says. */
  compareEnds(): void {
    if (this.deviation) return;
    const { end, actors } = this.#recording;
    const missed = this.#recording.checkpoints[this.#next];
    if (missed) {
      this.#missed(missed);
      return;
    }
    const run = this.#run;
    const { ticks, deliveries, verdict } = run.outcome;
    const properties = violatedProperties(run);
    const differing =
      end.actors === undefined ? [] : differingActors(recordedActors(actors, end.actors), run.fingerprints);
    const what = [
      ...(ticks === end.ticks ? [] : [`it ended after ${ticks} ticks, recorded ${end.ticks}`]),
      ...(deliveries === end.deliveries ? [] : [`${deliveries} deliveries, recorded ${end.deliveries}`]),
      ...(differing.length === 0 ? [] : [`the state of ${listed(differing)} differs`]),
    ];
    const isEqual = what.length === 0 && run.fingerprint === end.fingerprint;
    const found = [
      ...(verdict === end.verdict ? [] : [`verdict ${verdict}, recorded ${end.verdict}`]),
      ...(properties.join('\n') === end.violations.join('\n')
        ? []
        : [`violated: ${listed(properties)}; recorded: ${listed(end.violations)}`]),
    ];
    what.push(...found);
    if (what.length === 0 && !isEqual) what.push('the states or the messages under way differ');
    if (what.length === 0) return;
    this.#deviates(Math.max(ticks, end.ticks) - 1, differing, what.join('; '), isEqual);
  }

  /** To be told when the run was left because it has not ended where the recorded one did. */
  goesOn(): void {
    const { end } = this.#recording;
    const what = `it goes on behind tick ${end.ticks - 1} or ${end.deliveries} deliveries, where the recorded run ended`;
    if (!this.deviation) this.#deviates(Math.max(0, this.#run.outcome.ticks - 1), [], what);
  }

  #atEndOf(tick: number): void {
    if (this.deviation) return;
    const checkpoint = this.#recording.checkpoints[this.#next];
    if (!checkpoint || checkpoint.tick > tick) return;
    if (checkpoint.tick < tick) this.#missed(checkpoint);
    else this.#compare(checkpoint);
  }

  #missed({ tick, deliveries }: RecordedCheckpoint): void {
    this.#next++;
    this.#deviates(
      tick,
      [],
      `nothing was delivered in tick ${tick}, recorded were ${deliveries} deliveries up to its end`,
    );
  }

  #compare(checkpoint: RecordedCheckpoint): void {
    this.#next++;
    const { deliveries } = this.#run.outcome;
    const differing =
      checkpoint.actors === undefined
        ? []
        : differingActors(recordedActors(this.#recording.actors, checkpoint.actors), this.#run.fingerprints);
    const what = [
      ...(deliveries === checkpoint.deliveries
        ? []
        : [`${deliveries} deliveries, recorded ${checkpoint.deliveries}`]),
      ...(differing.length === 0 ? [] : [`the state of ${listed(differing)} differs`]),
    ];
    if (checkpoint.fingerprint !== undefined && checkpoint.fingerprint !== this.#run.fingerprint) {
      what.push('the states or the messages under way differ');
    }
    if (what.length > 0) this.#deviates(checkpoint.tick, differing, what.join('; '));
    else this.#equalUntil = checkpoint.tick;
  }

  #deviates(tick: number, actors: readonly string[], what: string, judgedOnly = false): void {
    this.deviation = { after: this.#equalUntil, tick, actors, what, ...(judgedOnly && { judgedOnly }) };
  }
}

/** The actors whose digits are not those of their fingerprints now, or that are only on one side. */
function differingActors(
  recorded: ReadonlyMap<string, string>,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  const names = new Set([...recorded.keys(), ...Object.keys(now)]);
  return [...names].filter((name) => {
    const before = recorded.get(name) ?? absent;
    return before !== digitsOf(now[name] ?? absent);
  });
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).join(', ') || 'nothing';
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown;
}
