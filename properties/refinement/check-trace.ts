import { ClockNeeded } from '../../kernel/explore/effect-recorder.ts';
import { type ReadShown, StepGraph, type StepGraphOptions } from '../../kernel/explore/step-graph.ts';
import { onlyKeys } from '../../kernel/known-keys.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { Following, type Held, type Possible } from './following.ts';
import { type Nearest, nearestOf } from './nearest.ts';
import { shownEvent } from './shown-event.ts';
import { WiredModel } from './wired-model.ts';

/** How a trace is checked. */
export interface TraceOptions extends Omit<StepGraphOptions, 'clock'> {
  /** Reads what the model shows; undefined for what the trace does not have. Probes with all their fields, `{ at, event, …fields }`, when absent. */
  readonly event?: ReadShown;
  /** True: the trace is of a run that has come to rest; default false, of one that may go on. */
  readonly ended?: boolean;
  /** True: between the events of one step there may be those of other actors, as where several processes write one log. Default false: only what actors show while they start may come so. */
  readonly interleaved?: boolean;
  /** States of the model that are looked at. Default 1,000,000. */
  readonly statesMax?: number;
}

const traceOptions = [
  'event',
  'ended',
  'interleaved',
  'statesMax',
  'watches',
  'faults',
  'until',
  'reduction',
  'deliveriesPerTickMax',
] as const satisfies readonly (keyof TraceOptions)[];

/** How far a trace was followed. */
export interface TraceFigures {
  /** Events that are those of a run of the model, from the first on. */
  readonly events: number;
  /** States of the model that were looked at. */
  readonly states: number;
  /** States in which the model could be at once, at most. */
  readonly heldMax: number;
}

/** What comes of checking a trace. */
export type TraceResult = TraceFigures &
  (
    | { readonly verdict: 'ok' }
    | {
        readonly verdict: 'refused';
        /** The first event that the model does not show there; undefined where the trace ends and the model goes on. */
        readonly found: unknown;
        /** What the model could have shown there, each once. */
        readonly possible: readonly Possible[];
        /** Of these the one that is most like what was found. */
        readonly nearest: Nearest | undefined;
      }
    /** Not judged beyond `events`: more states than `statesMax`. */
    | { readonly verdict: 'incomplete' }
  );

/** Events of a part, where each of them takes next to nothing. */
const partEvents = 1000;

/** States that are looked at by default. */
export const traceStatesMax = 1_000_000;

/**
 * Checks that a trace of events is what some run of a model shows: `checkTrace(() => wiring, events)`.
 *
 * Details: all states are followed in which the model can be after each event, hidden steps and choices included, so that nothing is guessed. Events are plain data and equal when their contents are. `make` wires the
 * model, anew at each call; a boundary of the wiring is left out, since it limits explorations and not the model. Errors: as `Explorer`.
 */
export function checkTrace(
  make: () => Wiring,
  events: Iterable<unknown>,
  options: TraceOptions = {},
): TraceResult {
  const checking = checkingTrace(make, events, options);
  for (;;) {
    const { done, value } = checking.next();
    if (done) return value;
  }
}

/** As `checkTrace`, in parts: yields how far it has come after each. */
export function* checkingTrace(
  make: () => Wiring,
  events: Iterable<unknown>,
  options: TraceOptions = {},
): Generator<TraceFigures, TraceResult> {
  const all = [...events];
  onlyKeys('options of a trace', options, traceOptions);
  try {
    return yield* follow(make, all, options, false);
  } catch (error) {
    if (!(error instanceof ClockNeeded)) throw error;
    return yield* follow(make, all, options, true);
  }
}

function* follow(
  make: () => Wiring,
  events: readonly unknown[],
  { event = shownEvent, ended, interleaved, statesMax = traceStatesMax, ...how }: TraceOptions,
  clock: boolean,
): Generator<TraceFigures, TraceResult> {
  const unbounded = () => {
    const wiring = make();
    wiring.boundary = undefined;
    return wiring;
  };
  const model = new WiredModel(new StepGraph(unbounded, event, { ...how, clock }));
  const following = new Following(model, interleaved ? 'actors' : 'starts', statesMax);
  let [done, heldMax] = [0, 0];
  const figures = (): TraceFigures => ({ events: done, states: model.size, heldMax });
  const inParts = function* (parts: Generator<void, readonly Held[] | undefined>) {
    for (;;) {
      const part = parts.next();
      if (part.done) {
        heldMax = Math.max(heldMax, part.value?.length ?? 0);
        // What does not fit is known exactly, however much was looked at.
        return part.value?.length === 0 || model.size <= statesMax ? part.value : undefined;
      }
      if (model.size > statesMax) return undefined;
      yield figures();
    }
  };

  let held = yield* inParts(following.beginning());
  for (const found of events) {
    if (!held) return { ...figures(), verdict: 'incomplete' };
    const next: readonly Held[] | undefined = yield* inParts(following.following(held, found));
    if (next?.length === 0) {
      const possible = following.possible(held);
      const shown = possible.map(({ what }) => what);
      return { ...figures(), verdict: 'refused', found, possible, nearest: nearestOf(found, shown) };
    }
    held = next;
    if (held && ++done % partEvents === 0) yield figures();
  }
  if (!held) return { ...figures(), verdict: 'incomplete' };
  const rests = held.some(({ node, rest }) => rest.length === 0 && model.rests(node as number));
  if (!ended || rests) return { ...figures(), verdict: 'ok' };
  const possible = following.possible(held);
  return { ...figures(), verdict: 'refused', found: undefined, possible, nearest: undefined };
}
