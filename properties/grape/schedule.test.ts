import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReferenceBlock } from '../../actors/grape/block/reference-block.ts';
import { type Item, type Program, sectionNames } from '../../actors/grape/program.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { type AssemblyOptions, assemble } from '../../machines/grape/assembler/assemble.ts';
import { disassemble } from '../../machines/grape/assembler/disassemble.ts';
import { hazardsOf } from '../../machines/grape/assembler/hazards.ts';
import { chipSizes } from '../../machines/grape/assembler/symbols.ts';
import { GrapeLibrary } from '../../machines/grape/library.ts';
import { expandMacros } from '../../machines/grape/macros/expand.ts';
import { type Scheduled, schedule } from '../../machines/grape/schedule/schedule.ts';
import { ScheduleError } from '../../machines/grape/schedule/schedule-error.ts';
import { runPlain, runProgram } from '../../scenarios/grape/programs.ts';
import { feedbackSource, functionalSource } from './functional-programs.arbitrary.ts';
import { arbitrarySource } from './programs.arbitrary.ts';
import { everythingDone, everyWord, onOneBlock, smallSizes, wordsOfChip } from './schedule-run.ts';

/** A seed of its own, so that a failure of the suite can be repeated. */
const parameters = { numRuns: effort({ short: 40, long: 200 }), seed: 15 };
const sizes = smallSizes;

const seeds = fc.integer({ min: 1, max: 1_000_000 });

/** Undefined for a program whose `$fb` nothing can hand on. */
function scheduled(program: Program, memories = sizes): Scheduled | undefined {
  try {
    return schedule(program, { sizes: memories, tries: 10 });
  } catch (error) {
    if (error instanceof ScheduleError) return undefined;
    throw error;
  }
}

test('scheduled programs leave on the machine every word that the text leaves in functional mode', () => {
  let count = 0;
  const law = fc.property(functionalSource(30), seeds, fc.nat(2), (source, seed, passes) => {
    const { program } = assemble(source, { sizes });
    const found = scheduled(program);
    if (!found) return;
    count++;

    const wanted = everyWord(program, { mode: 'functional', seed, passes });
    const left = everyWord(found.program, { mode: 'pipelined', seed, passes });

    expect(left).toEqual(wanted);
  });

  fc.assert(law, parameters);
  expect(count).toBeGreaterThanOrEqual(effort({ short: 30, long: 150 }));
}, 120_000);

const productsAlone = ({ sections }: Program): number =>
  sectionNames
    .flatMap((name) => sections[name])
    .filter((item) => item.kind === 'slot' && item.mul?.dst.length === 0).length;

test('so do programs that name products again and later: these are worked out again', () => {
  let repeated = 0;
  const law = fc.property(feedbackSource, seeds, fc.nat(2), (source, seed, passes) => {
    const { program } = assemble(source, { sizes });
    const found = scheduled(program);
    if (!found) return;
    if (productsAlone(found.program) > productsAlone(program)) repeated++;

    const wanted = everyWord(program, { mode: 'functional', seed, passes });
    const left = everyWord(found.program, { mode: 'pipelined', seed, passes });

    expect(hazardsOf(found.program.sections)).toEqual([]);
    expect(left).toEqual(wanted);
  });

  fc.assert(law, { ...parameters, numRuns: effort({ short: 100, long: 500 }) });
  expect(repeated).toBeGreaterThan(effort({ short: 6, long: 30 }));
}, 120_000);

test('so do programs of all statements of the language, of both types', () => {
  let count = 0;
  const law = fc.property(arbitrarySource, ({ source, type }) => {
    const program = onOneBlock(assemble(source, { type }).program);
    const found = scheduled(program, chipSizes);
    if (!found) return;
    count++;

    expect(hazardsOf(found.program.sections)).toEqual([]);
    expect(everythingDone(found.program, 'pipelined')).toEqual(everythingDone(program, 'functional'));
  });

  fc.assert(law, { ...parameters, numRuns: effort({ short: 20, long: 100 }) });
  expect(count).toBeGreaterThan(effort({ short: 16, long: 80 }));
}, 120_000);

