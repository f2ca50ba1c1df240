import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CoreState } from '../../actors/chiplet/gpu/fast/core-state.ts';
import { WarpSlots } from '../../actors/chiplet/gpu/fast/warp-slots.ts';
import { simtCoreKit } from '../../actors/chiplet/gpu/simt-core.ts';
import { simtWarpKit } from '../../actors/chiplet/gpu/simt-warp.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { type ChipletParts, soundChipletParts } from '../../machines/chiplet/gpu-chiplet.ts';
import { chipletPartMutants } from '../../machines/chiplet/gpu-mutants.ts';
import { soundSystem } from '../../machines/chiplet/system-assembly.ts';
import { planted } from '../../machines/planting.ts';
import { coreTwinsDiffer, systemOf, twinScenarios } from './core-twins.ts';
import { kernelScenarios } from './kernel-scenarios.ts';

const systems = (numRuns: number) => fc.sample(twinScenarios, { seed: 31, numRuns }).map(systemOf);
const withChiplet = (chiplet: ChipletParts) => ({ ...soundSystem, chiplet });

/** Whether a fault in one of the twins is a difference between them on one of some systems. */
const isFound = (chiplet: ChipletParts, scenarios = twinScenarios, seed = 31): boolean =>
  fc
    .sample(scenarios, { seed, numRuns: 16 })
    .some((one) => coreTwinsDiffer(systemOf(one), { parts: withChiplet(chiplet) }) !== undefined);

const { simtCore, simtWarp } = soundChipletParts;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a SIMT core of warps and its fast twin', () => {
  test('do the same in every tick of generated systems, in canonical order and under random choices', () => {
    for (const [at, given] of systems(effort({ short: 4, long: 300 })).entries())
      expect(coreTwinsDiffer(given, { seed: at % 3 }), JSON.stringify(given.config)).toBeUndefined();
  });

  test.each<[string, ChipletParts]>([
    [
      'a warp does not look at its scoreboard',
      {
        ...soundChipletParts,
        simtWarp: planted(simtWarp, { guards: { needsResult: simtWarpKit.when(() => false) } }),
      },
    ],
    [
      'a warp goes on while a load is under way',
      {
        ...soundChipletParts,
        simtWarp: planted(simtWarp, { guards: { needsLoad: simtWarpKit.when(() => false) } }),
      },
    ],
    [
      'a scheduler issues one instruction of a warp in a cycle, whatever it may',
      {
        ...soundChipletParts,
        simtCore: planted(simtCore, { guards: { issuesAgain: simtCoreKit.when(() => false) } }),
      },
    ],
    [
      'the scheduler takes the newest warp',
      {
        ...soundChipletParts,
        simtCore: planted(simtCore, {
          actions: {
            chooseByRule: simtCoreKit.update((c) => {
              const ready = c.lines.filter(
                ({ slot, waits, from }) => slot % 2 === c.scheduler && waits === 'turn' && from <= c.cycle,
              );
              c.slot = ready.at(-1)?.slot ?? -1;
            }),
          },
        }),
      },
    ],
  ])('differ when warps have a planted fault: %s', (_what, chiplet) => {
    expect(isFound(chiplet)).toBe(true);
  });

  test('differ when barriers open one warp early', () => {
    expect(isFound(chipletPartMutants.get('M-05')!.mutate(soundChipletParts), kernelScenarios, 2)).toBe(true);
  });

  test('differ when the fast twin keeps units busy for too short', () => {
    vi.spyOn(WarpSlots.prototype, 'occupy').mockImplementation(() => {});

    expect(isFound(soundChipletParts)).toBe(true);
  });

  test('differ when the fast twin lets a warp go on one cycle late', () => {
    const answer = CoreState.prototype.answerMessage;
    vi.spyOn(CoreState.prototype, 'answerMessage').mockImplementation(function (
      this: CoreState,
      slot,
      values,
      cycle,
    ) {
      return answer.call(this, slot, values, cycle + 1);
    });

    expect(isFound(soundChipletParts)).toBe(true);
  });
});
