import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { choosePanel, panels, panelsShown } from './panels.tsx';
import {
  goTo,
  helpShown,
  lanes,
  neighbour,
  opened,
  playHead,
  run,
  selected,
  showAll,
  zoom,
} from './store.ts';

export const playing = signal(false);
/** Deliveries a second while it plays. */
const speed = 8;
let timer: ReturnType<typeof setInterval> | undefined;

/** Plays from the play head to the end, or stops. */
export function play(): void {
  playing.value = !playing.value;
  clearInterval(timer);
  if (!playing.value) return;
  timer = setInterval(() => {
    if (playHead.value < (lanes.value?.last ?? -1)) step(1);
    else play();
  }, 1000 / speed);
}

/** The next moment, or the previous one. */
export const step = (direction: 1 | -1): void => goTo(lanes.value!.beside(playHead.value, direction));

const to = (at: number | undefined): void => {
  if (at !== undefined) goTo(at);
};

/** The first delivery of the next or of this tick's predecessor. */
function tick(direction: 1 | -1): void {
  // Each step of an asynchronous network is a tick.
  if (opened.value!.asynchronous) {
    step(direction);
    return;
  }
  const { tick: ticks, count } = run.value!.columns;
  let at = playHead.value;
  const now = ticks[Math.max(0, at)];
  while (at + direction >= 0 && at + direction < count && ticks[at] === now) at += direction;
  goTo(at);
}

function own(direction: 1 | -1): void {
  const index = run.value!.actors.findIndex(({ name }) => name === selected.value);
  if (index < 0) return;
  const found = [
    neighbour(lanes.value!.of[index]!, direction),
    neighbour(
      run.value!.changes.flatMap(({ actor, at }) => (actor === index ? [at] : [])),
      direction,
    ),
  ].flatMap((at) => at ?? []);
  if (found.length > 0) goTo(direction > 0 ? Math.min(...found) : Math.max(...found));
}

function place(): number {
  return lanes.value?.place(playHead.value) ?? 0;
}

const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  ArrowRight: ({ shiftKey }) => (shiftKey ? own(1) : step(1)),
  ArrowLeft: ({ shiftKey }) => (shiftKey ? own(-1) : step(-1)),
  ']': () => tick(1),
  '[': () => tick(-1),
  '.': () =>
    to(
      neighbour(
        run.value!.picks.map(({ at }) => at),
        1,
      ),
    ),
  ',': () =>
    to(
      neighbour(
        run.value!.picks.map(({ at }) => at),
        -1,
      ),
    ),
  f: () =>
    to(
      neighbour(
        run.value!.marks.map(({ at }) => at),
        1,
      ),
    ),
  F: () =>
    to(
      neighbour(
        run.value!.marks.map(({ at }) => at),
        -1,
      ),
    ),
  Home: () => goTo(-1),
  End: () => goTo(lanes.value!.last),
  ' ': play,
  '+': () => zoom(0.6, place()),
  '-': () => zoom(1 / 0.6, place()),
  '0': showAll,
  c: () => to(run.value!.columns.cause[playHead.value]),
  '/': () => document.getElementById('filter')?.focus(),
  '?': () => {
    helpShown.value = !helpShown.value;
  },
  Escape: () => {
    helpShown.value = false;
  },
  ...Object.fromEntries(
    panels.map((name, index) => [
      String(index + 1),
      () => {
        if (panelsShown().includes(name)) choosePanel(name);
      },
    ]),
  ),
};

/** Keys work wherever the focus is, but where something is written. */
export function useKeys(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { target } = event;
      if (!run.value || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
        if (event.key === 'Escape') target.blur();
        return;
      }
      // A focused button is pressed with the space bar.
      if (event.key === ' ' && target instanceof HTMLButtonElement) return;
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}
