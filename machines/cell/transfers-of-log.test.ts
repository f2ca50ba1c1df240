import { describe, expect, it } from 'vitest';
import type { CellLogEvent } from './log-events.ts';
import { logOfResult } from './log-of-result.ts';
import { transfersOfLog } from './transfers-of-log.ts';

const { header } = logOfResult(
  { N: 4, K: 1 },
  { name: 'hand', policy: 'etalon-ff', cycles: 0, transfers: [] },
);

const request: CellLogEvent = {
  t: 0,
  n: 0,
  ev: 'REQ',
  spu: 1,
  id: 0,
  kind: 'get',
  my: 0,
  peer: 3,
  addr: 0,
  size: 3,
};
const grant: CellLogEvent = {
  t: 1,
  n: 1,
  ev: 'GRANT',
  spu: 1,
  id: 0,
  start: 2,
  dir: 1,
  ring: 0,
  nodes: [3, 2, 1],
};
const free = (t: number): CellLogEvent => ({
  t,
  n: 2,
  ev: 'FREE',
  spu: 1,
  id: 0,
  dir: 1,
  ring: 0,
  nodes: [3, 2, 1],
});
const stop = (cycles: number): CellLogEvent => ({ t: cycles - 1, n: 9, ev: 'STOP', cycles });

describe('reading transfers from an event log', () => {
  it('makes the peer the sender of a get and counts the wait from the cycle after the request', () => {
    const run = transfersOfLog(header, [request, grant, free(4), stop(5)]);

    expect(run).toEqual({
      cycles: 5,
      bytes: 3,
      totalWait: 1,
      exceptions: [],
      transfers: [
        {
          order: 0,
          spu: 1,
          id: 0,
          kind: 'get',
          sender: 3,
          receiver: 1,
          size: 3,
          issue: 0,
          state: 'finished',
          start: 2,
          wait: 1,
          occupation: { dir: 1, ring: 0, nodes: [3, 2, 1], first: 2, last: 4 },
        },
      ],
    });
  });

  it('shows a segment as long as the arbiter logged it, right or wrong', () => {
    const early = transfersOfLog(header, [request, grant, free(3), stop(6)]);
    const late = transfersOfLog(header, [request, grant, free(5), stop(6)]);

    expect(early.transfers[0]?.occupation?.last).toBe(3);
    expect(late.transfers[0]?.occupation?.last).toBe(5);
  });

  it('cuts a transfer that still runs when the run ends', () => {
    const run = transfersOfLog(header, [request, grant, stop(4)]);

    expect(run.transfers[0]).toMatchObject({ state: 'running', occupation: { first: 2, last: 3 } });
    expect(run.bytes).toBe(2);
  });

  it('takes a grant for a cycle that never came as still waiting', () => {
    const run = transfersOfLog(header, [request, grant, stop(2)]);

    expect(run.transfers[0]).toMatchObject({ state: 'waiting', start: null, wait: 1, occupation: null });
    expect(run.totalWait).toBe(0);
  });

  it('ends a log without STOP with the last cycle it speaks of, bulk cycles included', () => {
    const broken = transfersOfLog(header, [request, grant]);
    const bulk = transfersOfLog(header, [request, grant, { t: 2, n: 2, ev: 'BULK', from: 3, to: 7 }]);

    expect(broken.cycles).toBe(2);
    expect(bulk).toMatchObject({ cycles: 8, transfers: [{ state: 'finished', occupation: { last: 4 } }] });
  });

  it('keeps the first of two grants and passes over grants for unknown requests', () => {
    const second = { ...grant, start: 4, ring: 7 };
    const unknown = { ...grant, id: 8 };

    const run = transfersOfLog(header, [request, unknown, grant, second, stop(9)]);

    expect(run.transfers).toHaveLength(1);
    expect(run.transfers[0]?.occupation).toMatchObject({ ring: 0, first: 2 });
  });

  it('gives a transfer of no bytes the cycle after its request and no ring', () => {
    const run = transfersOfLog(header, [{ ...request, size: 0 }, stop(3)]);

    expect(run.transfers[0]).toMatchObject({ state: 'empty', start: 1, wait: 0, occupation: null });
  });
});
