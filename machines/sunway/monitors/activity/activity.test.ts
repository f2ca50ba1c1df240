import { describe, expect, test } from 'vitest';
import { crossBase, memoryBase, memoryPitch } from '../../../../actors/sunway/address/space.ts';
import { spcDistance, spcOf } from '../../../../actors/sunway/array/identity.ts';
import type { CpeProgram, MpeProgram } from '../../../../actors/sunway/program.ts';
import { Run } from '../../../../kernel/run.ts';
import { written } from '../../../pictures/drawing.ts';
import { wireNode } from '../../assembly.ts';
import { sunwayConfig } from '../../config.ts';
import { timingOf } from '../../timing.ts';
import { ProgramPlaces } from '../program-places.ts';
import { mpeCore } from '../race/race-event.ts';
import type { Activity, TransferActivity } from './activity.ts';
import { type ActivityRecord, activityOf } from './activity-log.ts';
import { ActivityRecorder } from './activity-recorder.ts';
import { bandwidthOf, peakBytesPerCycle, route } from './bandwidth.ts';
import { arrayHeatMap, meshHeatMap } from './heat-map.ts';
import { timelineSketch } from './timeline-sketch.ts';
import { traceEvents } from './trace-events.ts';
import { transferAdvice } from './transfer-advice.ts';
import { adviceText } from './transfer-report.ts';

