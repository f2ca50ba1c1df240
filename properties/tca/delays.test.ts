import { expect, test } from 'vitest';
import type { InjectedFault } from '../../kernel/faults.ts';
import { Run } from '../../kernel/run.ts';
import type { Machine } from '../../machines/machine.ts';
import { tcaMachine } from '../../machines/tca.ts';
import { loadScenario } from '../../scenarios/load.ts';

/*
 * There is one clock: a message that comes late makes late what follows from it, by as much.
 */

const delay = 5000;
const file = new URL('../../scenarios/tca/gasnet-put.yaml', import.meta.url).pathname;
const { scenario } = await loadScenario(file, [tcaMachine as unknown as Machine]);

/** Ticks of a run, and the types of the messages between its actors. */
function carriedOut(faults: readonly InjectedFault[] = []) {
  const { config, programs } = scenario as Pick<typeof scenario, 'name'> &
    Pick<Parameters<typeof tcaMachine.assemble>[0], 'config' | 'programs'>;
  const given = { name: 'delayed', config, programs, mutants: [], scheduled: false };
  const run = new Run(tcaMachine.assemble(given).wiring, { faults });
  const types = new Set<string>();
  run.messages$.subscribe(({ message, from, to }) => {
    if (from !== to) types.add(message.event.type);
  });
  run.until(1_000_000);
  const { ticks, verdict } = run.outcome;
  expect(verdict).toBe('ok');
  return { ticks, types: [...types] };
}

/** By how many ticks the run is longer when the first message of a type is delayed. */
const longerWith = (type: string): number =>
  carriedOut([{ kind: 'delay', type, ticks: delay, probability: 1, budget: 1 }]).ticks - sound.ticks;

const sound = carriedOut();

test.each([
  'gasnet.call',
  'gasnet.return',
  'transfer.begin',
  'tx.reserve',
  'tx.slot',
  'memory.store',
  'memory.stored',
  'memory.load',
  'memory.loaded',
  'pio.store',
  'cache.find',
  'cache.found',
  'stop.ask',
  'stop.known',
  'dmac.doorbell',
  'tag.take',
  'tag.grant',
])('the first %s, on which everything waits, delays the end by as much as it is delayed', (type) => {
  expect(longerWith(type)).toBe(delay);
});

test('no message that is delayed makes the run shorter', () => {
  const shorter = sound.types.filter((type) => longerWith(type) < 0);

  expect(sound.types.length).toBeGreaterThan(30);
  expect(shorter).toEqual([]);
});
