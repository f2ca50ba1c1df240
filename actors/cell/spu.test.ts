import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contractOf } from '../../kernel/contract.ts';
import { cycles } from '../../kernel/cycle-picture.ts';
import {
  endCycle,
  get,
  type Instruction,
  type InstructionResult,
  put,
  read,
  status,
  write,
} from './instructions.ts';
import { GeneratorProgram, SaturateProgram, type SpuProgram, TimedProgram } from './program.ts';
import { cellProtocol } from './protocol.ts';
import { spu } from './spu.ts';

const around = { spu: 1, memSize: 64, maxInstrPerCycle: 5, memory: 20, dma: 10, controller: 9 };
const with_ = (program: SpuProgram) => () => ({ ...around, program: program.fork() });
const generator = (make: () => Generator<Instruction, void, InstructionResult>) => new GeneratorProgram(make);

const weights = { 'cycle.begin': 3, 'memory.reply': 3, 'dma.accepted': 6, 'status.reply': 3 };
const values = { t: fc.nat(4), id: fc.nat(9), 'memory.reply.value': fc.nat(255) };
const answers = ['memory.reply', 'dma.accepted', 'dma.blocked', 'dma.refused', 'status.reply'];
const others = (...own: string[]) => [
  ...answers.filter((type) => !own.includes(type)),
  'cycle.begin',
  'machine.stop',
];
// It asks one part at a time and gets that part's answer before anything else (Cell specification 15.2).
const undecided = {
  waiting: answers,
  memWait: others('memory.reply'),
  reqWait: others('dma.accepted', 'dma.blocked', 'dma.refused'),
  statusWait: others('status.reply'),
  halted: answers,
};

/** Follows its results wherever they lead, wrong arguments and endless cycles included. */
const wandering = generator(function* () {
  for (let step = 0; step < 30; step++) {
    const value = yield read(step);
    const id = yield typeof value === 'number' && value % 2 ? put(0, 2, 3, 4) : get(0, 2, 3, 4);
    const answer = yield status(id as number);
    if (typeof answer === 'object' && answer.status === 3) yield endCycle(1 + (step % 3));
    if (typeof value === 'number' && value > 200) yield write(value, step);
    if (typeof value === 'number' && value > 150) throw new Error(`value ${value}`);
  }
});
const timed = new TimedProgram([
  { cycle: 0, instruction: write(3, 4) },
  { cycle: 1, instruction: get(0, 2, 3, 4) },
  { cycle: 1, instruction: read(3) },
  { cycle: 3, instruction: status(0) },
]);
const closedLoop = new SaturateProgram(
  { outstanding: 2, perSpu: 3, sizeMin: 1, sizeMax: 4, seed: 5, localOps: 1 },
  1,
  4,
  512,
);

for (const { sentence, failures } of [
  ...contractOf('SPU with a generator', {
    machine: spu,
    input: with_(wandering),
    speaks: cellProtocol.roles.Spu,
    values,
    weights,
    undecided,
    runs: 40,
  }),
  ...contractOf('SPU with a timed list', {
    machine: spu,
    input: with_(timed),
    speaks: cellProtocol.roles.Spu,
    values,
    weights,
    undecided,
    runs: 40,
  }),
]) {
  test(sentence, () => expect(failures()).toEqual([]));
}

for (const { sentence, failures } of contractOf('SPU with the closed loop', {
  machine: spu,
  input: with_(closedLoop),
  speaks: cellProtocol.roles.Spu,
  values,
  weights,
  undecided,
  runs: 40,
})) {
  test(sentence, () => expect(failures()).toEqual([]));
}

describe('an SPU (Cell specification 3, 15.2)', () => {
  test('asks its memory and its DMA module one thing after the other, and ends its cycle', () => {
    const program = generator(function* () {
      const byte = yield read(7);
      yield write(8, (byte as number) + 1);
      yield put(0, 2, 3, 4);
      yield endCycle();
    });

    cycles(
      spu,
      with_(program)(),
      `
      cycle          0   1   2   3   4
      cycle.begin    a   .   .   .   b   a = t 0; b = t 1
      memory.reply   .   a   b   .   .   a = value 41; b = value 42
      dma.accepted   .   .   .   a   .   a = id 6
      state          m   .   d   w   h   m = memWait, d = reqWait, w = waiting, h = halted
      memory.access  a   b   .   .   .   a = to 20, op read, addr 7, by spu, spu 1, t 0; b = op write, addr 8, value 42
      dma.request    .   .   a   .   .   a = to 10, kind put, my 0, peer 2, addr 3, size 4, t 0
      spu.done       .   .   .   a   b   a = to 9, spu 1, t 0, next 1, content false; b = t 1, next 9007199254740991, content true
      OBS            .   a   b   c   .   a = k 0, op read, value 41; b = k 1, op write, value null; c = k 2, op put, value 6
      HALT           .   .   .   .   a   a = t 1, spu 1
      EXC            .   .   .   .   .
    `,
    );
  });

  test('ends its cycle when its DMA module is full, and asks again in the next one (Cell specification 11)', () => {
    cycles(
      spu,
      with_(new TimedProgram([{ cycle: 0, instruction: get(0, 2, 3, 4) }]))(),
      `
      cycle         0  1  2  3
      cycle.begin   a  .  b  .   a = t 0; b = t 1
      dma.blocked   .  a  .  .
      dma.accepted  .  .  .  a   a = id 0
      state         d  w  d  h   d = reqWait, w = waiting, h = halted
      dma.request   a  .  b  .   a = kind get, t 0; b = kind get, t 1
      spu.done      .  a  .  b   a = t 0, next 1; b = t 1
      OBS           .  .  .  a   a = k 0, op get, value 0
    `,
    );
  });

  test.each([
    ['a read beside the memory', read(64), 'address 64 is outside 0..63'],
    ['a value that is no byte', write(0, 256), 'value 256 is outside 0..255'],
  ])('is halted by %s', (_, instruction, why) => {
    cycles(
      spu,
      with_(new TimedProgram([{ cycle: 0, instruction }]))(),
      `
      cycle         0  1
      cycle.begin   a  b   a = t 0; b = t 1
      state         h  .   h = halted
      spu.done      a  b   a = t 0, content true; b = t 1, content true
      EXC           a  .   a = t 0, k 0, why ${why}
      HALT          a  .
    `,
    );
  });

  test('is halted by a program that never ends a cycle', () => {
    cycles(
      spu,
      with_(
        generator(function* () {
          for (;;) yield status(0);
        }),
      )(),
      `
      cycle         0  1  2  3  4  5
      cycle.begin   a  .  .  .  .  .   a = t 0
      status.reply  .  a  a  a  a  a   a = status {"status":1,"dir":-1,"ring":-1}
      state         s  .  .  .  .  h   s = statusWait, h = halted
      status.query  a  a  a  a  a  .   a = id 0, t 0
      EXC           .  .  .  .  .  a   a = why more than 5 instructions in one cycle (maxInstrPerCycle)
      spu.done      .  .  .  .  .  a   a = t 0
    `,
    );
  });
});
