import { spcMembers } from '../../../../actors/sunway/array/identity.ts';
import { element, page, textElement, tooltip } from '../../../svg.ts';
import { type CoreId, coreName, cpeCore } from '../race/race-event.ts';
import type { LinkTraffic } from './activity.ts';

const [cell, margin, heading] = [56, 40, 64];
const [ink, dark, pale, strong] = ['#43505e', '#1d2733', '#eef1f4', '#b3402f'];

/** From pale to strong by a share of 0 to 1; only nothing at all has no colour. */
const heat = (share: number) => ({
  fill: strong,
  opacity: share <= 0 ? 0 : 0.12 + 0.88 * Math.min(1, share),
});

/** Numbers as people read them: `1.5 k`, `12 M`. */
function short(value: number): string {
  const [divisor, unit] = value >= 1e6 ? [1e6, ' M'] : value >= 1e3 ? [1e3, ' k'] : [1, ''];
  return `${Number((value / divisor).toPrecision(3))}${unit}`;
}

/** The 8x8 CPEs of a core group, the darker the more; for bytes moved, cycles waited and the like. Every cell says its value. */
export function arrayHeatMap(
  title: string,
  unit: string,
  values: ReadonlyMap<CoreId, number>,
  group = 0,
): string {
  const most = Math.max(1, ...Array.from({ length: 64 }, (_, tid) => values.get(cpeCore(tid, group)) ?? 0));
  const cells = Array.from({ length: 64 }, (_, tid) => {
    const core = cpeCore(tid, group);
    const value = values.get(core) ?? 0;
    const [x, y] = [margin + (tid % 8) * cell, heading + (tid >> 3) * cell];
    const size = { x, y, width: cell - 2, height: cell - 2, rx: 3 };
    const middle = {
      x: x + cell / 2 - 1,
      'text-anchor': 'middle',
      fill: value > 0.6 * most ? '#ffffff' : ink,
    };
    return [
      element('rect', { ...size, fill: pale }),
      element('rect', { ...size, ...heat(value / most) }, tooltip(`${coreName(core)}: ${value} ${unit}`)),
      textElement({ ...middle, y: y + 16, 'font-size': 10 }, String(tid)),
      textElement({ ...middle, y: y + 36, 'font-size': 12 }, short(value)),
    ].join('');
  });
  const size = { width: 2 * margin + 8 * cell, height: heading + 8 * cell + margin, title };
  return page(size, caption(title, `${unit}; highest ${short(most)}`), ...cells);
}

/** The links of the 4x4 mesh of clusters, the darker the more bytes; each way has its own line. */
export function meshHeatMap(title: string, links: readonly LinkTraffic[], group = 0): string {
  const mine = links.filter((link) => link.group === group);
  const most = Math.max(1, ...mine.map(({ bytes }) => bytes));
  const pitch = 2 * cell;
  const place = (cluster: number): readonly [number, number] => [
    margin + (cluster % 4) * pitch + cell / 2,
    heading + (cluster >> 2) * pitch + cell / 2,
  ];
  const lines = mine.map(({ from, to, bytes }) => {
    const [[x1, y1], [x2, y2]] = [place(from), place(to)];
    // Each way is drawn on its own side.
    const [dx, dy] = [6 * Math.sign(y2 - y1), 6 * Math.sign(x1 - x2)];
    return element(
      'line',
      {
        x1: x1 + dx,
        y1: y1 + dy,
        x2: x2 + dx,
        y2: y2 + dy,
        stroke: strong,
        'stroke-width': 7,
        opacity: heat(bytes / most).opacity,
      },
      tooltip(`cluster ${from} to cluster ${to}: ${bytes} bytes`),
    );
  });
  const routers = Array.from({ length: 16 }, (_, cluster) => {
    const [x, y] = place(cluster);
    const members = spcMembers(cluster).join(' ');
    return (
      element('circle', { cx: x, cy: y, r: 17, fill: pale, stroke: ink }, tooltip(`CPEs ${members}`)) +
      textElement({ x, y: y + 4, 'font-size': 12, 'text-anchor': 'middle', fill: dark }, String(cluster))
    );
  });
  const size = { width: 2 * margin + 3 * pitch + cell, height: heading + 3 * pitch + cell + margin, title };
  return page(size, caption(title, `bytes by link; highest ${short(most)}`), ...lines, ...routers);
}

const caption = (title: string, below: string): string =>
  textElement({ x: margin, y: 26, 'font-size': 16, 'font-weight': 600, fill: dark }, title) +
  textElement({ x: margin, y: 46, 'font-size': 12, fill: ink }, below);
