import { expect, test } from 'vitest';
import { grapeConfig } from '../../../machines/grape/config.ts';
import { trial } from '../trial.ts';
import { given } from '../workloads.ts';
import { PlainChip } from './plain-chip.ts';
import { plainProgram } from './plain-program.ts';

const alone = (source: string, config: object = {}) => {
  const chip = new PlainChip(
    grapeConfig.parse({ nBB: 1, nPE: 1, hostCall: 0, ...config }),
    plainProgram(source, { roundPolicy: 'anyShort' }),
  );
  chip.run([{ call: 'alone' }]);
  return chip;
};

test('the plain chip sees a write two slots later, and in functional mode in the next one', () => {
  const source = `IDP 1 0 0 0
HEX 7
vlen 1
bm $lb0v $lr0
upassa $lr0 $lr0 $lr2
upassa $lr0 $lr0 $lr4
nop 2
DBG BB 0 0 GRF 0 2
`;

  expect(alone(source).result.output[0]!.values.map((one) => BigInt(`0x${one}`))).toEqual([7n, 0n, 7n]);
  expect(
    alone(source, { mode: 'functional' }).result.output[0]!.values.map((one) => BigInt(`0x${one}`)),
  ).toEqual([7n, 7n, 7n]);
});

test('the j transfer of the gravity kernel takes 1 + 64 + 4 cycles (GRAPE specification 6.6)', () => {
  const record = ['a', 'b', 'c'].map((name) => `bvar long ${name} elt flt64to72`);
  const shorts = ['d', 'e'].map((name) => `bvar short ${name} elt flt64to36`);
  const source = [...record, ...shorts, 'loop body', 'vlen 3', 'bm a $lr0v', ''].join('\n');
  const chip = new PlainChip(
    grapeConfig.parse({ nBB: 16, nPE: 1, hostCall: 0, emLatency: 0 }),
    plainProgram(source, { roundPolicy: 'anyShort' }),
  );

  chip.run([{ call: 'init' }, { call: 'run', n: 1 }]);

  expect(chip.result.idp).toEqual({ words: 64, busy: 69 });
});

test('a program of type II that reads a record of table 0 sends for no other by itself (GRAPE specification 6.4)', () => {
  const source = `bvar long a elt flt64to72
evar jdata 0 64
loop body
idp jdata
nop 4
vlen 1
bm a $lr0v
nop
vlen 4
rrn fadd a flt72to64
`;
  const { result } = trial(
    given(
      'type II',
      source,
      [
        { call: 'init' },
        { call: 'sendEltData', num: 0, record: { a: 5 }, index: 0 },
        { call: 'sendEltData', num: 0, record: { a: 7 }, index: 1 },
        { call: 'type2Run', n: 2 },
      ],
      { nBB: 1, nPE: 1, portPolicy: 'stall' },
    ),
  );

  expect(result.results).toEqual([[5, 7]]);
  expect(result.idp.words).toBe(2);
});
