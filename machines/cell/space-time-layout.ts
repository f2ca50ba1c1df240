import type { CycleScale, CycleWindow } from './cycle-scale.ts';
import { cycleScale, meetsWindow } from './cycle-scale.ts';
import type { CellLogHeader } from './log-events.ts';
import { type RingOccupation, ringIndex, ringOccupation } from './ring-occupation.ts';
import { counted } from './transfer-words.ts';
import type { LoggedRun, LoggedTransfer } from './transfers-of-log.ts';

/** The room of one ring: a header line and, when the ring is used in the window, one row a node. */
export interface RingPanel {
  readonly dir: number;
  readonly ring: number;
  /** Occupation over the whole run. */
  readonly occupation: RingOccupation;
  /** Top of the header line in px. */
  readonly top: number;
  /** Top of the row of node 0 in px. */
  readonly rowsTop: number;
  /** Height of one node's row in px; 0 when the ring is not used in the window. */
  readonly rowHeight: number;
  /** Transfers of this ring that meet the window. */
  readonly transfers: readonly LoggedTransfer[];
}

/** The place of one request in the waiting panel: from its issue cycle to its start. */
export interface RequestBar {
  readonly transfer: LoggedTransfer;
  readonly top: number;
}

/** The rows of one initiator in the waiting panel. */
export interface InitiatorRow {
  readonly spu: number;
  readonly top: number;
  readonly height: number;
  readonly bars: readonly RequestBar[];
}

/** The room of the requests: one row an initiator, as many lanes in it as requests wait at once. */
export interface RequestPanel {
  readonly top: number;
  readonly rows: readonly InitiatorRow[];
  readonly laneHeight: number;
  readonly bottom: number;
}

/** Where everything of a space-time picture stands, in px. */
export interface SpaceTimeLayout {
  readonly width: number;
  readonly scale: CycleScale;
  /** True when the window does not show all cycles of the run. */
  readonly cut: boolean;
  /** Sentences on what is not shown. */
  readonly notes: readonly string[];
  /** Top of the strip that shows the whole run, when the window is cut. */
  readonly overviewTop: number;
  readonly axisTop: number;
  readonly panels: readonly RingPanel[];
  readonly requests: RequestPanel;
  readonly legendTop: number;
}

/** What the reader may ask of a space-time picture. */
export interface SpaceTimeOptions {
  /** Largest width of the picture in px, from 480; 1600 when absent. */
  readonly width?: number;
  /** Cycles to show; when absent, as many from cycle 0 on as are readable. */
  readonly window?: CycleWindow;
}

/** Heights of the parts in px that do not depend on the run. */
export const HEIGHTS = {
  title: 58,
  note: 15,
  overview: 34,
  axis: 24,
  panelName: 20,
  gap: 8,
  legend: 62,
} as const;

const MARGIN = { left: 52, right: 24 } as const;
/** The legend and the title need this much. */
const WIDTH_LEAST = 760;
const CYCLE_WIDTH_MOST = 56;
const CYCLE_WIDTH_ALONE = 112;
/** Below this width a cycle is not seen any more; then the picture shows the first cycles only. */
const CYCLE_WIDTH_LEAST = 3;
const ROWS_HEIGHT = 1000;
const LANES_HEIGHT = 420;
const LANE_HEIGHT_LEAST = 2.5;
const LANES_MOST = 320;

/** Finds the place of everything in a space-time picture; a RangeError when width or window is not usable. */
export function spaceTimeLayout(
  header: CellLogHeader,
  run: LoggedRun,
  { width = 1600, window: wanted }: SpaceTimeOptions,
): SpaceTimeLayout {
  if (!(width >= 480)) throw new RangeError(`width is ${width} px, expected a number from 480`);
  const room = width - MARGIN.left - MARGIN.right;
  const window = wanted === undefined ? readableWindow(run.cycles, room) : checkedWindow(wanted);
  const cycleWidth = widthOfCycle(window.last - window.first + 1, room);
  const scale = cycleScale(window, MARGIN.left, cycleWidth);
  const cut = window.first > 0 || window.last < run.cycles - 1;

  const lanes = waitingLanes(header, run, window);
  const notes = [...windowNotes(run, window, cut), ...strangeNotes(header, run), ...laneNotes(lanes.hidden)];
  const overviewTop = HEIGHTS.title + notes.length * HEIGHTS.note;
  const axisTop = overviewTop + (cut ? HEIGHTS.overview : 0);
  const panels = ringPanels(header, run, window, axisTop + HEIGHTS.axis);
  const requests = requestPanel(lanes.rows, panelBottom(panels.at(-1)!, header.N) + HEIGHTS.gap);
  const legendTop = requests.bottom + HEIGHTS.axis + HEIGHTS.gap;
  return {
    width: Math.max(Math.min(width, WIDTH_LEAST), scale.right + MARGIN.right),
    scale,
    cut,
    notes,
    overviewTop,
    axisTop,
    panels,
    requests,
    legendTop,
  };
}

/** As wide as there is room, but no wider than reads well; a run of few cycles may fill the least width. */
function widthOfCycle(cycles: number, room: number): number {
  const filling = Math.min(CYCLE_WIDTH_ALONE, (WIDTH_LEAST - MARGIN.left - MARGIN.right) / cycles);
  return Math.min(room / cycles, Math.max(CYCLE_WIDTH_MOST, filling));
}

