import type { Activity } from '../monitors/activity/activity.ts';
import { groupsOf } from '../monitors/activity/core-tasks.ts';
import { timelinePicture } from '../monitors/activity/timeline-picture.ts';
import { heatPicture } from './heat-picture.ts';
import { stacked } from './stacked.ts';

/** A run as one picture: heat maps of its core groups, and what their cores did over time. */
export const activityPicture = (name: string, activity: Activity): string =>
  stacked(name, [
    heatPicture(name, activity),
    ...groupsOf(activity).map((group, _, all) =>
      timelinePicture(all.length === 1 ? name : `${name} of core group ${group}`, activity, group),
    ),
  ]);
