import { element, svgNumber, textElement, textWidth } from '../svg.ts';
import { type CycleScale, cycleLeft, roundStep, ticks } from './cycle-scale.ts';

/** Font size in px that the numbers of the axis need at most. */
const NUMBER_SIZE = 11;

/** Draws the numbers of the cycles, with `y` px as the base line of the text. */
export function axisMarks(scale: CycleScale, y: number): string {
  const step = tickStep(scale);
  const labels = ticks(scale.window, step).map((cycle) => {
    // A wide cycle carries its number in its middle, a narrow one at its beginning, where the grid line stands.
    const x = cycleLeft(scale, cycle) + (step === 1 ? scale.cycleWidth / 2 : 0);
    return textElement({ class: 'small', x, y, 'text-anchor': 'middle', 'data-cycle': cycle }, String(cycle));
  });
  return textElement({ class: 'small', x: 12, y }, 'cycle') + labels.join('');
}

/** Draws short lines under the numbers `y` px high, where the numbers do not stand in the middle of their cycles. */
export function axisGrid(scale: CycleScale, y: number): string {
  return tickStep(scale) === 1 ? '' : gridLines(scale, y + 3, y + 8);
}

/** Draws the vertical lines at the ticks of the cycle axis, from `top` to `bottom` in px. */
export function gridLines(scale: CycleScale, top: number, bottom: number): string {
  const places = ticks(scale.window, tickStep(scale)).map((cycle) => cycleLeft(scale, cycle));
  const path = places.map((x) => `M${svgNumber(x)} ${svgNumber(top)}V${svgNumber(bottom)}`).join('');
  return element('path', { class: 'grid', d: path });
}

/** Cycles between two ticks of the axis, so that their numbers do not touch. */
export function tickStep({ window, cycleWidth }: CycleScale): number {
  return roundStep((textWidth(String(window.last), NUMBER_SIZE) + 10) / cycleWidth);
}

/** Draws the name of a node beside its row, around height `y` in px. */
export function rowName(node: number, left: number, y: number): string {
  return textElement(
    { class: 'small', x: left - 6, y: y + 3.5, 'text-anchor': 'end', 'data-row': node },
    `S${node}`,
  );
}
