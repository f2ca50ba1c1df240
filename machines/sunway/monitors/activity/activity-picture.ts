import { element, page } from '../../../svg.ts';
import { groupOf } from '../race/race-event.ts';
import type { Activity } from './activity.ts';
import { bandwidthOf } from './bandwidth.ts';
import { arrayHeatMap, meshHeatMap } from './heat-map.ts';
import { timelinePicture } from './timeline-picture.ts';

const [width, heatHeight] = [1620, 580];

/** A run as one picture: bytes issued, cycles waited and traffic between clusters of each core group, and what its cores did over time. */
export function activityPicture(name: string, activity: Activity): string {
  const { issuedBytes, waitedCycles, links } = bandwidthOf(activity);
  const seen = [...activity.calls, ...activity.waiting].map(({ core }) => groupOf(core));
  const groups = [...new Set(seen)].sort((a, b) => a - b);
  let y = 0;
  const parts = groups.flatMap((group) => {
    const where = groups.length === 1 ? '' : ` of core group ${group}`;
    const timeline = timelinePicture(`${name}${where}`, activity, group);
    const drawn = [
      placed(arrayHeatMap(`transfers${where}`, 'bytes issued', issuedBytes, group), 0, y),
      placed(arrayHeatMap(`waiting${where}`, 'cycles waited', waitedCycles, group), width / 3, y),
      placed(meshHeatMap(`RMA between clusters${where}`, links, group), (2 * width) / 3, y),
      placed(timeline, 0, y + heatHeight),
    ];
    y += heatHeight + heightOf(timeline);
    return drawn;
  });
  return page({ width, height: Math.max(y, 100), title: name }, ...parts);
}

/** A picture as a part of another one. */
const placed = (picture: string, x: number, y: number): string =>
  element('g', { transform: `translate(${Math.round(x)} ${Math.round(y)})` }, picture.trimEnd());

const heightOf = (picture: string): number => Number(/height="([\d.]+)"/.exec(picture)?.[1] ?? 0);
