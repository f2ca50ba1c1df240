import { below, written } from '../../pictures/drawing.ts';
import type { Activity } from '../monitors/activity/activity.ts';
import { activityTimeline } from '../monitors/activity/timeline-picture.ts';
import { heatPicture } from './heat-picture.ts';

/** A run as one picture: what its cores did over time, and heat maps of its core groups. */
export const activityPicture = (name: string, activity: Activity): string =>
  written(name, below([activityTimeline(name, activity), heatPicture(activity)]));
