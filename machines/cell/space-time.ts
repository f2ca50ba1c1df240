import { element, escapeXml, svgNumber } from '../svg.ts';
import type { CellLogEvent, CellLogHeader } from './log-events.ts';
import { overviewMarks, titleMarks } from './picture-frame.ts';
import { axisGrid, axisMarks } from './picture-grid.ts';
import { legendMarks } from './picture-legend.ts';
import { PICTURE_CLASS, spaceTimeStyle } from './picture-style.ts';
import { requestMarks } from './request-marks.ts';
import { ringMarks } from './ring-marks.ts';
import { HEIGHTS, type SpaceTimeOptions, spaceTimeLayout } from './space-time-layout.ts';
import { figuresLine } from './transfer-words.ts';
import { transfersOfLog } from './transfers-of-log.ts';

/**
 * Draws a run as a space-time picture in SVG: cycles across, nodes down, one panel a ring, and the waiting of the requests
 * below (Cell specification 5, 9 and 14).
 *
 * Details: width at most `options.width` px (1600), height as needed. When the cycles do not fit at a readable width, the
 * picture shows the first ones, or `options.window`, and says so. The text depends on the log alone; every mark carries
 * data-spu, data-id, data-first, data-last and data-node, and a tooltip with its whole story.
 *
 * Gotchas: a RangeError for a width below 480 or a window that is no range of cycles. It shows what the arbiter logged, right or wrong.
 */
export function spaceTimePicture(
  header: CellLogHeader,
  events: readonly CellLogEvent[],
  options: SpaceTimeOptions = {},
): string {
  const run = transfersOfLog(header, events);
  const layout = spaceTimeLayout(header, run, options);
  const { width, scale, panels, requests } = layout;
  const legend = legendMarks(run, width, layout.legendTop);
  const height = layout.legendTop + legend.height;
  const size = { width, height, viewBox: `0 0 ${svgNumber(width)} ${svgNumber(height)}` };
  const axis = layout.axisTop + HEIGHTS.axis - 9;
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...size, class: PICTURE_CLASS, role: 'img' },
    element('title', {}, escapeXml(`${header.name}: ring transfers over time`)),
    element('desc', {}, escapeXml(figuresLine(header, run))),
    spaceTimeStyle(),
    element('rect', { class: 'page', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 6 }),
    titleMarks(header, run, layout),
    layout.cut ? overviewMarks(header, run, layout) : '',
    axisMarks(scale, axis),
    axisGrid(scale, axis),
    ...panels.map((panel) => ringMarks(panel, header, scale)),
    requestMarks(requests, run, scale),
    axisMarks(scale, requests.bottom + 15),
    legend.svg,
  )}\n`;
}