test('the lint finds nothing in scheduled programs, whose text the assembler takes as it is', () => {
  const law = fc.property(functionalSource(40), (source) => {
    const { program, diagnostics } = assemble(source, { sizes });
    const found = scheduled(program);
    if (!found) return;

    const again = assemble(disassemble(found.program), { sizes });

    expect(hazardsOf(found.program.sections)).toEqual([]);
    const known = new Set(diagnostics.map(({ code }) => code));
    expect(again.diagnostics.filter(({ code }) => code.startsWith('H_') || !known.has(code))).toEqual([]);
    expect(sectionNames.map((name) => again.program.sections[name].length)).toEqual(
      sectionNames.map((name) => found.program.sections[name].length),
    );
  });

  fc.assert(law, parameters);
}, 120_000);

test('no section is longer than its text with the nops it needs, or shorter than its bounds', () => {
  let shorter = 0;
  const law = fc.property(functionalSource(40), (source) => {
    const found = scheduled(assemble(source, { sizes }).program);
    if (!found) return;

    for (const name of sectionNames) {
      const { withNops, scheduled: slots, bounds } = found.figures[name];
      if (withNops !== undefined) expect(slots).toBeLessThanOrEqual(withNops);
      if (withNops !== undefined && slots < withNops) shorter++;
      expect(slots).toBeGreaterThanOrEqual(Math.max(bounds.units, bounds.path));
    }
  });

  fc.assert(law, parameters);
  expect(shorter).toBeGreaterThan(parameters.numRuns / 4);
}, 120_000);

const read = (file: URL): string => readFileSync(file, 'utf8');
const assembled = async (file: URL, options: AssemblyOptions = {}) =>
  assemble((await expandMacros(read(file), {})).text, options);

describe('gravity written line by line', () => {
  const file = new URL('../../scenarios/grape/gravity.vsm', import.meta.url);
  const body = (k: number) => [
    ((73 * k + 11) % 101) / 50,
    ((31 * k + 57) % 103) / 50,
    ((97 * k + 5) % 107) / 50,
  ];
  const i = Array.from({ length: 8 }, (_, k) => {
    const [xi, yi, zi] = body(k) as [number, number, number];
    return { xi, yi, zi };
  });
  const j = Array.from({ length: 12 }, (_, k) => {
    const [xj, yj, zj] = body(k + 3) as [number, number, number];
    return { xj, yj, zj, mj: 1 / (k + 2), eps2: 1 / 256 };
  });
  const data = { config: { nBB: 2, nPE: 2 }, tables: {}, i, j, run: 6 };

  test('takes 61 slots a pass, hand-written gravity 56: 9 % more', async () => {
    const { program } = await assembled(file);

    const { figures } = schedule(program);

    expect(figures.loopBody).toEqual({
      written: 58,
      withNops: 67,
      scheduled: 61,
      bounds: { units: 29, path: 53 },
    });
    expect(figures.loopBody.scheduled).toBeLessThanOrEqual(1.2 * 56);
  });

  test('leaves every word that functional mode leaves, and the machine the same results', async () => {
    const { program } = await assembled(file);
    const { program: found } = schedule(program);

    const wanted = runPlain(program, data, { mode: 'functional' }, (spec) => new ReferenceBlock(spec));
    const left = runPlain(found, data, { mode: 'pipelined' }, (spec) => new ReferenceBlock(spec));
    const machine = runProgram(found, data, { mode: 'pipelined' });

    expect(wordsOfChip(left.chip)).toEqual(wordsOfChip(wanted.chip));
    expect(machine.results).toEqual(wanted.results);
  });

  test('gives the accelerations and potentials that a sum of doubles gives', async () => {
    const { program } = schedule((await assembled(file)).program);

    const { results } = runProgram(program, data, { mode: 'pipelined' });

    for (const [at, { values }] of results.entries()) {
      const sum = { accx: 0, accy: 0, accz: 0, pot: 0 };
      for (const { xj, yj, zj, mj, eps2 } of j) {
        const [dx, dy, dz] = [xj - i[at]!.xi, yj - i[at]!.yi, zj - i[at]!.zi];
        const r2 = dx * dx + dy * dy + dz * dz + eps2;
        const force = mj / (r2 * Math.sqrt(r2));
        sum.accx += force * dx;
        sum.accy += force * dy;
        sum.accz += force * dz;
        sum.pot += force * r2;
      }
      for (const [name, value] of Object.entries(sum))
        expect(Math.abs(Number(values[name]) - value)).toBeLessThan(1e-6 * sum.pot ** 2);
    }
  });
});

