import { below, beside, type Drawing } from '../../pictures/drawing.ts';
import type { Activity } from '../monitors/activity/activity.ts';
import { bandwidthOf } from '../monitors/activity/bandwidth.ts';
import { groupsOf } from '../monitors/activity/core-tasks.ts';
import { arrayHeatMap, meshHeatMap } from '../monitors/activity/heat-map.ts';

/** Bytes issued, cycles waited and traffic between clusters of each core group, a row a group. */
export function heatPicture(activity: Activity): Drawing {
  const { issuedBytes, waitedCycles, links } = bandwidthOf(activity);
  const groups = groupsOf(activity);
  const moved = activity.links.length > 0 ? 'packets' : 'RMA';
  return below(
    groups.map((group) => {
      const where = groups.length === 1 ? '' : ` of core group ${group}`;
      return beside([
        arrayHeatMap(`transfers of each CPE${where}`, 'bytes issued', issuedBytes, group),
        arrayHeatMap(`waiting of each CPE${where}`, 'cycles waited', waitedCycles, group),
        meshHeatMap(`${moved} between clusters${where}`, links, group),
      ]);
    }),
  );
}
