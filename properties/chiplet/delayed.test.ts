import { describe, expect, test } from 'vitest';
import { machines } from '../../manifests/machines.ts';
import { delayedRuns } from '../delayed-runs.ts';

/*
 * A message that comes late makes the run longer by as much at most, and never shorter.
 */

/** By scenario: how late messages come; some cycles of its clocks. */
const scenarios = [
  ['two-packets', 40],
  ['system-in-step', 300_000],
] as const;

describe.each(scenarios)('chiplets in %s', async (name, late) => {
  const file = new URL(`../../scenarios/chiplet/${name}.yaml`, import.meta.url).pathname;
  const { sound, delayed } = await delayedRuns(file, machines);

  test.each(sound.types)(
    'a late %s makes the run longer by what it is late at most, and never shorter',
    (type) => {
      const { ticks, verdict } = delayed(type, late);

      expect(verdict).toBe('ok');
      expect(ticks - sound.ticks).toBeGreaterThanOrEqual(0);
      expect(ticks - sound.ticks).toBeLessThanOrEqual(late);
    },
  );
});
