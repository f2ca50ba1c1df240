import type { Observer, Pending } from '../kernel/explore/observer.ts';
import { transcriptOf } from '../kernel/explore/transcript.ts';
import type { Run } from '../kernel/run.ts';
import { Observing } from './observing.ts';
import type { MachineProperties } from './properties.ts';
import type { Watch } from './property.ts';
import { comesToRest, restSentence } from './rest.ts';
import { roundWords } from './round-words.ts';

/** A run that goes round for ever, cut off after its first round: what a check found, in a form in which a run can be judged by it. */
export interface Cycle {
  /** The tick at the end of which the round begins, -1 before the first tick: the state then comes back at the end of the run. */
  readonly from: number;
  /** The sentence that waits all the way round. */
  readonly property: string;
}

/** The properties of a machine, one of which also finds that a run which goes round as said never shows what it waits for; so does the one that every run comes to rest, which any machine has. */
export function withCycle(
  properties: MachineProperties | undefined,
  cycle: Cycle | undefined,
): MachineProperties | undefined {
  if (!cycle) return properties;
  const known: MachineProperties = properties ?? { sentences: [], watch: () => ({ end: () => {} }) };
  return {
    ...known,
    cycle,
    watch: (run, given, assembly) => {
      const watching = known.watch(run, given, assembly);
      const sought =
        cycle.property === restSentence
          ? comesToRest()
          : known.observers?.(given, assembly).find(({ sentence }) => sentence === cycle.property);
      const round = sought && watchCycle(run, sought, cycle);
      return {
        end: () => {
          watching.end();
          round?.end();
        },
      };
    },
  };
}

/**
 * Reports at the end of a run that it goes round for ever without what a property waits for: when the state is the one that it was where the round began, and something was pending
 * all the way.
 *
 * Details: whether the round is weakly fair is seen on the graph of all states only, so it is not asked here. Gotchas: call it before the first step.
 */
export function watchCycle(run: Run, property: Observer, { from }: Cycle): Watch {
  /** Keys that have been pending since the round began, and the state then. */
  let open: Set<string> | undefined;
  let first = '';
  const following = follow(
    run,
    property,
    (pending, tick) => {
      open = open && new Set(pending.flatMap(({ key }) => (open!.has(key) ? [key] : [])));
      if (tick !== from) return;
      open = new Set(pending.map(({ key }) => key));
      first = stateText(run);
    },
    (key) => open?.delete(key),
  );
  return {
    end: () => {
      following.stop();
      const waited = following.pending.find(({ key }) => open?.has(key));
      if (!waited || run.now <= from || stateText(run) !== first) return;
      run.report(waited.actors, {
        property: property.sentence,
        why: `${waited.why}, ${roundWords(from, run)}`,
      });
    },
  };
}

/** What a sentence waits for. */
export interface Waiting {
  readonly sentence: string;
  /** True for a run that was left before its end and has waited for one and the same thing through all of its second half: nobody knows whether that comes. */
  readonly waits: boolean;
}

/** Watches what a property waits for. Gotchas: call it before the first step. */
export function watchWaiting(run: Run, property: Observer): Waiting {
  /** Keys that are pending, and the deliveries before. */
  const since = new Map<string, number>();
  follow(
    run,
    property,
    (pending) => {
      const left = new Set(pending.map(({ key }) => key));
      for (const key of since.keys()) if (!left.has(key)) since.delete(key);
      for (const key of left) if (!since.has(key)) since.set(key, run.outcome.deliveries);
    },
    (key) => since.delete(key),
  );
  return {
    sentence: property.sentence,
    get waits() {
      const { deliveries, cut } = run.outcome;
      return (!run.ended || cut === true) && [...since.values()].some((before) => 2 * before <= deliveries);
    },
  };
}

/** Has a property look at a run; `keep` is told what is pending whenever it has looked, with the tick at the end of one, -1 for before the first; `met` the keys of what came. */
function follow(
  run: Run,
  property: Observer,
  keep: (pending: readonly Pending[], tick?: number) => void,
  met: (key: string) => void,
) {
  const observing = new Observing(
    property,
    () => run.presentState('copies'),
    () => {},
    run.zeroCopy,
    met,
  );
  const stopListening = run.listen({
    started: () => {
      observing.state();
      keep(observing.pending, -1);
    },
  });
  const subscriptions = [
    run.probes$.subscribe(({ tick, actor, probe }) => {
      observing.probe({ kind: 'probe', actor, probe, tick });
      keep(observing.pending);
    }),
    run.messages$.subscribe(({ message: { event, due }, from, to }) => {
      observing.message({ kind: 'message', from, to, event, tick: due });
      keep(observing.pending);
    }),
    run.ticks$.subscribe((tick) => {
      observing.endOfTick(tick);
      keep(observing.pending, tick);
    }),
  ];
  return {
    get pending() {
      return observing.pending;
    },
    stop: () => {
      stopListening();
      for (const subscription of subscriptions) subscription.unsubscribe();
    },
  };
}

/** A state as a text, the same for equal states whenever they are. */
export function stateText(run: Run): string {
  // Without time a fingerprint says nothing of it.
  if (run.asynchronous) return run.fingerprint;
  const { actors, messages } = run.state;
  // Only within a channel does the order of posting matter.
  const byChannel = messages.toSorted(
    (one, other) => one.due - other.due || compare(one.from, other.from) || compare(one.to, other.to),
  );
  return transcriptOf([actors, byChannel]);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
