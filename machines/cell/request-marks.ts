import { element, svgNumber, textElement, textWidth, tooltip } from '../svg.ts';
import { type CycleScale, cycleLeft, meetsWindow, roundStep } from './cycle-scale.ts';
import { gridLines, rowName } from './picture-grid.ts';
import { colourIndex } from './picture-style.ts';
import type { RequestBar, RequestPanel } from './space-time-layout.ts';
import { transferStory } from './transfer-words.ts';
import type { LoggedException, LoggedRun, LoggedTransfer } from './transfers-of-log.ts';

const LABEL_SIZE = 11;

/** Draws the requests: when each initiator issued them and how long each waited for its start (Cell specification 14). */
export function requestMarks(panel: RequestPanel, run: LoggedRun, scale: CycleScale): string {
  const { top, rows, bottom } = panel;
  const width = scale.right - scale.left;
  const rowsTop = rows[0]?.top ?? top;
  const step = roundStep(12 / ((bottom - rowsTop) / Math.max(1, rows.length)));
  const stripes = rows.map(({ spu, top: y, height }) => {
    const shade = Math.floor(spu / step) % 2 === 1 ? 'row odd' : 'row';
    const name = spu % step === 0 ? rowName(spu, scale.left, y + Math.max(height / 2, 3)) : '';
    return element('rect', { class: shade, x: scale.left, y, width, height }) + name;
  });
  return element(
    'g',
    { class: 'requests' },
    textElement({ class: 'panel-name', x: 12, y: top + 14 }, 'requests'),
    textElement(
      { class: 'small', x: 84, y: top + 14 },
      'on the row of the initiator: issued, then waiting for the start',
    ),
    ...stripes,
    gridLines(scale, rowsTop, bottom),
    element('rect', { class: 'frame', x: scale.left, y: rowsTop, width, height: bottom - rowsTop }),
    ...rows.flatMap(({ bars }) => bars.map((bar) => requestMark(bar, panel.laneHeight, scale))),
    ...run.exceptions.map((exception) => exceptionMark(exception, panel, scale)),
  );
}

function requestMark({ transfer, top }: RequestBar, laneHeight: number, scale: CycleScale): string {
  const { issue, wait, state, order, start } = transfer;
  const middle = top + laneHeight / 2;
  const radius = Math.max(0.9, Math.min(3.2, laneHeight * 0.28, Math.max(1.8, scale.cycleWidth * 0.45)));
  const parts = [tooltip(transferStory(transfer))];
  if (wait > 0 && meetsWindow(scale.window, issue + 1, issue + wait)) {
    parts.push(waitingBar(transfer, top, laneHeight, scale));
  }
  if (meetsWindow(scale.window, issue, issue)) {
    const cx = centre(scale, issue);
    parts.push(
      element('circle', {
        class: 'mark issue',
        ...dataOf(transfer, issue, issue),
        cx,
        cy: middle,
        r: radius,
      }),
    );
  }
  if (state === 'empty' && start !== null && meetsWindow(scale.window, start, start)) {
    parts.push(emptyMark(transfer, start, middle, radius * 1.5, scale));
  }
  return element('g', { class: `request c${colourIndex(order)}` }, ...parts);
}

function waitingBar(transfer: LoggedTransfer, top: number, laneHeight: number, scale: CycleScale): string {
  const { issue, wait, state } = transfer;
  const x = cycleLeft(scale, issue + 1);
  const width = cycleLeft(scale, issue + wait + 1) - x;
  const inset = Math.min(1.5, laneHeight * 0.15);
  const bar = element('rect', {
    class: `bar${laneHeight < 6 ? ' thin' : ''}${state === 'waiting' ? ' open' : ''}`,
    ...dataOf(transfer, issue + 1, issue + wait),
    'data-wait': wait,
    x: x + 0.5,
    y: top + inset,
    width: Math.max(0.5, width - 1),
    height: laneHeight - 2 * inset,
  });
  return bar + waitingLabel(transfer, x, width, top + laneHeight / 2, laneHeight);
}

/** The wait in words, or as a number where there is little room; a light plate keeps it readable over the hatching. */
function waitingLabel(
  { wait }: LoggedTransfer,
  x: number,
  width: number,
  middle: number,
  laneHeight: number,
): string {
  const wordings = [`waits ${wait} cycle${wait === 1 ? '' : 's'}`, `waits ${wait}`, String(wait)];
  const words = wordings.find((wording) => textWidth(wording, LABEL_SIZE) + 6 <= width);
  if (words === undefined || laneHeight < 11) return '';
  const plate = textWidth(words, LABEL_SIZE) + 4;
  const centreX = x + width / 2;
  return (
    element('rect', {
      class: 'plate',
      x: centreX - plate / 2,
      y: middle - 5.5,
      width: plate,
      height: 11,
      rx: 2,
    }) + textElement({ class: 'label', x: centreX, y: middle + 4, 'text-anchor': 'middle' }, words)
  );
}

/** A hollow diamond: a transfer of no bytes is complete in the cycle after its request (Cell specification 11). */
function emptyMark(
  transfer: LoggedTransfer,
  cycle: number,
  y: number,
  radius: number,
  scale: CycleScale,
): string {
  const x = centre(scale, cycle);
  const [across, down] = [svgNumber(radius), svgNumber(radius)];
  const d = `M${svgNumber(x)} ${svgNumber(y - radius)}l${across} ${down}l-${across} ${down}l-${across} -${down}z`;
  return element('path', { class: 'way empty', ...dataOf(transfer, cycle, cycle), d });
}

function exceptionMark(
  { cycle, spu, why }: LoggedException,
  { rows }: RequestPanel,
  scale: CycleScale,
): string {
  const row = rows[spu];
  if (row === undefined || !meetsWindow(scale.window, cycle, cycle)) return '';
  const [x, y] = [centre(scale, cycle), row.top + row.height / 2];
  const size = Math.max(2, Math.min(5, scale.cycleWidth / 2));
  const stroke = (sign: 1 | -1) =>
    `M${svgNumber(x - size)} ${svgNumber(y - sign * size)}L${svgNumber(x + size)} ${svgNumber(y + sign * size)}`;
  return element(
    'path',
    { class: 'fault', 'data-spu': spu, 'data-first': cycle, 'data-last': cycle, d: stroke(1) + stroke(-1) },
    tooltip(`exception of S${spu} in cycle ${cycle}: ${why}`),
  );
}

function dataOf({ spu, id }: LoggedTransfer, first: number, last: number) {
  return { 'data-spu': spu, 'data-id': id, 'data-first': first, 'data-last': last, 'data-node': spu };
}

function centre(scale: CycleScale, cycle: number): number {
  return cycleLeft(scale, cycle) + scale.cycleWidth / 2;
}
