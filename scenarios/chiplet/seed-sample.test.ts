import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import type { SystemResult } from '../../machines/chiplet/system.ts';
import { systemMachine } from '../../machines/chiplet/system.ts';
import type { SystemConfig, SystemPrograms } from '../../machines/chiplet/system-config.ts';
import { loadScenario } from '../load.ts';
import { simulate } from '../simulate.ts';
import { expectedSum } from './system/sample.ts';

/** The seed's own kernels, where the folder of golden data is there. */
const folder = '../shared/golden/ptx';

const text = (file: string) => ({ file, text: readFileSync(`${folder}/${file}`, 'utf8') });

const load = () => loadScenario('scenarios/chiplet/system-seed-sample.yaml', [systemMachine as never]);

interface Sample {
  readonly scale: number;
  readonly both: boolean;
  readonly config?: Partial<SystemConfig>;
  /** Kernels instead of our own. */
  readonly kernels?: SystemPrograms['kernels'];
}

/** The sample run with another size, other kernels, or another configuration. */
async function run({ scale, both, config = {}, kernels }: Sample) {
  const { scenario, machine } = await load();
  const given = scenario.config as SystemConfig;
  const programs = scenario.programs as SystemPrograms;
  const sized = given.chiplets.map((one) => ({
    ...one,
    args: [scale, ...(one.kind === 'cpu' ? [Number(both)] : [])],
  }));
  const { outcome, result } = simulate(
    {
      ...scenario,
      config: { ...given, ...config, chiplets: sized },
      programs: {
        ...programs,
        kernels: kernels ?? programs.kernels,
      },
    },
    machine,
  );
  return { outcome, result: result as SystemResult };
}

const modes = ['decoupled', 'coupled', 'iterative'] as const;

test.each(modes)(
  'the sample gives three times the corner of the product of both matrices: %s',
  async (mode) => {
    const { outcome, result } = await run({ scale: 12, both: true, config: { mode } });

    expect(outcome.verdict).toBe('ok');
    expect(result.chiplets[0]!.outputs).toEqual({ C1: expectedSum(12, true) });
    expect(result.messages).toEqual({ sent: 3 * 288 + 300, delivered: 3 * 288 + 300, unread: 0 });
  },
);

test('the sample as printed, with one matrix and receives by index, gives the corner of its square', async () => {
  const config = { mode: 'decoupled', mailbox: 'indexed' } as const;
  const { outcome, result } = await run({ scale: 11, both: false, config });

  expect(outcome.verdict).toBe('ok');
  expect(result.chiplets[0]!.outputs).toEqual({ C1: expectedSum(11, false) });
  expect(result.messages.sent).toBe(3 * 121 + 300);
});

describe.runIf(existsSync(folder))("with the seed's own kernels", () => {
  const compiled = ['seed_kernels.ptx', 'seed_O0.ptx'] as const;
  // Each mode and each compilation in turn, or all of both.
  test.each(
    modes.flatMap((mode, at) =>
      effort<readonly string[]>({ short: [compiled[at % 2]!], long: compiled }).map(
        (file) => [mode, file] as const,
      ),
    ),
  )('%s, %s: the same sum', async (mode, file) => {
    const { outcome, result } = await run({
      scale: 12,
      both: true,
      config: { mode },
      kernels: [text(file)],
    });

    expect(outcome.verdict).toBe('ok');
    expect(result.chiplets[0]!.outputs).toEqual({ C1: expectedSum(12, true) });
    const launched = result.chiplets[1]!.kernels.map(({ kernel }) => kernel);
    expect(launched).toEqual([
      '_Z11readMessageiiiiPii',
      '_Z11readMessageiiiiPii',
      '_Z14matrix_mul_gpuPiS_S_i',
      '_Z11passMessageiiiiPii',
    ]);
  });

  test('those in the style of its time, with our own to read messages: the same sum', async () => {
    const old = text('seed_legacy.ptx');
    const own = 'scenarios/chiplet/system/messages.ptx';
    const kernels = [
      {
        ...old,
        text: old.text
          .replaceAll('pass_legacy', 'passMessage')
          .replaceAll('matrix_mul_legacy', 'matrix_mul_gpu'),
      },
      { file: own, text: readFileSync(own, 'utf8').replace('entry passMessage', 'entry another') },
    ];
    const { outcome, result } = await run({ scale: 12, both: true, kernels });

    expect(outcome.verdict).toBe('ok');
    expect(result.chiplets[0]!.outputs).toEqual({ C1: expectedSum(12, true) });
  });

  test('kernels of both compilations at once are told apart by their full names only', async () => {
    const { scenario, machine } = await load();
    const both = {
      ...(scenario.programs as SystemPrograms),
      kernels: [text('seed_kernels.ptx'), text('seed_O0.ptx')],
    };

    expect(machine.check!(scenario.config, both)).toEqual([
      expect.objectContaining({
        path: ['programs', 'kernels', 1],
        found: expect.stringContaining('_Z14matrix_mul_gpuPiS_S_i'),
      }),
    ]);
  });
});
