/** Usage: npx tsx bench/grape-speed.ts [--json] */
import { readFileSync } from 'node:fs';
import { wordOf } from '../actors/grape/arithmetic/word.ts';
import type { Block, BlockSpec } from '../actors/grape/block/block.ts';
import { addLanes } from '../actors/grape/block/lane-adder.ts';
import { LaneBlock } from '../actors/grape/block/lane-block.ts';
import { multiplyLanes } from '../actors/grape/block/lane-multiplier.ts';
import { planesOf, putWord } from '../actors/grape/block/planes.ts';
import { ReferenceBlock } from '../actors/grape/block/reference-block.ts';
import { assemble } from '../machines/grape/assembler/assemble.ts';
import { Chip } from '../machines/grape/chip.ts';
import { ChipLibrary } from '../machines/grape/chip-library.ts';
import { expandMacros } from '../machines/grape/macros/expand.ts';
import { measure, reportMeasurement, type Variant } from './measure.ts';

/*
 * Adder and multiplier on rows of 512 PEs x 4 elements, in operations a second; and a full chip of 16 blocks of 32 PEs on the SPH program, in slots a
 * second, fast engine against the plain one.
 */

const asJson = process.argv.includes('--json');
const lanes = 2048;
const [a, b, result] = [planesOf(lanes), planesOf(lanes), planesOf(lanes)];
for (let lane = 0; lane < lanes; lane++) {
  const mixed = BigInt(lane) * 0x9e3779b97f4a7c15n;
  putWord(a, lane, wordOf((lane & 1) as 0 | 1, 1000 + (lane % 40), mixed & ((1n << 60n) - 1n)));
  putWord(
    b,
    lane,
    wordOf(((lane >> 1) & 1) as 0 | 1, 1020 - (lane % 17), (mixed >> 3n) & ((1n << 60n) - 1n)),
  );
}
const rows = 2000;
const kernel = (name: string, run: () => void): Variant => ({
  name,
  run: () => {
    const began = process.hrtime.bigint();
    for (let row = 0; row < rows; row++) run();
    return { work: rows * lanes, seconds: Number(process.hrtime.bigint() - began) / 1e9 };
  },
});
const kernels = measure(
  [
    kernel('fadd long', () => addLanes(a, 0, b, 0, result, 0, lanes, false, false)),
    kernel('fadd short', () => addLanes(a, 0, b, 0, result, 0, lanes, false, true)),
    kernel('fmul long', () => multiplyLanes(a, 0, b, 0, result, 0, lanes, false)),
    kernel('fmul short', () => multiplyLanes(a, 0, b, 0, result, 0, lanes, true)),
  ],
  { unit: 'operations' },
);
console.log(`arithmetic on rows of ${lanes}\n${reportMeasurement(kernels, asJson)}\n`);

const source = readFileSync(new URL('../properties/grape/golden/sph.vsm', import.meta.url), 'utf8');
const { program } = assemble((await expandMacros(source)).text, { type: 1 });
const chip = (name: string, passes: number, make: (spec: BlockSpec) => Block): Variant => ({
  name,
  run: () => {
    const library = new ChipLibrary(new Chip(program, { nBB: 16, nPE: 32 }, make));
    library.init();
    for (let j = 0; j < 16 * passes; j++)
      library.sendJParticle({ xj: j / 99, yj: j / 77, zj: j / 55, mj: 1 }, j);
    library.sendIParticle(Array.from({ length: 128 }, (_, i) => ({ xi: i / 88, yi: i / 66, zi: i / 44 })));
    const before = library.chip.cycles;
    const began = process.hrtime.bigint();
    library.run(passes);
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    return { work: (library.chip.cycles - before) / 4, seconds };
  },
});
const chips = measure(
  [
    chip('plain engine', 1, (spec) => new ReferenceBlock(spec)),
    chip('lanes', 16, (spec) => new LaneBlock(spec)),
  ],
  { unit: 'slots', baseline: 'plain engine', rounds: 3 },
);
console.log(`full chip, 512 PEs, SPH density\n${reportMeasurement(chips, asJson)}`);
