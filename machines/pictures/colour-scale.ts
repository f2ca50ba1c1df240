import { scaleLinear } from 'd3-scale';
import { element, textElement, textWidth } from '../svg.ts';
import { axis, ticksBelow } from './axis.ts';
import type { Drawing } from './drawing.ts';
import { wide } from './legend.ts';
import { ground, ink } from './palette.ts';

/** From little to much: one hue that darkens, which reads in grey as well and with any colour vision. */
const [little, middle, much] = ['#cfe2f3', '#3d86c0', '#0b2f5b'] as const;

/** A colour for each value from 0 to a round number above the greatest. */
export interface ColourScale {
  /** The colour of a value; what is nothing at all has the ground's. */
  colour(value: number): string;
  /** Colour of words on top of a value's colour. */
  on(value: number): string;
  /** The scale itself, with ticks at round values: what the colours of a picture mean. */
  readonly key: Drawing;
}

const [barWidth, barHeight, steps] = [220, 12, 44];

/** A colour scale over values, none below 0; `label` says what is measured, with its unit. */
export function colourScale(label: string, values: readonly number[]): ColourScale {
  const left = textWidth(label, 12) * wide + 14;
  const name = textElement({ x: 0, y: 11, 'font-size': 12, fill: ink }, label);
  if (values.every((value) => value <= 0)) {
    const none = textElement({ x: left, y: 11, 'font-size': 12, fill: ink }, 'nothing in this run');
    const width = left + textWidth('nothing in this run', 12) * wide;
    return { colour: () => ground, on: () => ink, key: { width, height: barHeight, marks: [name, none] } };
  }
  const across = axis({ label, format: shortNumber }, values, [left, left + barWidth]);
  const { last } = across;
  const scale = scaleLinear<string>()
    .domain([0, last / 2, last])
    .range([little, middle, much])
    .clamp(true);
  return {
    colour: (value) => (value <= 0 ? ground : scale(value)),
    on: (value) => (value > 0.4 * last ? '#ffffff' : ink),
    key: {
      width: left + barWidth + textWidth(shortNumber(last), 11) * wide,
      height: barHeight + 22,
      marks: [
        name,
        ...Array.from({ length: steps }, (_, step) =>
          element('rect', {
            x: left + (step * barWidth) / steps,
            y: 0,
            // A hair wider, so that no ground shows between the steps.
            width: barWidth / steps + (step < steps - 1 ? 0.5 : 0),
            height: barHeight,
            fill: scale(((step + 0.5) * last) / steps),
          }),
        ),
        ...ticksBelow(across, 0, barHeight),
      ],
    },
  };
}

/** A number as people read it, with three digits: `1.5 k`, `12 M`. */
export function shortNumber(value: number): string {
  const [divisor, unit] =
    value >= 1e9 ? [1e9, ' G'] : value >= 1e6 ? [1e6, ' M'] : value >= 1e3 ? [1e3, ' k'] : [1, ''];
  return `${Number((value / divisor).toPrecision(3))}${unit}`;
}
