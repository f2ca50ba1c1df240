import { describe, expect, test } from 'vitest';
import type { MessageOpcode } from '../../actors/chiplet/ptx/compile-options.ts';
import { compilePtx } from '../../actors/chiplet/ptx/program.ts';
import { type CaseOutcome, type GpuCase, runCase } from './gpu-case.ts';
import { timedCase } from './gpu-case-timed.ts';

/*
 * The message instruction (chiplet specification 4.1, 4.3) on chiplet (1, 2), lane by lane.
 */

function caseOf(body: string, threads: number, inbox: GpuCase['inbox'] = [], opcode: MessageOpcode = 'on') {
  const program = compilePtx(
    [
      {
        file: 'message.ptx',
        text: `.version 7.0
.target sm_75
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %t, %r<12>;
  .reg .b64 %o;
  ld.param.u64 %o, [out];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %o, %t, 4, %o;
  ${body}
  ret;
}`,
      },
    ],
    { messageOpcode: opcode },
  );
  const given: GpuCase = {
    name: 'k',
    entry: 'k',
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    params: [{ ptr: 'out' }],
    buffers: { out: { type: 's32', data: Array.from({ length: threads }, () => -1) } },
    inbox,
  };
  return { program, kernel: program.kernels.get('k')!, given };
}

const run = (...args: Parameters<typeof caseOf>): CaseOutcome => {
  const { program, kernel, given } = caseOf(...args);
  return runCase(program, kernel, given);
};
const outOf = ({ buffers: { out = [] } }: CaseOutcome): readonly number[] => out;
const stored = 'st.global.u32 [%o], %r1;';
const [own, peer] = [[1, 2] as const, [3, 4] as const];

describe('a send', () => {
  test('goes out lane by lane in their order, and gives back its value', () => {
    const outcome = run(`mul.lo.s32 %r2, %t, -5; addc.s32 %r1, 10203040, %r2; ${stored}`, 3);

    expect(outcome.sent).toEqual([0, 1, 2].map((t) => ({ src: own, dst: peer, value: t * -5 + 0 })));
    expect(outOf(outcome)).toEqual([0, -5, -10]);
    expect([outcome.counts.messagesSent, outcome.counts.messagesReceived]).toEqual([3, 0]);
  });

  test('may go from each lane to another chiplet', () => {
    const { sent } = run(
      `mul.lo.u32 %r2, %t, 1000; add.u32 %r2, %r2, 10200070; addc.u32 %r1, %r2, 7; ${stored}`,
      3,
    );

    expect(sent.map(({ dst }) => dst)).toEqual([0, 1, 2].map((x) => [x, 7]));
  });

  test('of lanes whose guard does not hold stays at home', () => {
    const outcome = run(
      `mov.u32 %r1, 9; setp.eq.u32 %p1, %t, 1; @%p1 addc.u32 %r1, 10203040, 5; @!%p1 addc.u32 %r1, 10203040, 6; setp.gt.u32 %p2, %t, 7; @%p2 addc.u32 %r1, 1, 1; ${stored}`,
      3,
    );

    expect(outcome.sent.map(({ value }) => value)).toEqual([5, 6, 6]);
    expect(outOf(outcome)).toEqual([6, 5, 6]);
  });
});

describe('a receive', () => {
  const inbox = [
    { src: peer, dst: own, values: [7, 0, -8] },
    { src: [0, 9], dst: own, values: [100] },
  ] as const;

  test('takes the values of a sender in order, zero and negative ones too', () => {
    const outcome = run(`addc.u32 %r1, 10203041, %t; ${stored}`, 3, inbox);

    expect(outOf(outcome)).toEqual([7, 0, -8]);
    expect(outcome.counts.messagesReceived).toBe(3);
  });

  test('and a send may be one instruction of different lanes', () => {
    const outcome = run(
      `setp.eq.u32 %p1, %t, 1; selp.u32 %r2, 10200091, 10203040, %p1; addc.u32 %r1, %r2, 55; ${stored}`,
      3,
      inbox,
    );

    expect(outOf(outcome)).toEqual([55, 100, 55]);
    expect(outcome.sent).toHaveLength(2);
  });

  test('waits for ever for a value that nobody sends', () => {
    const { program, kernel, given } = caseOf(
      `addc.u32 %r1, 10203041, 0; addc.u32 %r1, 10203041, 1; ${stored}`,
      2,
      inbox,
    );

    expect(runCase(program, kernel, given).finished).toBe(false);
    const timed = timedCase(program, kernel, given);
    expect(timed.run.toEnd().verdict).toBe('deadlock');
  });
});

describe('a parameter that says nothing', () => {
  test.each([2, 3, 9])('with the operation %i is told with kernel, thread and line', (operation) => {
    expect(() => run(`setp.eq.u32 %p1, %t, 33; @%p1 addc.u32 %r1, 1020304${operation}, 1;`, 40)).toThrow(
      new RegExp(
        `^E-OPCODE found the operation ${operation} in the message parameter 1020304${operation}, expected 0 \\(send\\) or 1 \\(receive\\): kernel k, thread 33, line \\d+$`,
      ),
    );
  });

  test('with a coordinate of three digits as well', () => {
    expect(() => run('addc.u32 %r1, 1000000000, 1;', 1)).toThrow(
      /^E-ADDR found the coordinate 100 in the message parameter 1000000000, expected 0 to 99: kernel k, thread 0, line \d+$/,
    );
    expect(() => run('addc.u32 %r1, -6, 1;', 1)).toThrow(
      /^E-ADDR found the coordinate 429 in the message parameter 4294967290/,
    );
  });

  test('stops a chiplet with timing, too', () => {
    const { program, kernel, given } = caseOf('addc.u32 %r1, 10203045, 1;', 1);
    const timed = timedCase(program, kernel, given);

    expect(timed.run.toEnd().violations.map(({ why }) => why)).toEqual([
      expect.stringMatching(/^E-OPCODE found the operation 5/),
    ]);
  });
});

describe('addc', () => {
  const sum = 'add.cc.u32 %r2, %r3, 0xffffffff; addc.u32 %r1, 1, %t;';
  const parameter = 'mov.u32 %r3, 1;';

  test.each<[MessageOpcode, string, readonly number[], number]>([
    ['off', `${parameter} ${sum} ${stored}`, [2, 3], 0],
    ['auto', `${parameter} ${sum} ${stored}`, [2, 3], 0],
    ['off', `addc.u32 %r1, 10203040, %t; ${stored}`, [10203040, 10203041], 0],
    ['auto', `addc.u32 %r1, 10203040, %t; ${stored}`, [0, 1], 2],
    // A label begins another basic block.
    ['auto', `add.cc.u32 %r2, %t, 1; bra there; there: addc.u32 %r1, 10203040, %t; ${stored}`, [0, 1], 2],
    [
      'auto',
      `${parameter} add.cc.u32 %r2, %r3, -1; addc.cc.u32 %r2, 0, -1; addc.u32 %r1, 5, %t; ${stored}`,
      [6, 7],
      0,
    ],
    ['on', `${parameter} add.cc.u32 %r2, %r3, -1; addc.cc.u32 %r1, 5, %t; ${stored}`, [6, 7], 0],
  ])('with messageOpcode %s: %s', (opcode, body, expected, sent) => {
    const outcome = run(body, 2, [], opcode);

    expect(outOf(outcome)).toEqual(expected);
    expect(outcome.sent).toHaveLength(sent);
  });
});
