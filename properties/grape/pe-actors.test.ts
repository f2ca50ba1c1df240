import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from '../../actors/grape/block/block.ts';
import { anyWord } from '../../actors/grape/block/words.arbitrary.ts';
import type { Program } from '../../actors/grape/program.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import type { RunOptions } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { assemble } from '../../machines/grape/assembler/assemble.ts';
import { type GrapeConfig, grapeConfig } from '../../machines/grape/config.ts';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import { blockIn, contentOfBroadcast, contentOfPe, fitted, seeded } from './chip-runs.ts';
import { arbitrarySource } from './programs.arbitrary.ts';
import { trial } from './trial.ts';
import { workloads } from './workloads.ts';

const chip = { nBB: 2, nPE: 3, hostCall: 0, portPolicy: 'stall' } as const;
const anyProgram: fc.Arbitrary<Program> = fc
  .tuple(arbitrarySource, fc.array(anyWord, { minLength: 24, maxLength: 24 }))
  .map(([{ source, type }, words]) =>
    seeded(fitted(assemble(source, { type }).program, chip), words, chip.nPE),
  );

/** Every word of a chip at the end of each tick, or of one in so many, and of the program; what its lines show, and what is warned of. */
function courseOf(program: Program, config: Partial<GrapeConfig>, options: RunOptions = {}, every = 32) {
  const library = new GrapeLibrary(program, { ...chip, ...config }, options);
  const run = library.simulation;
  const ticks: string[] = [];
  const warnings: string[] = [];
  run.probes$.subscribe(({ probe }) => {
    if (probe.type === 'FAULT') warnings.push(JSON.stringify(probe));
  });
  const contentNow = (): string => {
    const words = Array.from({ length: chip.nBB }, (_, b) => [
      contentOfBroadcast(blockIn(run, b)),
      ...Array.from({ length: chip.nPE }, (_x, pe) =>
        library.config.peActors ? contentOfPe(elementIn(b, pe), 0) : contentOfPe(blockIn(run, b), pe),
      ),
    ]);
    return words.flat().join('\n');
  };
  const elementIn = (b: number, pe: number): Block =>
    (run.part(`Block[${b}].Pe[${pe}]`).context as unknown as { readonly block: Block }).block;
  // A look at all words takes as long as hundreds of slots.
  run.ticks$.subscribe((tick) => {
    if (tick % every === 0) ticks.push(`${tick}: ${contentNow()}`);
  });
  const code = library.runAlone();
  ticks.push(contentNow());
  const outputs = JSON.stringify(library.outputs, (_key, word) =>
    typeof word === 'bigint' ? `${word}n` : word,
  );
  return { ticks, outputs, code, cycles: library.calls[0]!.cycles, warnings };
}

describe('a chip whose PEs are actors of their own', () => {
  test.each(['pipelined', 'functional'] as const)(
    'is the chip of whole blocks word by word, cycle by cycle, %s',
    (mode) => {
      fc.assert(
        fc.property(
          anyProgram,
          fc.constantFrom<GrapeConfig['engine']>('wasm', 'reference'),
          fc.constantFrom<GrapeConfig['detail']>('slot', 'element'),
          (program, engine, detail) => {
            const whole = courseOf(program, { mode, detail });
            const single = courseOf(program, { mode, detail, engine, peActors: true });

            expect(single).toEqual(whole);
          },
        ),
        { numRuns: effort({ short: 4, long: 12 }), seed: 21 },
      );
    },
  );

  test('is that chip at the end of every single cycle', () => {
    const [program] = fc.sample(anyProgram, { numRuns: 1, seed: 23 });

    const whole = courseOf(program!, {}, {}, 1);
    const single = courseOf(program!, { peActors: true }, {}, 1);

    expect(whole.ticks.length).toBeGreaterThan(100);
    expect(single).toEqual(whole);
  });

  test('is that chip in every order of delivery', () => {
    fc.assert(
      fc.property(anyProgram, fc.nat(), (program, seed) => {
        const whole = courseOf(program, {});
        const single = courseOf(program, { peActors: true }, { choices: new RandomChoices(seed) });

        expect(single).toEqual(whole);
      }),
      { numRuns: 6, seed: 22 },
    );
  });

  test.each(['kernel', 'stream', 'hurried'] as const)(
    'gives the results, the cycles and the words of ports of the chip of whole blocks: %s',
    (name) => {
      const { config: _whole, ...whole } = trial(workloads[name]()).result as never as { config: unknown };
      const single = trial(workloads[name]({ peActors: true }));
      const { config: _single, ...found } = single.result as never as { config: unknown };

      expect(found).toEqual(whole);
      expect(single.raised).toEqual([]);
    },
  );

  test('has at most 32 PEs a block', () => {
    expect(grapeConfig.safeParse({ peActors: true, nPE: 32 }).success).toBe(true);

    const { success, error } = grapeConfig.safeParse({ peActors: true, nPE: 33 });
    expect(success).toBe(false);
    expect(error!.issues).toMatchObject([
      {
        path: ['nPE'],
        message: 'with peActors a block has at most 32 PEs: make nPE smaller, or leave peActors out',
      },
    ]);
  });
});
