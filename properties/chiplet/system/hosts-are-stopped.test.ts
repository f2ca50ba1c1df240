import { expect, test } from 'vitest';
import { stopFault, stoppedHosts } from './hosts-are-stopped.ts';

test.each(stoppedHosts.map((row) => [JSON.stringify(row), row] as const))(
  'a host is stopped: %s',
  (_name, row) => {
    expect(stopFault([row])).toBeUndefined();
  },
);

test('one that is not stopped, or otherwise, is told', () => {
  expect(stopFault([[[{ op: 'compute', instructions: 1 }], 'E-MEM']])).toBe(
    'a program that does [{"op":"compute","instructions":1}] is told [], not "E-MEM"',
  );
  expect(stopFault([[[{ op: 'free', address: 3 }], 'E-PROG']])).toContain(
    'is told ["E-MEM found no allocation at 3',
  );
});
