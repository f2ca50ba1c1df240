import { describe, expect, test } from 'vitest';
import { spcDistance, spcOf } from '../../../../actors/sunway/array/identity.ts';
import type { CpeProgram, MpeProgram } from '../../../../actors/sunway/program.ts';
import { Run } from '../../../../kernel/run.ts';
import { wireNode } from '../../assembly.ts';
import { sunwayConfig } from '../../config.ts';
import { mpeCore } from '../race/race-event.ts';
import type { Activity, TransferActivity } from './activity.ts';
import { ActivityRecorder } from './activity-recorder.ts';
import { bandwidthOf, peakBytesPerCycle, route } from './bandwidth.ts';
import { arrayHeatMap, meshHeatMap } from './heat-map.ts';
import { traceEvents } from './trace-events.ts';
import { transferAdvice } from './transfer-advice.ts';

/** What a run of this program on all CPEs of one core group did. */
function recorded(program: CpeProgram): Activity {
  const config = sunwayConfig.parse({ timing: { spawn: { latency: 10 } } });
  const host: MpeProgram = function* (h) {
    yield h.init();
    const out = h.memAlloc(64 * 4096, 128);
    yield h.athread_spawn(program, out);
    yield h.athread_join();
  };
  const run = new Run(wireNode(config, [host]).wiring);
  const recorder = new ActivityRecorder(config);
  recorder.attach(run);
  expect(run.toEnd().verdict).toBe('ok');
  return recorder.activity;
}

const moved: CpeProgram = function* (c, out) {
  const buffer = c.ldmStatic('buffer', 4096, 128);
  const word = c.rply();
  yield c.dma_get(buffer, out + 4096 * c.tid, 4096);
  yield c.ssync_array();
  if (c.tid === 0) {
    yield c.rma_iput(buffer, word, 256, 63, buffer, null);
    yield c.rma_wait_value(word, 1);
  }
  yield c.dma_put(out + 4096 * c.tid, buffer, 2048);
};

describe('what a run did', () => {
  const activity = recorded(moved);

  test('every transfer is there from its issue to its end', () => {
    const { transfers } = activity;

    expect(transfers).toHaveLength(129);
    expect(transfers.every(({ issued, done }) => done !== undefined && done > issued)).toBe(true);
    expect(transfers.find(({ engine }) => engine === 'rma')).toMatchObject({
      issuer: 0,
      action: 'put',
      call: 'rma_iput',
      bytes: 256,
      partners: [63],
    });
  });

  test('bytes are added up by controller, core and link', () => {
    const { controllers, links, issuedBytes } = bandwidthOf(activity);

    expect(controllers).toEqual([
      expect.objectContaining({ group: 0, getBytes: 64 * 4096, putBytes: 64 * 2048 }),
    ]);
    const [{ bytesPerCycle, shareOfPeak }] = controllers as [(typeof controllers)[0]];
    expect(bytesPerCycle).toBeGreaterThan(10);
    expect(bytesPerCycle).toBeLessThan(peakBytesPerCycle);
    expect(shareOfPeak).toBeCloseTo(bytesPerCycle / 22.7556, 3);
    expect(links.map(({ from, to, bytes }) => [from, to, bytes])).toEqual([
      [0, 1, 256],
      [1, 2, 256],
      [2, 3, 256],
      [3, 7, 256],
      [7, 11, 256],
      [11, 15, 256],
    ]);
    expect(issuedBytes.get(0)).toBe(4096 + 2048 + 256);
    expect(issuedBytes.get(5)).toBe(4096 + 2048);
  });

  test('a timeline has a row for each core, with calls that hold their waits', () => {
    const { traceEvents: events } = traceEvents(activity);

    expect(events.filter(({ ph }) => ph === 'M').map(({ tid }) => tid)).toEqual(
      Array.from({ length: 65 }, (_, tid) => tid),
    );
    const gets = events.filter(({ name, tid }) => name === 'dma_get' && tid === 7);
    expect(gets).toHaveLength(1);
    const wait = events.find(({ name, tid }) => name === 'waits: transfer' && tid === 7)!;
    expect(wait.ts).toBeGreaterThanOrEqual(gets[0]!.ts);
    expect(wait.ts + wait.dur!).toBeLessThanOrEqual(gets[0]!.ts + gets[0]!.dur! + 1e-9);
    expect(events.filter(({ ph }) => ph === 'b')).toHaveLength(129);
    expect(events.some(({ name, tid }) => name === 'waits: barrier' && tid === 63)).toBe(true);
    expect(events.every(({ tid }) => tid <= mpeCore())).toBe(true);
  });

  test('heat maps are pictures that say every value', () => {
    const { issuedBytes, links } = bandwidthOf(activity);

    const array = arrayHeatMap('bytes issued', 'bytes', issuedBytes);
    expect(array.startsWith('<svg')).toBe(true);
    expect(array).toContain('<title>CPE 0: 6400 bytes</title>');
    expect(array.match(/<title>CPE /g)).toHaveLength(64);
    const mesh = meshHeatMap('mesh', links);
    expect(mesh).toContain('<title>cluster 3 to cluster 7: 256 bytes</title>');
    expect(mesh.match(/<circle/g)).toHaveLength(16);
  });
});

