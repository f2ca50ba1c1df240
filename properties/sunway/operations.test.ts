import { expect, test } from 'vitest';
import type { MpeProgram } from '../../actors/sunway/program.ts';
import { operationProgram } from '../../machines/sunway/operations.ts';
import { hostProgramOf } from '../../machines/sunway/written-program.ts';
import { machines } from '../../manifests/machines.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { trial, watchedTrial } from './trial.ts';

const cpes = 8;
/** The host program of operations, with all that its buffer holds in the end word by word. */
const wordsAfter = (program: object): readonly number[] => {
  let words: readonly number[] = [];
  const carriedOut = hostProgramOf(operationProgram.parse(program), cpes);
  const host: MpeProgram = function* (h) {
    let first = 0;
    yield* carriedOut({
      ...h,
      memAlloc: (size, align) => {
        first = h.memAlloc(size, align);
        return first;
      },
    });
    words = [...(yield* h.ldBlock(first, 'u32', 64))];
  };
  trial(host, { cpesPerCg: cpes });
  return words;
};

/** What the detector reports of operations. */
const reportsOf = (program: object, config: object = {}): readonly string[] =>
  watchedTrial(hostProgramOf(operationProgram.parse(program), 2), {
    cpesPerCg: 2,
    ...config,
  }).run.outcome.violations.map(({ why }) => why);

test('each CPE carries out the calls with its own offsets, and hands over to its peer', () => {
  const told = wordsAfter({
    memory: { bytes: 256 },
    statics: { own: 8, handed: 8 },
    replies: ['sent', 'come'],
    slave: [
      ['rplySet', 'sent', 0],
      ['rplySet', 'come', 0],
      ['st', 'own', 'i32', { number: 100, perCpe: 3 }],
      { on: [2], do: [['st', { of: 'own', plus: 4 }, 'i32', 77]] },
      ['ssync_array'],
      ['rma_iput', 'own', 'sent', 8, { peer: 3 }, 'handed', 'come'],
      ['rma_wait_value', 'come', 1],
      ['dma_put', { memory: 0, perCpe: 8 }, 'handed', 8],
    ],
  });

  const handed = Array.from({ length: cpes }, (_, tid) => (tid + cpes - 3) % cpes);
  expect(told.slice(0, 2 * cpes)).toEqual(handed.flatMap((tid) => [100 + 3 * tid, tid === 2 ? 77 : 0]));
});

test('a block that a CPE has allocated is named by the number of its allocation', () => {
  const told = wordsAfter({
    memory: { bytes: 256 },
    slave: [
      ['pldm_malloc', 64],
      ['pldm_malloc', 8],
      ['st', { block: 0 }, 'i32', 5],
      ['st', { block: 1 }, 'i32', 9],
      ['st', { block: 1, plus: 4 }, 'i32', { number: 7, perCpe: 1 }],
      ['dma_put', { memory: 0, perCpe: 8 }, { block: 0 }, 4],
      ['dma_put', { memory: 4, perCpe: 8 }, { block: 1, plus: 4 }, 4],
    ],
  });

  expect(told.slice(0, 2 * cpes)).toEqual(Array.from({ length: cpes }, (_, tid) => [5, 7 + tid]).flat());
});

test('a host begins slaves where its list says so', () => {
  const told = wordsAfter({
    memory: { bytes: 256 },
    statics: { word: 4 },
    slave: [
      ['st', 'word', 'i32', 5],
      ['dma_put', { memory: 0, perCpe: 4 }, 'word', 4],
    ],
    host: [
      ['athread_create', 3],
      ['athread_wait', 3],
      ['athread_end', 3],
    ],
  });

  expect(told.slice(0, cpes)).toEqual([0, 0, 0, 5, 0, 0, 0, 0]);
});

/** A scenario with one slave operation, line 7 its list. */
const withSlave = (operation: string): string => `name: wrong
machine: sunway
config: { cpesPerCg: 8 }
programs:
  memory: { bytes: 64 }
  statics: { word: 64 }
  slave: [${operation}]
`;

test.each([
  ['[dma_gett, word, { memory: 0 }, 64]', '7:12', 'dma_gett', 'did you mean "dma_get"'],
  ['[dma_get, word, { memory: 0 }]', '7:11', 'dma_get with 2 arguments', '3 of them'],
  [
    '[dma_get, wort, { memory: 0 }, 64]',
    '7:21',
    '"wort"',
    'one of the static variables and reply words: word',
  ],
  ['[dma_get, word, { memory: 64 }, 64]', '7:27', '{"memory":64', 'an offset below the 64 bytes'],
  ['[st, word, i31, 4]', '7:22', '"i31"', 'a type of access: i32'],
  ['[st, word, u32, 3.5]', '7:27', '3.5', 'a whole number for the type u32'],
  ['[st, word, i64, 9007199254740993]', '7:27', '9007199254740993', 'one that a number holds exactly'],
  ['[stBlock, word, [256]]', '7:27', '[256]', 'a list of bytes, 0 to 255'],
  ['{ on: [8], do: [] }', '7:18', 'CPE 8', 'one of 0 to 7'],
])('what is wrong with an operation is told at its place: %s', async (operation, at, found, expected) => {
  const error: unknown = await parseScenario(withSlave(operation), 'wrong.yaml', machines).catch(
    (one: unknown) => one,
  );

  const told = JSON.stringify(error) + String((error as Error).message);
  expect(told).toContain(`wrong.yaml:${at} `);
  expect(told.replaceAll('\\"', '"')).toContain(found);
  expect(told.replaceAll('\\"', '"')).toContain(expected);
});

test('reports name the step of the scenario, its reply words and its memory', () => {
  const replies = ['got'];
  const get = ['dma_iget', 'own', { memory: 0 }, 64, 'got'];
  const found = reportsOf({
    memory: { bytes: 64 },
    statics: { own: 64 },
    replies,
    slave: [['rplySet', 'got', 0], { on: [1], do: [get, ['ld', 'own', 'i32']] }, ['ssync_array']],
  });

  expect(found[0]).toContain('CPE 1 writes by a transfer in dma_iget (slave[1].do[0], cycle');
  expect(found[0]).toContain('CPE 1 reads in ld (slave[1].do[1], cycle');
  expect(found[0]).toContain('missing: a wait on reply word "got" at');
});

test('of two whole lines that are written back the missing eviction is named, whatever was ordered', () => {
  const evict = ['scache_evict', { memory: 0 }, { memory: 63 }];
  const found = reportsOf(
    {
      memory: { bytes: 64 },
      slave: [
        { on: [0], do: [['st', { memory: 0 }, 'i32', 7]] },
        { on: [1], do: [['st', { memory: 4 }, 'i32', 9]] },
        ['ssync_array'],
        { on: [0], do: [evict] },
        ['ssync_array'],
        { on: [1], do: [evict] },
      ],
    },
    { cacheKiB: 32 },
  );

  expect(found.join('\n')).toContain('in memory "programs.memory"');
  expect(found.join('\n')).toContain(
    'missing: an eviction of the line by CPE 1 that is ordered with what CPE 0 does',
  );
});
