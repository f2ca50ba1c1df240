import { expect, test } from 'vitest';
import { addressOf } from '../../actors/tca/address-map.ts';
import type { NodeAnswer, NodeOperation } from '../../actors/tca/node-program.ts';
import { trial } from './trial.ts';
import { configOf, copy, givenOf } from './workloads.ts';

test('packets that are damaged and sent again do not overfill the buffer of a GPU', () => {
  let runs = 0;
  for (const gpuIngressFifoBytes of [256, 512])
    for (let seed = 1; seed <= 12; seed++) {
      const config = configOf({ bitErrorRate: 0.0005, seed, parameters: { gpuIngressFifoBytes } });
      const chain = [copy(addressOf(0, 'gpu', 0), addressOf(1, 'gpu', 0), 4096)];
      const sender = function* (): Generator<NodeOperation, void, NodeAnswer> {
        yield { op: 'start', channel: 0, chain };
        yield { op: 'stopped', channels: [0] };
      };
      const { raised, run } = trial(givenOf(config, [sender, function* () {}]));
      expect([seed, raised]).toEqual([seed, []]);
      if (run.outcome.deliveries > 100) runs++;
    }
  expect(runs).toBe(24);
});