/** What a run of this program on all CPEs of one core group did. */
function recorded(program: CpeProgram, verdict = 'ok', changes: object = {}): Activity {
  const config = sunwayConfig.parse({ timing: { spawn: { latency: 10 } }, ...changes });
  const host: MpeProgram = function* (h) {
    yield h.init();
    const out = h.memAlloc(64 * 4096, 128);
    yield h.athread_spawn(program, out);
    yield h.athread_join();
  };
  const { wiring, groups } = wireNode(config, [host]);
  const run = new Run(wiring);
  const records: ActivityRecord[] = [];
  const recorder = new ActivityRecorder(config, (record) => records.push(record));
  const places = new ProgramPlaces(run, [{ mpe: groups[0]!.mpe, program: host }]);
  recorder.attach(run, places);
  expect(run.toEnd().verdict).toBe(verdict);
  recorder.finish();
  return activityOf(records);
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
      place: expect.stringMatching(/^activity\.test\.ts:\d+$/),
    });
  });

  test('transfers of two calls of one name have two places', () => {
    const places = new Set(activity.transfers.map(({ call, place }) => `${call} ${place}`));

    expect([...places].map((one) => one.split(' ')[0]).sort()).toEqual(['dma_get', 'dma_put', 'rma_iput']);
    expect(places.size).toBe(3);
  });

  test('a scratchpad has its static data by name, and nothing on its heap', () => {
    const { scratchpads } = activity;

    expect(scratchpads).toHaveLength(64);
    expect(scratchpads.find(({ core }) => core === 5)).toMatchObject({
      statics: [
        { name: 'buffer', offset: 0x1000, bytes: 4096 },
        { name: 'reply word', offset: 0x2000, bytes: 4 },
      ],
      staticsEnd: 0x2004,
      heapPeak: 0,
      live: [],
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

    expect(events.filter(({ name }) => name === 'thread_name').map(({ tid }) => tid)).toEqual(
      Array.from({ length: 65 }, (_, tid) => tid),
    );
    const gets = events.filter(({ name, tid }) => name === 'dma_get' && tid === 7);
    expect(gets).toHaveLength(1);
    const wait = events.find(({ name, tid }) => name === 'waits: transfer' && tid === 7)!;
    expect(wait.ts).toBeGreaterThanOrEqual(gets[0]!.ts);
    expect(wait.ts + wait.dur!).toBeLessThanOrEqual(gets[0]!.ts + gets[0]!.dur!);
    expect(events.filter(({ ph }) => ph === 'b')).toHaveLength(129);
    expect(events.some(({ name, tid }) => name === 'waits: barrier' && tid === 63)).toBe(true);
    expect(events.every(({ tid }) => tid <= mpeCore())).toBe(true);
  });

  test('every event has the fields that the format asks of its phase, and spans of a row lie within each other', () => {
    const { traceEvents: events } = traceEvents(activity);
    const asked: Readonly<Record<string, readonly string[]>> = {
      X: ['dur'],
      b: ['id'],
      e: ['id'],
      M: ['args'],
    };

    for (const one of events) {
      for (const field of ['name', 'cat', 'ph', 'ts', 'pid', 'tid', ...asked[one.ph]!])
        expect(one).toHaveProperty(field);
      expect(Number.isInteger(one.ts) && one.ts >= 0).toBe(true);
    }
    const begun = new Map(
      events.filter(({ ph }) => ph === 'b').map((one) => [`${one.cat} ${one.id}`, one.ts]),
    );
    for (const one of events.filter(({ ph }) => ph === 'e'))
      expect(begun.get(`${one.cat} ${one.id}`)).toBeLessThan(one.ts);
    for (const tid of [0, 7, 64]) {
      const open: number[] = [];
      const row = events.filter((one) => one.ph === 'X' && one.tid === tid);
      for (const { ts, dur = 0 } of row.sort((a, b) => a.ts - b.ts || b.dur! - a.dur!)) {
        while (open.length > 0 && open.at(-1)! <= ts) open.pop();
        if (open.length > 0) expect(ts + dur).toBeLessThanOrEqual(open.at(-1)!);
        open.push(ts + dur);
      }
    }
  });

  test('a sketch has a row for cores that did the same', () => {
    const lines = timelineSketch(activity, 80).trimEnd().split('\n');

    expect(lines[0]).toMatch(/^\d+ cycles; # at work/);
    expect(lines[1]).toMatch(/^MPE +\|/);
    expect(lines.length).toBeLessThanOrEqual(16);
    for (const line of lines.slice(1, 10)) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('heat maps are pictures that say every value', () => {
    const { issuedBytes, links } = bandwidthOf(activity);

    const array = written('bytes', arrayHeatMap('bytes issued', 'bytes', issuedBytes));
    expect(array.startsWith('<svg')).toBe(true);
    expect(array).toContain('<title>CPE 0: 6400 bytes</title>');
    expect(array.match(/<title>CPE /g)).toHaveLength(64);
    const mesh = written('mesh', meshHeatMap('mesh', links));
    expect(mesh).toContain('<title>cluster 3 to cluster 7: 256 bytes</title>');
    expect(mesh.match(/<title>cluster \d+: CPEs /g)).toHaveLength(16);
  });
});

test('what a core waits for when nothing moves any more never ended', () => {
  const { waiting } = recorded(function* (c) {
    const block = yield* c.pldm_malloc(100);
    if (c.tid !== 3) yield c.ssync_row();
    else yield c.pldm_free(block, 100);
  }, 'deadlock');

  const open = waiting.filter((one) => one.open);
  const atBarrier = open.filter(({ waitsFor }) => waitsFor === 'barrier');
  expect(atBarrier.map(({ core }) => core)).toEqual([0, 1, 2, 4, 5, 6, 7]);
  expect(atBarrier[0]).toMatchObject({
    on: 'at row 0 with mask 0xff',
    call: 'ssync_row',
    place: expect.stringMatching(/^activity\.test\.ts:/),
  });
  expect(open.find(({ core }) => core === mpeCore())).toMatchObject({
    waitsFor: 'threads',
    on: 'for its threads to end',
  });
});

test('the high-water mark of a heap is what was taken at most at one time', () => {
  const { scratchpads } = recorded(function* (c) {
    const first = yield* c.pldm_malloc(1000);
    yield c.pldm_free(first, 1000);
    if (c.tid === 9) yield* c.pldm_malloc(64);
    if (c.tid === 9) yield* c.pldm_malloc(1000);
  });

  expect(scratchpads.find(({ core }) => core === 8)).toMatchObject({ heapPeak: 1024, live: [] });
  expect(scratchpads.find(({ core }) => core === 9)).toMatchObject({
    heapPeak: 64 + 1024,
    live: [{ bytes: 64 }, { bytes: 1000 }],
  });
});

test('bytes count at the controller that keeps the memory, whoever moves them', () => {
  const get = {
    issuer: 0,
    engine: 'dma',
    action: 'get',
    bytes: 128,
    partners: [],
    issued: 0,
    done: 441,
  } as unknown as TransferActivity;
  const there = { ...get, memory: memoryBase + 2 * memoryPitch };
  const cross = { ...get, issuer: 65, memory: crossBase };

  const { controllers } = bandwidthOf({
    cycles: 441,
    calls: [],
    waiting: [],
    scratchpads: [],
    links: [],
    transfers: [there, cross],
  });

  expect(controllers.map(({ group, getBytes }) => [group, getBytes])).toEqual([
    [0, 128],
    [2, 128],
  ]);
});

test('at the level of flits links have what their routers counted, headers of packets too', () => {
  const { links } = recorded(
    function* (c) {
      const word = c.rply();
      const buffer = c.ldmStatic('buffer', 256, 128);
      yield c.ssync_array();
      if (c.tid === 0) yield c.rma_iput(buffer, word, 256, 4, buffer, null);
      if (c.tid === 0) yield c.rma_wait_value(word, 1);
    },
    'ok',
    { fidelity: 'flit', cpesPerCg: 16 },
  );

  // Two packets of 128 bytes, each with two flits of 16 bytes before them (specification 8.5); CPE 4 is in cluster 2.
  const bytes = 2 * (128 + 2 * 16);
  expect(links).toEqual([
    { record: 'link', group: 0, from: 0, to: 1, bytes },
    { record: 'link', group: 0, from: 1, to: 2, bytes },
  ]);
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
    step: 1,
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
    transferAdvice(
      { cycles: 1000, calls: [], waiting: [], transfers, scratchpads: [], links: [] },
      timingOf(sunwayConfig.parse({})),
    );

  test('a put at offset 4 overwrites blocks in part, an aligned one does not', () => {
    const put = { action: 'put', call: 'dma_iput', bytes: 128 } as const;

    expect(advised([transfer({ ...put })])).toEqual([]);
    const [found] = advised([transfer({ ...put, memory: 0x1004 })]);
    // 124 bytes in both halves of one block, 4 bytes in one half of the next: three units.
    expect(found).toMatchObject({
      kind: 'partialBlocks',
      call: 'dma_iput',
      count: 1,
      // Behind the first of them it waits once more (specification 9.2).
      lostCycles: Math.round(3 * 27.5 + 135),
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

    const latency = 441 - 128 / 17.85;
    const found = advised(many(false));
    expect(found.map(({ kind }) => kind)).toEqual(['window', 'smallTransfers']);
    expect(found.map(({ lostCycles }) => lostCycles)).toEqual(
      // Ten transfers of 128 bytes could be two of at most 1 KiB.
      [10 * latency, 8 * latency].map(Math.round),
    );
    expect(advised(many(true)).map(({ kind }) => kind)).toEqual(['smallTransfers']);
  });

  test('small transfers of a core that has but one of them could not be fewer', () => {
    const rest = Array.from({ length: 16 }, (_, core) => transfer({ issuer: core, bytes: 128 }));

    expect(advised(rest)).toEqual([]);
  });

  test('a piece of advice is about one place of the program, and says cost and cure', () => {
    const put = { action: 'put', call: 'dma_iput', bytes: 128, memory: 0x1004 } as const;
    const found = advised([
      transfer({ ...put, place: 'a.ts:3' }),
      transfer({ ...put, issuer: 1, place: 'a.ts:3' }),
      transfer({ ...put, place: 'a.ts:9' }),
    ]);

    expect(found.map(({ place, cores }) => [place, cores])).toEqual([
      ['a.ts:3', [0, 1]],
      ['a.ts:9', [0]],
    ]);
    expect(adviceText(found).split('\n').slice(1, 5)).toEqual([
      '1. a.ts:3 dma_iput, 256 bytes of CPE 0-1',
      '   2 puts overwrite memory blocks of 128 bytes in part (6 units of 27.5 cycles at the controller)',
      '   cost: about 435 cycles, of all together',
      '   cure: start at multiples of 128 bytes and put whole blocks; at least begin and end at multiples of 8',
    ]);
  });

  test('large aligned transfers that overlap need none', () => {
    const many = Array.from({ length: 10 }, (_, k) => transfer({ transfer: k, issued: k, done: 5000 + k }));

    expect(advised(many)).toEqual([]);
  });
});
