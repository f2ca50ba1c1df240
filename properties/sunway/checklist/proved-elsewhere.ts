import { type NamedTest, named } from './named-test.ts';

const killed = 'properties/sunway/task-pool-killed.test.ts';
const monitors = 'machines/sunway/monitors';

/** Rows that are tools and properties of whole runs rather than calls, by number. */
export const provedElsewhere: ReadonlyMap<string, readonly NamedTest[]> = new Map([
  [
    'SW-136',
    [
      ...named(
        'properties/sunway/some-offline.test.ts',
        'tells each CPE how many there are in its row and column',
      ),
      ...named('properties/sunway/checklist/variables.test.ts', 'tell each CPE of each core group who it is'),
    ],
  ],
  [
    'SW-137',
    named(
      'actors/sunway/tasks/task-pool-state.test.ts',
      'after a crash hands out in the next run what was not done, and never forgets what was',
    ),
  ],
  [
    'SW-138',
    named(
      killed,
      'that gets signal 34 lets its tasks end, records them and hands out nothing more',
      'that gets signal 35 ends at once: what is in progress is not recorded and is done again',
    ),
  ],
  [
    'SW-142',
    [
      ...named(
        `${monitors}/race/kinds.test.ts`,
        'a report names both operations, the bytes, the missing edge and a cure',
      ),
      ...named(
        `${monitors}/deadlock/deadlock-watch.test.ts`,
        'a CPE that leaves a collective out is named (E30)',
      ),
      ...named(
        `${monitors}/activity/activity.test.ts`,
        'bytes are added up by controller, core and link',
        'a timeline has a row for each core, with calls that hold their waits',
      ),
    ],
  ],
  [
    'SW-143',
    named('properties/sunway/snapshots.test.ts', 'goes on from snapshots as if it had never stopped'),
  ],
  [
    'SW-144',
    named(
      'properties/sunway/every-scenario.test.ts',
      'comes to the same under other orders, on both engines and with both kinds of state',
    ),
  ],
]);
