import { expect, test } from 'vitest';
import type { Choices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { sunwayMachineProperties } from './machine-properties.ts';

/** Each CPE puts two pieces of 36 bytes into one block of main memory, and all is told in the end. */
const programs = sunwayMachine.programs.parse({
  memory: { bytes: 9216, fill: 207 },
  statics: { own: 256 },
  replies: ['moved'],
  slave: [
    ['rplySet', 'moved', 0],
    ['dma_get', 'own', { memory: 512, perCpe: 2304 }, 256],
    ['ssync_array'],
    ['dma_iput_stride', { memory: 0, perCpe: 2304 }, 'own', 72, 36, 16, 'moved'],
    ['dma_wait_value', 'moved', 1],
    ['dma_barrier'],
    ['ssync_array'],
  ],
  host: [['athread_spawn'], ['athread_join']],
});

/** The digest of main memory that the host tells in the end. */
function digestWith(fidelity: 'tlm' | 'flit', maxJitter: number, choices?: Choices): string {
  const config = sunwayMachine.config.parse({
    cpesPerCg: 4,
    memoryMiB: 1,
    fidelity,
    ...(maxJitter > 0 && { fuzz: { maxJitter } }),
  });
  const given = { name: 'pieces', config, programs, mutants: [], scheduled: choices !== undefined };
  const assembly = sunwayMachine.assemble(given);
  const run = new Run(assembly.wiring, choices ? { choices } : {});
  assembly.attach?.(run);
  const watching = sunwayMachineProperties.watch(run, given, assembly);
  let digest = '';
  run.probes$.subscribe(({ probe }) => {
    const { name, arguments: told } = probe as unknown as {
      readonly name?: string;
      readonly arguments?: { readonly value?: unknown };
    };
    if (probe.type === 'call.begin' && name === 'tell') digest = String(told?.value);
  });
  run.until(200_000);
  watching.end();
  expect(run.outcome.violations).toEqual([]);
  return digest;
}

/** Picks from a seed. */
function picks(seed: number): Choices {
  let state = Math.imul(seed, 2654435761) >>> 0;
  return {
    pick: (_what: string, count: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * count);
    },
    save: () => state,
    restore: () => {},
  } as unknown as Choices;
}

test('the bytes of a strided put go where they belong when its pieces share a block and their grants overtake each other', () => {
  const expected = digestWith('tlm', 0);

  for (let seed = 1; seed <= 12; seed++)
    expect(digestWith('flit', 17, picks(seed)), `seed ${seed}`).toBe(expected);
});
