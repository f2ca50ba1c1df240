import { describe, expect, test } from 'vitest';
import { machines } from '../../manifests/machines.ts';
import { delayedRuns } from '../delayed-runs.ts';

/*
 * There is one clock: a message that comes late makes the run longer by as much at most, and never shorter.
 */

const late = 500;

/** Words that nobody waits for: when they come late, what was there before is taken instead, and a program that looks at its results stops there. */
const unawaited = ['bm.write', 'bm.announce', 'idp.visible', 'out.word', 'host.result'];

describe.each(['stride', 'matrix'])('the chip in %s', async (name) => {
  const file = new URL(`../../scenarios/grape/${name}.yaml`, import.meta.url).pathname;
  const { sound, delayed } = await delayedRuns(file, machines);

  test.each(sound.types.filter((type) => !unawaited.includes(type)))(
    'a late %s makes the run longer by what it is late at most, and never shorter',
    (type) => {
      const longer = delayed(type, late).ticks - sound.ticks;

      expect(longer).toBeGreaterThanOrEqual(0);
      expect(longer).toBeLessThanOrEqual(late);
    },
  );

  test.each(['control.run', 'block.reset', 'slot.issue', 'control.done', 'idp.packets'])(
    'the first %s, on which everything waits, delays the end by as much as it is late',
    (type) => {
      const { ticks, verdict } = delayed(type, late);

      expect({ ticks, verdict }).toEqual({ ticks: sound.ticks + late, verdict: 'ok' });
    },
  );
});
