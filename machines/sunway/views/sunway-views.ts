import type { View } from '../../machine.ts';
import { written } from '../../pictures/drawing.ts';
import type { SunwayConfig, SunwayPrograms } from '../config.ts';
import type { Activity } from '../monitors/activity/activity.ts';
import { activityOf } from '../monitors/activity/activity-log.ts';
import { bandwidthOf } from '../monitors/activity/bandwidth.ts';
import { activityTimeline } from '../monitors/activity/timeline-picture.ts';
import { traceEvents } from '../monitors/activity/trace-events.ts';
import { transferAdvice } from '../monitors/activity/transfer-advice.ts';
import { adviceText, controllerText } from '../monitors/activity/transfer-report.ts';
import { timingOf } from '../timing.ts';
import { heatPicture } from './heat-picture.ts';
import { scratchpadMap, scratchpadText } from './scratchpad-map.ts';
import { waitingText } from './waiting-text.ts';

type SunwayView = View<SunwayConfig, SunwayPrograms>;

const view = (
  summary: string,
  extension: SunwayView['extension'],
  draw: (activity: Activity, name: string, config: SunwayConfig) => string,
): SunwayView => ({
  summary,
  extension,
  draw: ({ name, config }, records) => draw(activityOf(records), name, config),
});

/** What people who program such a node want to look at (Sunway specification 14). */
export const sunwayViews: Readonly<Record<string, SunwayView>> = {
  timeline: view('what each core did over time, and what it waited for', 'svg', (activity, name) =>
    written(name, activityTimeline(name, activity)),
  ),
  trace: view(
    'calls, waits and transfers as trace events, for ui.perfetto.dev',
    'json',
    (activity) => `${JSON.stringify(traceEvents(activity))}\n`,
  ),
  heat: view(
    'bytes and waiting of the 8x8 CPEs, bytes by link of the 4x4 mesh of clusters',
    'svg',
    (activity, name) => written(name, heatPicture(activity)),
  ),
  'ldm-map': view(
    'what lies where in the LDMs, with the high-water mark of the heap',
    'svg',
    (activity, name) => scratchpadMap(name, activity),
  ),
  ldm: view('how much of its LDM each CPE used at most', 'txt', scratchpadText),
  waiting: view('who waited for what, where in the program, and how long', 'txt', waitingText),
  bandwidth: view(
    'what each memory controller moved, beside its peak',
    'txt',
    (activity) =>
      `${bandwidthOf(activity).controllers.map(controllerText).join('\n') || 'no DMA transfer went to a memory controller'}\n`,
  ),
  advice: view(
    'what could make transfers faster: place, cost and cure of each finding',
    'txt',
    (activity, _name, config) => adviceText(transferAdvice(activity, timingOf(config))),
  ),
};
