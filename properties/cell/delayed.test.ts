import { describe, expect, test } from 'vitest';
import type { InjectedFault } from '../../kernel/faults.ts';
import { Run } from '../../kernel/run.ts';
import { machines } from '../../manifests/machines.ts';
import { givenOf } from '../../scenarios/given.ts';
import { loadScenario } from '../../scenarios/load.ts';

/*
 * There is one clock: a message that comes late makes the run longer by as much at most, and never shorter.
 */

const late = 50;

/** A scenario in the canonical order, and how it ends when messages come late. */
async function subject(name: string) {
  const file = new URL(`../../scenarios/cell/${name}.yaml`, import.meta.url).pathname;
  const { scenario, machine } = await loadScenario(file, machines);
  const carriedOut = (faults: readonly InjectedFault[] = []) => {
    const assembly = machine.assemble(givenOf(scenario, true));
    const run = new Run(assembly.wiring, { faults });
    const types = new Set<string>();
    run.messages$.subscribe(({ message: { event }, from, to }) => {
      if (from !== to && from !== 'world') types.add(event.type);
    });
    run.until(100_000);
    const { ticks, verdict } = run.outcome;
    return { ticks, verdict, types: [...types], result: assembly.result(run) };
  };
  const delayed = (type: string) =>
    carriedOut([{ kind: 'delay', type, ticks: late, probability: 1, budget: 1 }]);
  return { sound: carriedOut(), delayed };
}

/** What nobody waits for in the cycle in which it is said: it comes too late for a cycle of its own, or is the last that comes. */
const unawaited = ['request.queued', 'request.granted', 'ring.grant', 'ring.freed'];

describe.each(['checked-exchange', 'worked-trace', 'get-against-put'])(
  'the ring machine in %s',
  async (name) => {
    const { sound, delayed } = await subject(name);

    test.each(sound.types.filter((type) => !unawaited.includes(type)))(
      'a late %s makes its cycle longer and changes nothing else',
      (type) => {
        const { ticks, verdict, result } = delayed(type);

        expect({ ticks, verdict, result }).toEqual({
          ticks: sound.ticks + late,
          verdict: 'ok',
          result: sound.result,
        });
      },
    );

    test.each(unawaited)('a late %s makes the run longer by what it is late at most', (type) => {
      const { ticks, verdict } = delayed(type);

      expect(verdict).toBe('ok');
      expect(ticks - sound.ticks).toBeGreaterThanOrEqual(0);
      expect(ticks - sound.ticks).toBeLessThanOrEqual(late);
    });
  },
);

test('on the Element Interconnect Bus no late message makes the run shorter, or longer than it is late', async () => {
  const { sound, delayed } = await subject('cellbe-four-pairs');

  const longer = sound.types.map((type) => [type, delayed(type).ticks - sound.ticks] as const);

  expect(longer.map(([type]) => type)).toContain('packet.eligible');
  expect(longer.filter(([, by]) => by < 0 || by > late)).toEqual([]);
  expect(longer.filter(([, by]) => by > 0).length).toBeGreaterThan(2);
});
