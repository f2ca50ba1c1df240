import { element, page, textElement, textWidth } from '../svg.ts';
import { type LegendEntry, legend, wide } from './legend.ts';
import { dark, ink } from './palette.ts';

/** Something drawn: its size in px, and SVG elements in px from its own corner. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly string[];
}

/** Writes a drawing as a page of its own, in SVG; `title` is what readers' tools tell. */
export const written = (title: string, { width, height, marks }: Drawing): string =>
  page({ width: Math.ceil(width), height: Math.ceil(height), title }, ...marks);

/** Puts drawings next to each other, left to right. */
export const beside = (drawings: readonly Drawing[]): Drawing => joined(drawings, 'width');

/** Puts drawings below each other. */
export const below = (drawings: readonly Drawing[]): Drawing => joined(drawings, 'height');

function joined(drawings: readonly Drawing[], along: 'width' | 'height'): Drawing {
  const across = along === 'width' ? 'height' : 'width';
  let at = 0;
  const marks = drawings.map((one) => {
    const place = along === 'width' ? `${Math.ceil(at)} 0` : `0 ${Math.ceil(at)}`;
    at += one[along];
    return element('g', { transform: `translate(${place})` }, ...one.marks);
  });
  const side = drawings.reduce((most, one) => Math.max(most, one[across]), 0);
  return along === 'width' ? { width: at, height: side, marks } : { width: side, height: at, marks };
}

/** Px around a drawing that has a heading. */
export const margin = 20;

/** What stands above a drawing. */
export interface Heading {
  readonly title: string;
  /** Figures in one line, smaller. */
  readonly subtitle?: string | undefined;
  readonly legend?: readonly LegendEntry[];
}

/** Bold letters are wider than others. */
const bold = 1.2;
const [titleSize, subtitleSize] = [15, 12];

/** Puts title, subtitle and legend above what `body` draws below `top` and right of `margin`; the page is as wide as the widest of them. */
export function headed(
  { title, subtitle, legend: entries = [] }: Heading,
  room: number,
  body: (top: number) => Drawing,
): Drawing {
  const keysTop = subtitle === undefined ? 44 : 60;
  const keys = legend(entries, { x: margin, y: keysTop, width: room });
  const drawn = body(keysTop + keys.height + (keys.height > 0 ? 6 : 0));
  const width = Math.max(
    drawn.width,
    margin + keys.width,
    margin + textWidth(title, titleSize) * bold,
    margin + textWidth(subtitle ?? '', subtitleSize) * wide,
  );
  return {
    width: width + margin,
    height: drawn.height + margin / 2,
    marks: [
      textElement({ x: margin, y: 28, 'font-size': titleSize, 'font-weight': 600, fill: dark }, title),
      ...(subtitle === undefined
        ? []
        : [textElement({ x: margin, y: 48, 'font-size': subtitleSize, fill: ink }, subtitle)]),
      ...keys.drawn,
      ...drawn.marks,
    ],
  };
}
