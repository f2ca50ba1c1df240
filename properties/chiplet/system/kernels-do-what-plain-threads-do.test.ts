import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../../kernel/choices.ts';
import { Run } from '../../../kernel/run.ts';
import { effort } from '../../../kernel/testing/effort.ts';
import { type SystemGiven, systemMachine } from '../../../machines/chiplet/system.ts';
import { type SystemConfig, systemConfig, systemPrograms } from '../../../machines/chiplet/system-config.ts';
import type { Given } from '../../../machines/machine.ts';
import type { WrittenScenario } from '../../../scenarios/written.ts';
import { kernelScenario, kernelScenarios } from '../kernel-scenarios.ts';
import { systemMachineProperties } from '../machine-properties.ts';
import { exchanges, groups, matrices, smallGroups } from '../plain-forms.ts';
import { instructionKernel, poolDraws, warpLanes } from '../plain-instructions.arbitrary.ts';
import { firstWrong } from './kernels-do-what-plain-threads-do.ts';

/** Deliveries of a run at most, looked at after so many ticks each time. */
const [deliveriesMax, ticksEach] = [1_000_000, 1000];

const unchanged = (text: string): string => text;

const scenarioOf = (seed: number): WrittenScenario => fc.sample(kernelScenarios, { seed, numRuns: 1 })[0]!;

/** The first seeds whose kernels a change makes others. */
const changedSeeds = (count: number, change: (text: string) => string): readonly number[] =>
  Array.from({ length: 40 }, (_, seed) => seed + 1)
    .filter((seed) => {
      const { kernels } = systemPrograms.parse(scenarioOf(seed).programs);
      return kernels.some(({ text = '' }) => change(text) !== text);
    })
    .slice(0, count);

/** Findings of a run whose kernels are others than those that the properties are told of. */
const findings = (seed: number, change?: (text: string) => string): readonly string[] =>
  findingsOf(scenarioOf(seed), seed, change);

function findingsOf(
  { name, config, programs }: WrittenScenario,
  seed: number,
  change: (text: string) => string = unchanged,
): readonly string[] {
  const told: SystemGiven = {
    name,
    config: systemConfig.parse(config) as SystemConfig,
    programs: systemPrograms.parse(programs),
    mutants: [],
    scheduled: true,
  };
  const { kernels } = told.programs;
  const carriedOut = kernels.map((one) => ({ ...one, text: change(one.text!) }));
  const assembly = systemMachine.assemble({ ...told, programs: { ...told.programs, kernels: carriedOut } });
  const run = new Run(assembly.wiring, { choices: new RandomChoices(seed) });
  const watching = systemMachineProperties.watch(run, told as unknown as Given, assembly);
  // A kernel that was changed may go round for ever.
  const most = change === unchanged ? deliveriesMax : deliveriesMax / 10;
  while (!run.ended && run.outcome.deliveries < most) run.until(run.now + ticksEach);
  if (change === unchanged) expect(run.ended).toBe(true);
  watching.end();
  return run.outcome.violations.map(({ why }) => why);
}

describe('kernels of all instructions', () => {
  test('leave what plain threads leave, under random schedules', () => {
    for (let seed = 1; seed <= effort({ short: 3, long: 6 }); seed++) expect(findings(seed)).toEqual([]);
  });

  test.each([
    ['a register of another number', (text: string) => text.replace('[%x2+66], %h1', '[%x2+66], %h0')],
    [
      'one more',
      (text: string) => text.replace('mul.f32 %f2, %f2, 0f3dcccccd', 'mul.f32 %f2, %f2, 0f3dccccce'),
    ],
    ['a guard that is not looked at', (text: string) => text.replaceAll(/@!?%p[0-3] (?!bra)/g, '')],
    ...effort<[string, (text: string) => string][]>({
      short: [],
      long: [
        [
          'a comparison the other way',
          (text) => text.replace('setp.gt.u32 %p2, %r6, 16', 'setp.le.u32 %p2, %r6, 16'),
        ],
        ['a branch that all take', (text) => text.replaceAll(/@!?%p[0-3] bra/g, 'bra')],
      ],
    }),
  ] as [string, (text: string) => string][])('are found with %s', (_what, change) => {
    const found: string[] = [];
    const isFound = (): boolean => found.some((why) => /^word \d+ of plain/.test(why));
    for (const seed of changedSeeds(12, change)) if (!isFound()) found.push(...findings(seed, change));

    expect(isFound()).toBe(true);
    // What is changed may also leave its memory, or leave the same in another number of instructions.
    for (const why of found) expect(why).toMatch(/^(word \d+ of plain|E-MEM |Chip\S+ plain\d: counts\.)/);
  });

  test('are found where an instruction more is carried out that changes nothing', () => {
    const found = findings(2, (text) => text.replaceAll('  ret;\n}', '  membar.cta;\n  ret;\n}'));

    expect(found.join()).toMatch(/counts\.\w+ is \d+, the reference has \d+/);
  });
});

test('every instruction comes out as in a plain thread, on values at the edges of their types', () => {
  const share = effort({ short: 3, long: 1 });
  const forms = [...groups, ...smallGroups, exchanges, matrices].flat().filter((_, at) => at % share === 0);
  const each = 60;
  const rules = {
    warpScheduler: 'gto',
    cores: 1,
    messageOpcode: 'off',
    mode: 'coupled',
    coreDetail: 'auto',
  } as const;

  for (let first = 0; first < forms.length; first += each) {
    const numbers = new RandomChoices(first);
    const drawn = (count: number) => Array.from({ length: count }, () => numbers.pick('number', 2 ** 31));
    const some = forms.slice(first, first + each);
    const kernel = instructionKernel('plain', some, warpLanes, drawn(900), drawn(poolDraws));
    expect(findingsOf(kernelScenario(rules, [kernel]), 1)).toEqual([]);
  }
});

test('the bits of what is no number are left open, in 32 and in 64 bits, and nothing else is', () => {
  const [none32, none64] = [0x7fc0_0000, [0, 0x7ff8_0000]];

  // As a GPU converts what is no number from 32 to 64 bits.
  expect(firstWrong([0xe000_0000, 0x7fff_ffff], none64)).toBe(-1);
  expect(firstWrong([0x7fff_ffff], [none32])).toBe(-1);
  expect(firstWrong([0xe000_0000, 1], none64)).toBe(0);
  expect(firstWrong([1, 2], [1, 3])).toBe(1);
  expect(firstWrong([7, 0xe000_0000, 0x7fff_ffff], [7, 0, 0x7ff8_0000])).toBe(1);
  expect(firstWrong(undefined, [1])).toBe(0);
});
