import { expect, test } from 'vitest';
import { assemble } from './assembler/assemble.ts';
import type { GrapeConfig } from './config.ts';
import { GrapeLibrary } from './library.ts';
import { slotPicture, slotSketch } from './slot-picture.ts';
import { type ChipRecord, handedOn, stallsOf } from './slot-timeline.ts';

/** The event log of a program that runs alone. */
function recordsOf(code: string, config: Partial<GrapeConfig> = {}): readonly ChipRecord[] {
  const library = new GrapeLibrary(assemble(code).program, { hostCall: 0, ...config });
  const records: ChipRecord[] = [];
  library.simulation.probes$.subscribe(({ probe }) => {
    const { type, ...rest } = probe as unknown as { readonly type: string };
    records.push({ ev: type, ...rest } as unknown as ChipRecord);
  });
  library.runAlone();
  return records;
}

const chain = `vlen 4
fmul $lr0v $lr8v $t
fadd $ti $lr0v $t
fmul $ti $ti
uadd $fb $lr0v $t
fadd $fb $ti $lr16v
fsub $t $lr0v $lr24v
`;

test('what a slot hands on comes from the unit that made it, by $ti and by $fb', () => {
  const handed = handedOn(recordsOf(chain)).map(({ from, to, by, line, taken, made }) => [
    line,
    `${from} ${by} ${to}`,
    taken - made,
  ]);

  expect(handed).toEqual([
    [3, 'mul $ti add', 4],
    [4, 'add $ti mul', 4],
    [5, 'mul $fb alu', 4],
    [6, 'alu $ti add', 4],
  ]);
});

test('the sketch has a column a slot, and says what is handed on', () => {
  expect(`\n${slotSketch(recordsOf(chain), 80)}`).toBe(`
8 slots, cycles 1 to 32
multiplier  M.M.....
adder       .A..AA..
ALU         ...A....
broadcast   ........
input port  ........
reduction   ........
handed on   .ttft...
`);
});

test('the picture has an arrow for each result handed on, with the line that takes it, dashed for a product', () => {
  const svg = slotPicture('chain', recordsOf(chain));

  expect(svg.match(/marker-end/g)).toHaveLength(4);
  expect(svg.match(/marker-end="[^"]*" stroke-dasharray/g)).toHaveLength(1);
  expect(svg).toContain('line 5 takes $fb, made by mul in cycle 9');
});

test('in functional mode nothing is handed on: the next slot sees every write', () => {
  expect(slotPicture('chain', recordsOf(chain, { mode: 'functional' }), 'functional')).not.toContain(
    'marker-end',
  );
});

test('cycles in which the units wait for a port are stalls, hatched and in the sketch', () => {
  const records = recordsOf(
    `bvar vector long p
bvar vector long q
vlen 4
rrn uadd p fix72to64r
rrn uadd q fix72to64r
nop
`,
    { portPolicy: 'stall', nBB: 4 },
  );
  const [stall] = stallsOf(records);
  const slots = records.flatMap((record) => (record.ev === 'SLOT' ? [record] : []));

  expect(stall).toEqual({ from: slots[0]!.t + 4, to: slots[1]!.t });
  expect(slotPicture('stall', records)).toContain(
    `cycles ${stall!.from} to ${stall!.to - 1}: no slot, the units wait`,
  );
  expect(slotSketch(records, 80)).toContain('reduction   R|R');
});
