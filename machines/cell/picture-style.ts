import { element } from '../svg.ts';

/** A colour of a transfer: for its area and for its edge and marks. */
export interface TransferColour {
  readonly fill: string;
  readonly edge: string;
}

/**
 * Colours of the transfers, used in turn. Light areas, so that dark text reads on all of them; neighbours in the list
 * differ in hue and lightness also for colour-blind readers, and dark edges keep equal colours apart.
 */
export const TRANSFER_COLOURS: readonly TransferColour[] = [
  { fill: '#77aadd', edge: '#2b5c8f' },
  { fill: '#ee8866', edge: '#9c3f20' },
  { fill: '#eedd88', edge: '#85701a' },
  { fill: '#44bb99', edge: '#17705a' },
  { fill: '#ffaabb', edge: '#a8475f' },
  { fill: '#bbcc33', edge: '#5f6b0e' },
  { fill: '#99ddff', edge: '#2878a3' },
  { fill: '#c3a5d9', edge: '#6a4588' },
];

/** Which colour of the list a transfer has. */
export function colourIndex(order: number): number {
  return order % TRANSFER_COLOURS.length;
}

/** Family names of the text; the first one the reader has is used. */
const FONT = "ui-sans-serif, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/** Rules of a style sheet: what they apply to, and what they say. */
type Rules = readonly (readonly [selector: string, declarations: string])[];

/** What all pictures share; they bring their own background and so read on light and on dark pages. */
const SHARED_RULES: Rules = [
  ['text', `font-family:${FONT};font-size:11px;fill:#24292f`],
  ['.page', 'fill:#fcfcfa;stroke:#d8dade'],
  ['.name', 'font-size:16px;font-weight:600'],
  ['.figures', 'font-size:12px;fill:#57606a'],
  ['.note', 'fill:#9a3412'],
  ['.panel-name', 'font-size:12px;font-weight:600'],
  ['.small', 'font-size:10px;fill:#6e7781'],
];

const SPACE_TIME_RULES: Rules = [
  ['.row', 'fill:#f1f2ee'],
  ['.row.odd', 'fill:#f8f8f5'],
  ['.grid', 'stroke:#dcdfe3;stroke-width:1'],
  ['.frame', 'fill:none;stroke:#b9bfc6;stroke-width:1'],
  ['.byte', 'stroke:#fff;stroke-opacity:.75;stroke-width:1;fill:none'],
  ['.label', 'fill:#1b1f24;pointer-events:none'],
  ['.plate', 'fill:#fcfcfa;fill-opacity:.88;pointer-events:none'],
  ['.open', 'stroke-dasharray:3 2.5'],
  ['.way', 'fill:none'],
  ['.fault', 'stroke:#c1121f;stroke-width:2;fill:none'],
  ['.window', 'fill:#2b5c8f;fill-opacity:.15;stroke:#2b5c8f'],
  ['.load', 'fill:#8b949e'],
];

/** Class `.c3` and the like, on a group, gives the marks in it the colour of the transfer. */
const TRANSFER_RULES: Rules = TRANSFER_COLOURS.flatMap(
  ({ fill, edge }, index) =>
    [
      [`.c${index} .block`, `fill:url(#area${index});stroke:${edge}`],
      [`.c${index} .bar`, `fill:url(#wait${index});stroke:${edge}`],
      [`.c${index} .bar.thin`, `fill:${fill};stroke:none`],
      [`.c${index} .mark`, `fill:${edge};stroke:none`],
      [`.c${index} .way`, `stroke:${edge}`],
    ] satisfies Rules,
);

/** Class of the root element of every picture; all rules begin with it, so that a page around the picture keeps its own style. */
export const PICTURE_CLASS = 'cell-picture';

function styleElement(rules: Rules): string {
  const written = rules.map(([selector, declarations]) => `.${PICTURE_CLASS} ${selector}{${declarations}}`);
  return element('style', {}, written.join(''));
}

/** Style of a picture without transfers. */
export function plainStyle(): string {
  return styleElement(SHARED_RULES);
}

/** Style, gradients and hatchings of the space-time picture: the area deepens while the bytes move, waiting is hatched. */
export function spaceTimeStyle(): string {
  const gradients = TRANSFER_COLOURS.map(({ fill }, index) =>
    element(
      'linearGradient',
      { id: `area${index}` },
      element('stop', { offset: 0, 'stop-color': fill, 'stop-opacity': 0.45 }),
      element('stop', { offset: 1, 'stop-color': fill, 'stop-opacity': 1 }),
    ),
  );
  const hatchings = TRANSFER_COLOURS.map(({ fill, edge }, index) =>
    element(
      'pattern',
      {
        id: `wait${index}`,
        width: 5,
        height: 5,
        patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(45)',
      },
      element('rect', { width: 5, height: 5, fill, 'fill-opacity': 0.25 }),
      element('line', {
        x1: 0,
        y1: 0,
        x2: 0,
        y2: 5,
        stroke: edge,
        'stroke-opacity': 0.5,
        'stroke-width': 1.5,
      }),
    ),
  );
  const style = styleElement([...SHARED_RULES, ...SPACE_TIME_RULES, ...TRANSFER_RULES]);
  return style + element('defs', {}, ...gradients, ...hatchings);
}
