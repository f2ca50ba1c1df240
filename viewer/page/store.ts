import { batch, computed, signal } from '@preact/signals';
import type { Fork, Moment, Opened, PanelName, RunView } from '../protocol.ts';
import type { Client } from './client.ts';
import { type Axis, Lanes } from './lanes.ts';

/** What the page shows: everything else follows from these. */
export const opened = signal<Opened | undefined>(undefined);
export const progress = signal('');
export const failure = signal('');
/** The moment at which the run is looked at: a delivery or a step of the network, -1 before the first. */
export const playHead = signal(-1);
export const selected = signal<string | undefined>(undefined);
export const axis = signal<Axis>('order');
/** The part of the axis that is shown. */
export const view = signal<readonly [number, number]>([0, 1]);
export const filter = signal('');
export const fork = signal<Fork | undefined>(undefined);
/** True while the changed run is looked at instead of the opened one. */
export const forkShown = signal(false);
export const moment = signal<Moment | undefined>(undefined);
export const helpShown = signal(false);
export const panel = signal<PanelName>('message');
/** Deliveries whose past or future is lit, when somebody asked for it. */
export const lit = signal<ReadonlySet<number>>(new Set());

export const run = computed<RunView | undefined>(() =>
  forkShown.value && fork.value ? fork.value.run : opened.value?.run,
);
const recordedLanes = computed(() => opened.value && new Lanes(opened.value.run, axis.value));
const changedLanes = computed(() => fork.value && new Lanes(fork.value.run, axis.value));
/** The run that was opened, or the changed one, as a timeline draws it. */
export const lanesOf = (changed: boolean): Lanes | undefined =>
  changed ? changedLanes.value : recordedLanes.value;
export const lanes = computed<Lanes | undefined>(() => lanesOf(forkShown.value && fork.value !== undefined));

/** The actors of a timeline, as numbers: those whose name or state machine has the words of the filter. */
export function shownOf({ run: { actors } }: Lanes): readonly number[] {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  return actors.flatMap(({ name, machine }, index) => {
    const text = `${name} ${machine}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? [index] : [];
  });
}

/** Moves the play head; the timeline follows when it would leave it. */
export function goTo(at: number, actor?: string): void {
  const own = lanes.value;
  if (!own) return;
  const next = own.nearest(at);
  batch(() => {
    playHead.value = next;
    if (actor !== undefined) selected.value = actor;
    const place = own.place(next);
    const [from, to] = view.value;
    if (place < from || place > to) {
      const half = (to - from) / 2;
      show(place - half, place + half);
    }
  });
}

/** Shows a part of the axis, no less than a few deliveries and no more than all. */
export function show(from: number, to: number): void {
  const end = lanes.value?.end ?? 1;
  const width = Math.min(end * 1.02, Math.max(4, to - from));
  const low = Math.max(-end * 0.01, Math.min(from, end * 1.01 - width));
  view.value = [low, low + width];
}

/** True when nothing of the axis is outside the view. */
export function isShowingAll(): boolean {
  const [from, to] = view.value;
  return from <= 0 && to >= (lanes.value?.end ?? 1);
}

export const showAll = (): void => show(0, lanes.value?.end ?? 1);

/** Zooms about a place of the axis. */
export function zoom(factor: number, about: number): void {
  const [from, to] = view.value;
  show(about - (about - from) * factor, about + (to - about) * factor);
}

/** The next place in a sorted list behind or in front of the play head; undefined when there is none. */
export function neighbour(places: ArrayLike<number>, direction: 1 | -1): number | undefined {
  const at = playHead.value;
  let found: number | undefined;
  for (let index = 0; index < places.length; index++) {
    const place = places[index]!;
    if (direction > 0 ? place > at : place < at) {
      found = place;
      if (direction > 0) break;
    } else if (direction < 0) break;
  }
  return found;
}

/** Asks for the present moment, the latest question only: while one is answered, those in between are left out. */
export function followMoments(client: Client): () => void {
  let busy = false;
  let again = false;
  const ask = async (): Promise<void> => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    do {
      again = false;
      try {
        const actor = selected.peek();
        moment.value = await client.ask('moment', {
          at: playHead.peek(),
          ...(actor !== undefined && { actor }),
          fork: forkShown.peek(),
          scene: panel.peek() === 'machine',
        });
      } catch (error) {
        failure.value = error instanceof Error ? error.message : String(error);
      }
    } while (again);
    busy = false;
  };
  return () => void ask();
}
