/** Usage: npx tsx bench/grape-speed.ts [FILE.vsm] [--json] */
import { readFileSync } from 'node:fs';
import { wordOf } from '../actors/grape/arithmetic/word.ts';
import type { Block, BlockSpec } from '../actors/grape/block/block.ts';
import { LaneBlock } from '../actors/grape/block/lane-block.ts';
import { planesOf, putWord } from '../actors/grape/block/planes.ts';
import { ReferenceBlock } from '../actors/grape/block/reference-block.ts';
import { type RowArithmetic, scriptRows } from '../actors/grape/block/row-arithmetic.ts';
import { WasmBlock } from '../actors/grape/block/wasm-block.ts';
import { wasmRows } from '../actors/grape/block/wasm-rows.ts';
import { assemble } from '../machines/grape/assembler/assemble.ts';
import { Chip } from '../machines/grape/chip.ts';
import { ChipLibrary } from '../machines/grape/chip-library.ts';
import { GrapeLibrary } from '../machines/grape/library.ts';
import { expandMacros } from '../machines/grape/macros/expand.ts';
import { schedule } from '../machines/grape/schedule/schedule.ts';
import { measure, reportMeasurement, type Variant } from './measure.ts';

/*
 * Adder, multiplier and shifts on rows of 512 PEs x 4 elements, in operations a second; and a full chip of 16 blocks of 32 PEs under gravity, in slots a
 * second: with bigints, with lanes, and as a machine of actors.
 */

const asJson = process.argv.includes('--json');
const lanes = 2048;
const filled = ({ operands }: RowArithmetic): ReturnType<typeof operands> => {
  const { a, b } = operands(lanes);
  for (let lane = 0; lane < lanes; lane++) {
    const mixed = BigInt(lane) * 0x9e3779b97f4a7c15n;
    putWord(a, lane, wordOf((lane & 1) as 0 | 1, 1000 + (lane % 40), mixed & ((1n << 60n) - 1n)));
    putWord(
      b,
      lane,
      wordOf(((lane >> 1) & 1) as 0 | 1, 1020 - (lane % 17), (mixed >> 3n) & ((1n << 60n) - 1n)),
    );
  }
  return { a, b };
};
const result = planesOf(lanes);
const kernel = (name: string, run: () => void, rows = 2000): Variant => ({
  name,
  run: () => {
    const began = process.hrtime.bigint();
    for (let row = 0; row < rows; row++) run();
    return { work: rows * lanes, seconds: Number(process.hrtime.bigint() - began) / 1e9 };
  },
});
const kernelsOf = (where: string, arithmetic: RowArithmetic): Variant[] => {
  const { a, b } = filled(arithmetic);
  const steps = planesOf(lanes);
  for (let lane = 0; lane < lanes; lane++) putWord(steps, lane, 60n);
  // Word by word with bigints, a hundredth of the rows is enough.
  const few = where === 'script' ? 20 : 2000;
  return [
    kernel(`fadd long, ${where}`, () => arithmetic.add(a, b, result, lanes, false, false)),
    kernel(`fadd short, ${where}`, () => arithmetic.add(a, b, result, lanes, false, true)),
    kernel(`fmul long, ${where}`, () => arithmetic.multiply(a, b, result, lanes, false)),
    kernel(`fmul short, ${where}`, () => arithmetic.multiply(a, b, result, lanes, true)),
    kernel(`dmul0, ${where}`, () => arithmetic.multiplyPart(a, b, result, lanes, false), few),
    kernel(`dmul1, ${where}`, () => arithmetic.multiplyPart(a, b, result, lanes, true), few),
    kernel(`faddAB, ${where}`, () => arithmetic.addParts(a, b, result, lanes, false, false), few),
    kernel(`lsr, ${where}`, () => arithmetic.shift('lsr', false, a, steps, result, lanes)),
    kernel(`lsl, ${where}`, () => arithmetic.shift('lsl', false, a, steps, result, lanes)),
  ];
};
const kernels = measure([...kernelsOf('script', scriptRows), ...kernelsOf('wasm', wasmRows())], {
  unit: 'operations',
});
console.log(`arithmetic on rows of ${lanes}\n${reportMeasurement(kernels, asJson)}\n`);

// Another program with x, y, z of both kinds of particles can be named: that of the golden full chip, for example.
const file = process.argv.find((word) => word.endsWith('.vsm'));
const source = readFileSync(file ?? new URL('../scenarios/grape/gravity.vsm', import.meta.url), 'utf8');
const written = assemble((await expandMacros(source)).text, { type: 1 });
// The program of the project is written for functional mode.
const program = file === undefined ? schedule(written.program).program : written.program;
const body = (k: number) => [k / 99 - 1, ((7 * k) % 64) / 33 - 1, ((29 * k) % 128) / 65 - 1] as const;
const send = (library: ChipLibrary | GrapeLibrary, passes: number): void => {
  library.init();
  for (let j = 0; j < 16 * passes; j++) {
    const [xj, yj, zj] = body(j);
    library.sendJParticle({ xj, yj, zj, mj: 1, eps2: 1 / 4096 }, j);
  }
  library.sendIParticle(
    Array.from({ length: 128 }, (_, i) => {
      const [xi, yi, zi] = body(3 * i + 1);
      return { xi, yi, zi };
    }),
  );
};
const slots = (passes: number): number =>
  passes * program.sections.loopBody.reduce((sum, item) => sum + (item.kind === 'nop' ? item.count : 1), 0);
const chip = (name: string, passes: number, make: () => ChipLibrary | GrapeLibrary): Variant => ({
  name,
  run: () => {
    const library = make();
    send(library, passes);
    const began = process.hrtime.bigint();
    library.run(passes);
    return { work: slots(passes), seconds: Number(process.hrtime.bigint() - began) / 1e9 };
  },
});
const size = { nBB: 16, nPE: 32 };
const plain = (make: (spec: BlockSpec) => Block) => () => new ChipLibrary(new Chip(program, size, make));
const chips = measure(
  [
    chip(
      'bigints, no actors',
      1,
      plain((spec) => new ReferenceBlock(spec)),
    ),
    chip(
      'lanes, no actors',
      16,
      plain((spec) => new LaneBlock(spec)),
    ),
    chip('lanes, actors', 16, () => new GrapeLibrary(program, { ...size, engine: 'lanes' })),
    chip(
      'wasm, no actors',
      16,
      plain((spec) => new WasmBlock(spec)),
    ),
    chip('wasm, actors', 16, () => new GrapeLibrary(program, { ...size, engine: 'wasm' })),
  ],
  { unit: 'slots', baseline: 'lanes, no actors', rounds: 5 },
);
console.log(
  `full chip, 512 PEs, 128 particles under 256 others: 16 passes of ${slots(1)} slots\n${reportMeasurement(chips, asJson)}`,
);
