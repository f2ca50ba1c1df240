/** A run of whole cycles, both ends included. */
export interface CycleWindow {
  readonly first: number;
  readonly last: number;
}

/** Maps cycles of a window to places of a picture. */
export interface CycleScale {
  readonly window: CycleWindow;
  /** Width of one cycle in px. */
  readonly cycleWidth: number;
  /** Left edge of the window in px. */
  readonly left: number;
  /** Right edge of the window in px. */
  readonly right: number;
}

/** Builds the scale that gives every cycle of the window `cycleWidth` px, from `left` on. */
export function cycleScale(window: CycleWindow, left: number, cycleWidth: number): CycleScale {
  return { window, cycleWidth, left, right: left + (window.last - window.first + 1) * cycleWidth };
}

/** Left edge of a cycle in px; cycles outside the window map to its nearer edge. */
export function cycleLeft({ window, cycleWidth, left }: CycleScale, cycle: number): number {
  const inside = Math.min(Math.max(cycle, window.first), window.last + 1);
  return left + (inside - window.first) * cycleWidth;
}

/** Tells whether cycles `first` to `last` have one in common with the window. */
export function meetsWindow(window: CycleWindow, first: number, last: number): boolean {
  return first <= window.last && last >= window.first;
}

/** Picks the smallest of 1, 2, 5, 10, 20, 50, … that is not below `least`. */
export function roundStep(least: number): number {
  for (let power = 1; ; power *= 10) {
    for (const digit of [1, 2, 5]) if (digit * power >= least) return digit * power;
  }
}

/** Lists the multiples of `step` within a window, lowest first. */
export function ticks(window: CycleWindow, step: number): number[] {
  const found: number[] = [];
  for (let cycle = Math.ceil(window.first / step) * step; cycle <= window.last; cycle += step)
    found.push(cycle);
  return found;
}
