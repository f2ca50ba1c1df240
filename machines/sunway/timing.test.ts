import { expect, test } from 'vitest';
import { timingOf } from './timing.ts';

test('what the configuration says of time holds at every level, the functional one, too', () => {
  const timing = { clk: { cpe: 20 }, ldm: { latency: 7 }, flit: { bufferFlits: 8 } };

  for (const fidelity of ['functional', 'tlm', 'flit'] as const) {
    const table = timingOf({ fidelity, timing: timing as never });
    expect(table).toMatchObject({
      clk: { cpe: 20, mpe: 2100 },
      ldm: { latency: 7 },
      flit: { bufferFlits: 8 },
    });
  }
  expect(timingOf({ fidelity: 'functional', timing: {} as never }).sync).toMatchObject({ base: 1, hop: 0 });
});
