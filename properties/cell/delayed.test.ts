import { describe, expect, test } from 'vitest';
import { machines } from '../../manifests/machines.ts';
import { delayedRuns } from '../delayed-runs.ts';

/*
 * There is one clock: a message that comes late makes the run longer by as much at most, and never shorter.
 */

const late = 50;

const runsOf = (name: string) =>
  delayedRuns(new URL(`../../scenarios/cell/${name}.yaml`, import.meta.url).pathname, machines);

/** What nobody waits for in the cycle in which it is said: it comes too late for a cycle of its own, or is the last that comes. */
const unawaited = ['request.queued', 'request.granted', 'ring.grant', 'ring.freed', 'segment.freed'];

describe.each(['checked-exchange', 'worked-trace', 'get-against-put'])(
  'the ring machine in %s',
  async (name) => {
    const { sound, delayed } = await runsOf(name);

    test.each(sound.types.filter((type) => !unawaited.includes(type)))(
      'a late %s makes its cycle longer and changes nothing else',
      (type) => {
        const { ticks, verdict, result } = delayed(type, late);

        expect({ ticks, verdict, result }).toEqual({
          ticks: sound.ticks + late,
          verdict: 'ok',
          result: sound.result,
        });
      },
    );

    test.each(unawaited)('a late %s makes the run longer by what it is late at most', (type) => {
      const { ticks, verdict } = delayed(type, late);

      expect(verdict).toBe('ok');
      expect(ticks - sound.ticks).toBeGreaterThanOrEqual(0);
      expect(ticks - sound.ticks).toBeLessThanOrEqual(late);
    });
  },
);

test('on the Element Interconnect Bus no late message makes the run shorter, or longer than it is late', async () => {
  const { sound, delayed } = await runsOf('cellbe-four-pairs');

  const longer = sound.types.map((type) => [type, delayed(type, late).ticks - sound.ticks] as const);

  expect(longer.map(([type]) => type)).toContain('packet.eligible');
  expect(longer.filter(([, by]) => by < 0 || by > late)).toEqual([]);
  expect(longer.filter(([, by]) => by > 0).length).toBeGreaterThan(2);
});
