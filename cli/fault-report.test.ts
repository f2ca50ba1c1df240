import { expect, test } from 'vitest';
import { calledAt } from './testing/called.ts';

const called = calledAt(80);

test('a run with faults tells which struck, when and where', async () => {
  const { exitCode, out, err } = await called('run', 'scenarios/cell/fault-dropped-grant.yaml', '--json');

  expect(exitCode).toBe(0);
  expect(err).toContain(
    'fault 1 (drop) struck at 1 of 1 chance\n  tick 1  drop: Cell.Bus -> Cell.Spu[0].Dma  bus.granted: never delivered\n',
  );
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'deadlock',
    faults: [{ kind: 'drop', chances: 1, struck: 1 }],
    injections: [
      {
        tick: 1,
        fault: 0,
        kind: 'drop',
        from: 'Cell.Bus',
        to: 'Cell.Spu[0].Dma',
        type: 'bus.granted',
        what: 'never delivered',
      },
    ],
  });
});

test('a fault that strikes nowhere says so, and a run without faults says nothing of them', async () => {
  const random = 'scenarios/cell/fault-random-losses.yaml';
  const spared = await called('run', random, '--schedule', 'fifo', '--no-record');
  const plain = await called('run', 'scenarios/cell/worked-wait.yaml', '--json');

  expect(spared.err).toContain('fault 1 (drop) struck at 0 of 3 chances\n');
  expect(plain.err).not.toContain('fault 1');
  expect(JSON.parse(plain.out)).not.toHaveProperty('faults');
});
