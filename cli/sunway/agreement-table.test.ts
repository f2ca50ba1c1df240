import { expect, test } from 'vitest';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';
import { agreementTable } from './agreement-table.ts';

test('times at both levels stand side by side, with what is beyond the tolerance', () => {
  const row = { kind: 'get', bytes: 128, offset: 4, issuer: 0, partner: 1 } as const;
  const text = agreementTable([
    { ...row, tlm: 400, flit: 440, difference: 0.1, holds: true },
    { ...row, kind: 'rmaGet', offset: 0, tlm: 100, flit: 75, difference: -0.25, holds: false },
  ]);

  expect(text.split('\n').slice(1)).toEqual([
    'holds   get: 128 B at offset 4, CPE 0    400  440   +10.0 %',
    'MISSED  RMA get: 128 B, CPE 0 and CPE 1  100  75    -25.0 %',
    '',
    '1 of 2 transfers differ by at most 20.0 %; the largest difference is 25.0 %',
    '',
  ]);
});

test('a level that nothing is calibrated at is refused with those that are', async () => {
  const terminal = new KeptTerminal();

  expect(await main(['sunway', 'calibrate', '--fidelity', 'functional'], terminal)).toBe(2);
  expect(terminal.stderr).toContain('Allowed choices are tlm, flit');
});