// The manual's own listings are not part of the project.
const manual = new URL('../../../shared/golden/vsm/', import.meta.url);

describe.skipIf(!existsSync(manual))("the manual's listings", () => {
  const print = (program: Program, mode: 'functional' | 'pipelined') => {
    const library = new GrapeLibrary(program, { nBB: 1, nPE: 1, mode });
    library.runAlone();
    return library.outputs.map((output) => ({ ...output, line: 0 }));
  };

  test('x^(-3/2), for the simulator only, becomes free of hazards and prints the same, in 48 slots for 40', async () => {
    const { program, diagnostics } = await assembled(new URL('rsqrt3_seed.vsm', manual), { legacy: true });
    const { program: found, figures } = schedule(program);
    const again = assemble(disassemble(found), { legacy: true });

    expect(diagnostics.filter(({ code }) => code.startsWith('H_'))).toHaveLength(14);
    // The transfer out of T, which only legacy rules let through, stays as it was written.
    expect(again.diagnostics.map(({ code }) => code)).toEqual(['W_BM_SRC']);
    expect(print(again.program, 'pipelined')).toEqual(print(program, 'functional'));
    expect(print(program, 'pipelined')).not.toEqual(print(program, 'functional'));
    expect(figures.preamble).toEqual({
      written: 40,
      withNops: 48,
      scheduled: 48,
      bounds: { units: 30, path: 48 },
    });
  });

  test.each([
    ['gravity.vsm', 56, 56],
    ['matmul.vsm', 21, 20],
    ['sph.vsm', 19, 19],
    ['sreadtest.vsm', 18, 18],
  ])('%s, scheduled by hand to %i slots a pass, does not become longer: %i', async (name, written, slots) => {
    const { program } = await assembled(new URL(name, manual));

    const { loopBody } = schedule(program).figures;

    expect([loopBody.written, loopBody.scheduled]).toEqual([written, slots]);
  });
});

test.skipIf(!existsSync(manual))(
  "the manual's stride read sends the same values when it is scheduled, without a fault at the ports",
  async () => {
    const { program } = await assembled(new URL('sreadtest.vsm', manual), { type: 2 });
    const particle = (r: number) =>
      Object.fromEntries(Array.from({ length: 64 }, (_, k) => [`a${k}`, 1000 * k + r + 1]));
    const sent = (one: Program, mode: 'functional' | 'pipelined') => {
      const library = new GrapeLibrary(one, { nBB: 2, nPE: 2, mode });
      library.init();
      library.sendEltData(0, {}, 0);
      library.sendIParticle(Array.from({ length: 8 }, (_, r) => particle(r)));
      const values: (number | bigint)[] = [];
      const code = library.type2Run(3, values);
      return { code, values, violations: library.simulation.outcome.violations };
    };

    const found = sent(schedule(program).program, 'pipelined');

    expect(found).toEqual(sent(program, 'functional'));
    expect(found).toMatchObject({ code: 0, violations: [] });
    expect(found.values.length).toBeGreaterThan(0);
  },
);

test('a schedule with one nop less, or $t for $ti, is seen', async () => {
  const { program } = assemble(
    'vlen 4\nfmul $lr0v $lr0v $lr8v $t\nfadd $t $lr8v a\nfadd a $lr0v a\n'.replace(
      /^/,
      'var vector long a\n',
    ),
    { sizes },
  );
  const { program: found } = schedule(program, { sizes });
  const changed = (change: (item: Item) => readonly Item[]): Program => ({
    ...found,
    sections: { ...found.sections, preamble: found.sections.preamble.flatMap(change) },
  });
  const stale = changed((item) =>
    item.kind === 'slot' && item.add?.unit === 'fadd' && item.add.a.kind === 'ti'
      ? [{ ...item, add: { ...item.add, a: { ...item.add.a, kind: 't' as const } } }]
      : [item],
  );
  const dense = changed((item) => (item.kind === 'nop' ? [] : [item]));
  const run = (one: Program, mode: 'functional' | 'pipelined') =>
    everyWord(one, { mode, seed: 3, passes: 1 });

  expect(run(found, 'pipelined')).toEqual(run(program, 'functional'));
  expect(run(stale, 'pipelined')).not.toEqual(run(program, 'functional'));
  expect(run(dense, 'pipelined')).not.toEqual(run(program, 'functional'));
});
