import { element, textElement, textWidth } from '../svg.ts';
import { type Axis, axis, ticksBelow } from './axis.ts';
import { type Drawing, type Heading, headed, margin } from './drawing.ts';
import { wide } from './legend.ts';
import { faint, ink } from './palette.ts';

/** A row over the axis. */
export interface Lane {
  readonly label: string;
  /** Smaller, below the label: `16 tags`. */
  readonly note?: string;
  /** Height in px, 22 when absent. */
  readonly height?: number;
  /** Draws what happened, between `y` and `y + height`. */
  draw(axis: Axis, y: number, height: number): readonly string[];
}

/** Lanes that belong together. */
export interface LanePanel {
  readonly caption?: string;
  readonly lanes: readonly Lane[];
}

/** Lanes over one axis before they are drawn: of time, or of addresses. */
export interface Lanes extends Heading {
  /** What the axis counts: `cycles of the network`. */
  readonly unit: string;
  /** Last value of the axis. */
  readonly end: number;
  readonly panels: readonly LanePanel[];
  /** Draws across rows, on top of them; `middleOf` gives the middle of a row of a panel in px. */
  across?(axis: Axis, middleOf: (panel: number, row: number) => number): readonly string[];
}

const [plotWidth, laneHeight, captionHeight] = [860, 22, 26];

/** Draws panels of lanes over one axis with round ticks. */
export function lanes(picture: Lanes): Drawing {
  const { unit, end, panels, across } = picture;
  const labels = panels.flatMap((panel) => panel.lanes.map(({ label }) => textWidth(label, 12) * wide));
  const left = margin + 10 + Math.max(0, ...labels);
  const right = left + plotWidth;
  const over = axis({ label: unit }, [end], [left, right]);
  return headed(picture, plotWidth, (top) => {
    const { placed, captions, bottom } = placesOf(panels, top);
    const lastTick = over.ticks.at(-1)?.text ?? '';
    const words = { 'font-size': 12, fill: ink };
    return {
      width: right + (textWidth(lastTick, 11) * wide) / 2,
      height: bottom + 42,
      marks: [
        ...ticksBelow(over, top, bottom),
        ...captions.map(({ caption, y }) =>
          textElement({ x: left, y: y - 9, 'font-weight': 600, ...words }, caption),
        ),
        ...placed
          .flat()
          .flatMap(({ lane, y, height }) => [
            element('line', { x1: left, x2: right, y1: y + height, y2: y + height, stroke: faint }),
            ...labelOf(lane, left - 10, y, height),
            ...lane.draw(over, y, height),
          ]),
        ...(across?.(over, (panel, lane) => {
          const { y, height } = placed[panel]![lane]!;
          return y + height / 2;
        }) ?? []),
        textElement({ x: (left + right) / 2, y: bottom + 36, 'text-anchor': 'middle', ...words }, unit),
      ],
    };
  });
}

/** Where captions and lanes stand, one below the other. */
function placesOf(panels: readonly LanePanel[], top: number) {
  let bottom = top;
  const captions: { readonly caption: string; readonly y: number }[] = [];
  const placed = panels.map(({ caption, lanes: own }) => {
    if (caption !== undefined) {
      bottom += captionHeight;
      captions.push({ caption, y: bottom });
    }
    return own.map((lane) => {
      const height = lane.height ?? laneHeight;
      bottom += height;
      return { lane, height, y: bottom - height };
    });
  });
  return { placed, captions, bottom };
}

function labelOf({ label, note }: Lane, right: number, y: number, height: number): readonly string[] {
  const words = { x: right, 'text-anchor': 'end', fill: ink };
  const size = Math.min(12, height - 1);
  const at = note === undefined ? y + height / 2 + size * 0.35 : y + 15;
  return [
    textElement({ ...words, y: at, 'font-size': size }, label),
    ...(note === undefined ? [] : [textElement({ ...words, y: y + 29, 'font-size': 10 }, note)]),
  ];
}