test('a route has as many links as its CPEs are apart', () => {
  const wrong: number[] = [];
  for (let from = 0; from < 64; from++)
    for (let to = 0; to < 64; to++) {
      const { x, y } = spcDistance(from, to);
      if (route(spcOf(from), spcOf(to)).length !== x + y) wrong.push(64 * from + to);
    }

  expect(wrong).toEqual([]);
});

describe('advice about transfers', () => {
  const transfer = (one: Partial<TransferActivity>): TransferActivity => ({
    transfer: 0,
    issuer: 0,
    engine: 'dma',
    action: 'get',
    call: 'dma_iget',
    bytes: 4096,
    partners: [],
    memory: 0x1000,
    blockBytes: one.bytes ?? 4096,
    gap: 0,
    issued: 0,
    done: 100,
    ...one,
  });
  const advised = (transfers: readonly TransferActivity[]) =>
    transferAdvice({ cycles: 1000, calls: [], waiting: [], transfers });

  test('a put at offset 4 overwrites blocks in part, an aligned one does not', () => {
    const put = { action: 'put', call: 'dma_iput', bytes: 128 } as const;

    expect(advised([transfer({ ...put })])).toEqual([]);
    const [found] = advised([transfer({ ...put, memory: 0x1004 })]);
    // 124 bytes in both halves of one block, 4 bytes in one half of the next: three units.
    expect(found).toMatchObject({
      kind: 'partialBlocks',
      call: 'dma_iput',
      count: 1,
      lostCycles: Math.round(3 * 27.5),
    });
  });

  test('a get at offset 4 touches a block more, also in each piece of a stride', () => {
    expect(advised([transfer({ memory: 0x1004 })])[0]).toMatchObject({ kind: 'alignment', lostCycles: 6 });
    const strided = transfer({ memory: 0x1040, bytes: 1024, blockBytes: 128, gap: 128 });
    expect(advised([strided])[0]).toMatchObject({ kind: 'alignment', lostCycles: Math.round(8 * 5.9) });
    expect(advised([transfer({ bytes: 1024, blockBytes: 128, gap: 128 })])).toEqual([]);
  });

  test('many small transfers, one at a time, are told as both', () => {
    const many = (together: boolean) =>
      Array.from({ length: 10 }, (_, k) =>
        transfer({
          transfer: k,
          bytes: 128,
          memory: 0x1000 + 128 * k,
          issued: together ? k : 500 * k,
          done: 500 * k + 441,
        }),
      );

    expect(advised(many(false)).map(({ kind }) => kind)).toEqual(['smallTransfers', 'oneAtATime']);
    expect(advised(many(true)).map(({ kind }) => kind)).toEqual(['smallTransfers']);
  });

  test('large aligned transfers that overlap need none', () => {
    const many = Array.from({ length: 10 }, (_, k) => transfer({ transfer: k, issued: k, done: 5000 + k }));

    expect(advised(many)).toEqual([]);
  });
});
