import { expect, test } from 'vitest';
import type { ChipletShown } from '../../actors/chiplet/gpu/protocol.ts';
import { written } from '../pictures/drawing.ts';
import { IssuedSpans } from './issued-spans.ts';
import { type SpanRecord, systemTimeline, timelineSketch } from './system-timeline.ts';

const issued = (
  kind: ChipletShown<'warp.issued'>['class'],
  cycle: number,
  text: string,
): ChipletShown<'warp.issued'> => ({
  type: 'warp.issued',
  slot: 0,
  cycle,
  class: kind,
  text,
});

/** The spans of one warp, with two ticks of the network for a cycle of the chiplet. */
function spansOf(instructions: readonly ChipletShown<'warp.issued'>[]): readonly SpanRecord[] {
  const spans: SpanRecord[] = [];
  const issues = new IssuedSpans((span) => spans.push(span));
  for (const one of instructions) issues.issued(0, 'core 0 warp 0', one, (cycle) => cycle / 2);
  issues.end(0);
  return spans;
}

const program = [
  issued('intAdd', 1, 'add.s32 %r1, %r2, %r3;'),
  issued('intMul', 5, 'mul.lo.s32 %r1, %r1, %r3;'),
  issued('global', 6, 'st.global.u32 [%d1], %r1;'),
  issued('message', 7, 'addc.u32 %r1, %r2, %r3;'),
  issued('global', 100, 'ld.global.u32 %r1, [%d1];'),
];

test('instructions of one sort soon after each other are one span, told with the first of them', () => {
  expect(
    spansOf(program).map(({ what, from, to, instructions, text }) => [what, from, to, instructions, text]),
  ).toEqual([
    ['integer', 0.5, 3, 2, 'add.s32 %r1, %r2, %r3;'],
    ['memory', 3, 3.5, 1, 'st.global.u32 [%d1], %r1;'],
    ['memory', 50, 50.5, 1, 'ld.global.u32 %r1, [%d1];'],
  ]);
});

test('a timeline shows the instructions of a warp in its row', () => {
  const header = { name: 'warps', mode: 'coupled', chiplets: [{ at: [0, 0], kind: 'gpu' }] };
  const spans = spansOf(program);

  expect(timelineSketch(header, spans, 75).split('\n')).toEqual([
    'chiplets over 51 cycles: i integer, m memory',
    `gpu 0,0 core 0 warp 0 iiim${'.'.repeat(48)}m`,
    '',
  ]);
  expect(written('warps', systemTimeline(header, spans))).toContain(
    '2 integer from cycle 0.5 to 3: add.s32 %r1, %r2, %r3; ...',
  );
});
