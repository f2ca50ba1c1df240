import { element, textElement, textWidth } from '../svg.ts';
import { type Axis, axis, ticksBelow } from './axis.ts';
import { type Drawing, type Heading, headed, margin } from './drawing.ts';
import { wide } from './legend.ts';
import { faint, ink } from './palette.ts';

/** A row of a picture over time. */
export interface TimeRow {
  readonly label: string;
  /** Smaller, below the label: `16 tags`. */
  readonly note?: string;
  /** Height in px, 22 when absent. */
  readonly height?: number;
  /** Draws what happened, between `y` and `y + height`. */
  draw(time: Axis, y: number, height: number): readonly string[];
}

/** Rows that belong together. */
export interface TimePanel {
  readonly caption?: string;
  readonly rows: readonly TimeRow[];
}

/** A picture over time before it is drawn. */
export interface TimePicture extends Heading {
  /** What the axis counts: `cycles of the network`. */
  readonly unit: string;
  /** The last moment. */
  readonly end: number;
  readonly panels: readonly TimePanel[];
  /** Draws across rows, on top of them; `middleOf` gives the middle of a row of a panel in px. */
  across?(time: Axis, middleOf: (panel: number, row: number) => number): readonly string[];
}

const [plotWidth, rowHeight, captionHeight] = [860, 22, 26];

/** Draws panels of rows over one axis of time with round ticks. */
export function timePicture(picture: TimePicture): Drawing {
  const { unit, end, panels, across } = picture;
  const rows = panels.flatMap((panel) => panel.rows);
  const left = margin + 10 + Math.max(0, ...rows.map(({ label }) => textWidth(label, 12) * wide));
  const right = left + plotWidth;
  return headed(picture, plotWidth, (top) => {
    const time = axis({ label: unit }, [end], [left, right]);
    let y = top;
    const captions: string[] = [];
    const tops = panels.map(({ caption, rows: own }) => {
      if (caption !== undefined) {
        y += captionHeight;
        captions.push(
          textElement({ x: left, y: y - 9, 'font-size': 12, 'font-weight': 600, fill: ink }, caption),
        );
      }
      return own.map(({ height = rowHeight }) => {
        y += height;
        return y - height;
      });
    });
    const bottom = y;
    const heightOf = (panel: number, row: number): number => panels[panel]!.rows[row]!.height ?? rowHeight;
    const drawn = panels.flatMap(({ rows: own }, panel) =>
      own.flatMap(({ label, note, draw }, row) => {
        const [at, height] = [tops[panel]![row]!, heightOf(panel, row)];
        const size = Math.min(12, height - 1);
        const words = { x: left - 10, 'text-anchor': 'end', fill: ink };
        return [
          element('line', { x1: left, x2: right, y1: at + height, y2: at + height, stroke: faint }),
          textElement(
            { ...words, y: at + (note === undefined ? height / 2 + size * 0.35 : 15), 'font-size': size },
            label,
          ),
          ...(note === undefined ? [] : [textElement({ ...words, y: at + 29, 'font-size': 10 }, note)]),
          ...draw(time, at, height),
        ];
      }),
    );
    const lastTick = time.ticks.at(-1)?.text ?? '';
    return {
      width: right + (textWidth(lastTick, 11) * wide) / 2,
      height: bottom + 42,
      marks: [
        ...ticksBelow(time, top, bottom),
        ...captions,
        ...drawn,
        ...(across?.(time, (panel, row) => tops[panel]![row]! + heightOf(panel, row) / 2) ?? []),
        textElement(
          { x: (left + right) / 2, y: bottom + 36, 'text-anchor': 'middle', 'font-size': 12, fill: ink },
          unit,
        ),
      ],
    };
  });
}
