import { page } from '../../svg.ts';
import type { Activity } from '../monitors/activity/activity.ts';
import { bandwidthOf } from '../monitors/activity/bandwidth.ts';
import { groupsOf } from '../monitors/activity/core-tasks.ts';
import { arrayHeatMap, meshHeatMap } from '../monitors/activity/heat-map.ts';
import { placed } from './stacked.ts';

const [width, height] = [1620, 580];

/** Bytes issued, cycles waited and traffic between clusters of each core group, a row a group. */
export function heatPicture(name: string, activity: Activity): string {
  const { issuedBytes, waitedCycles, links } = bandwidthOf(activity);
  const groups = groupsOf(activity);
  const parts = groups.flatMap((group, row) => {
    const where = groups.length === 1 ? '' : ` of core group ${group}`;
    const y = row * height;
    return [
      placed(arrayHeatMap(`transfers${where}`, 'bytes issued', issuedBytes, group), 0, y),
      placed(arrayHeatMap(`waiting${where}`, 'cycles waited', waitedCycles, group), width / 3, y),
      placed(
        meshHeatMap(
          `${activity.links.length > 0 ? 'packets' : 'RMA'} between clusters${where}`,
          links,
          group,
        ),
        (2 * width) / 3,
        y,
      ),
    ];
  });
  return page({ width, height: Math.max(1, groups.length) * height, title: name }, ...parts);
}