function readableWindow(cycles: number, room: number): CycleWindow {
  return { first: 0, last: Math.max(0, Math.min(cycles, Math.floor(room / CYCLE_WIDTH_LEAST)) - 1) };
}

function checkedWindow({ first, last }: CycleWindow): CycleWindow {
  if (!(Number.isSafeInteger(first) && Number.isSafeInteger(last) && 0 <= first && first <= last)) {
    throw new RangeError(`window is ${first}..${last}, expected whole cycles 0 <= first <= last`);
  }
  return { first, last };
}

/** First and last cycle of a transfer's life, from the request to its last byte. */
function lifeOf({ issue, start, wait, occupation }: LoggedTransfer): CycleWindow {
  return { first: issue, last: occupation?.last ?? start ?? issue + wait };
}

function windowNotes({ transfers, cycles }: LoggedRun, window: CycleWindow, cut: boolean): string[] {
  if (!cut) return [];
  const outside = transfers.filter((transfer) => {
    const life = lifeOf(transfer);
    return !meetsWindow(window, life.first, life.last);
  }).length;
  return [
    `Cut: shows cycles ${window.first}–${window.last} of 0–${Math.max(0, cycles - 1)}; ` +
      `of ${counted(transfers.length, 'transfer')}, ${outside} outside and not drawn.`,
  ];
}

function strangeNotes(header: CellLogHeader, { transfers }: LoggedRun): string[] {
  const strange = transfers.filter(
    ({ occupation }) => occupation !== null && ringIndex(header, occupation.dir, occupation.ring) === null,
  ).length;
  return strange === 0
    ? []
    : [`Not drawn: ${counted(strange, 'transfer')} logged on a ring that this machine does not have.`];
}

function laneNotes(hidden: number): string[] {
  return hidden === 0
    ? []
    : [`Not drawn: ${counted(hidden, 'request')} that the panel of requests has no room for.`];
}

function ringPanels(header: CellLogHeader, run: LoggedRun, window: CycleWindow, top: number): RingPanel[] {
  const shown = ringOccupation(header, run).map((occupation) => ({
    occupation,
    transfers: run.transfers.filter(
      ({ occupation: held }) =>
        held !== null &&
        held.dir === occupation.dir &&
        held.ring === occupation.ring &&
        meetsWindow(window, held.first, held.last),
    ),
  }));
  const rows = shown.filter(({ transfers }) => transfers.length > 0).length * header.N;
  const rowHeight = Math.min(24, Math.max(3, ROWS_HEIGHT / Math.max(1, rows)), 480 / header.N);
  const panels: RingPanel[] = [];
  for (const { occupation, transfers } of shown) {
    panels.push({
      dir: occupation.dir,
      ring: occupation.ring,
      occupation,
      top,
      rowsTop: top + HEIGHTS.panelName,
      rowHeight: transfers.length > 0 ? rowHeight : 0,
      transfers,
    });
    top = panelBottom(panels.at(-1)!, header.N) + HEIGHTS.gap;
  }
  return panels;
}

/** Bottom edge of a ring's rows in px, for a machine of N nodes. */
export function panelBottom({ rowsTop, rowHeight }: RingPanel, N: number): number {
  return rowsTop + rowHeight * N;
}

interface Lane {
  readonly transfers: LoggedTransfer[];
  /** Last cycle taken in this lane. */
  last: number;
}

interface WaitingLanes {
  /** Lanes of each initiator, N in all. */
  readonly rows: readonly (readonly Lane[])[];
  /** Requests for which no lane was left. */
  readonly hidden: number;
}

/** Gives each request of an initiator the first lane that is free from its issue cycle to its start. */
function waitingLanes({ N }: CellLogHeader, { transfers }: LoggedRun, window: CycleWindow): WaitingLanes {
  const lanesMost = Math.max(1, Math.floor(LANES_MOST / N));
  const rows: Lane[][] = Array.from({ length: N }, () => []);
  let hidden = 0;
  for (const transfer of transfers) {
    const lanes = rows[transfer.spu];
    // The cycle before the start is the last one waited; a request that does not wait still has its issue mark.
    const last = transfer.issue + transfer.wait + (transfer.state === 'empty' ? 1 : 0);
    if (lanes === undefined || !meetsWindow(window, transfer.issue, last)) continue;
    const free = lanes.find((lane) => lane.last < transfer.issue);
    if (free !== undefined) {
      free.transfers.push(transfer);
      free.last = last;
    } else if (lanes.length < lanesMost) lanes.push({ transfers: [transfer], last });
    else hidden += 1;
  }
  return { rows, hidden };
}

function requestPanel(lanesOfRows: readonly (readonly Lane[])[], top: number): RequestPanel {
  const laneCount = lanesOfRows.reduce((count, lanes) => count + Math.max(1, lanes.length), 0);
  const laneHeight = Math.min(16, Math.max(LANE_HEIGHT_LEAST, LANES_HEIGHT / laneCount));
  const padding = laneHeight > 6 ? 3 : 0.5;
  const rows: InitiatorRow[] = [];
  let rowTop = top + HEIGHTS.panelName;
  for (const [spu, lanes] of lanesOfRows.entries()) {
    const bars = lanes.flatMap(({ transfers }, lane) =>
      transfers.map((transfer) => ({ transfer, top: rowTop + padding + lane * laneHeight })),
    );
    const height = Math.max(1, lanes.length) * laneHeight + 2 * padding;
    rows.push({ spu, top: rowTop, height, bars });
    rowTop += height;
  }
  return { top, rows, laneHeight, bottom: rowTop };
}
