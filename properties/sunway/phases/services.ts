import fc from 'fast-check';
import type { WrittenCall } from '../../../machines/sunway/operations.ts';
import { now } from './drawn.ts';
import { type Phase, scratchName } from './stage.ts';

/** What a CPE asks about itself (Sunway specification 6.1, 6.9). */
const questions = [
  'smng_get_tid',
  'smng_get_rid',
  'smng_get_cid',
  'smng_get_cgn',
  'smng_get_spc_tid',
  'smng_get_spcn',
  'scache_get_size',
  'stime_cycle',
] as const;

/** CPEs ask where they are. */
export const askedPlaces: fc.Arbitrary<Phase> = fc
  .subarray([...questions], { minLength: 1 })
  .map((asked) => (stage) => stage.add(...asked.map((one) => [one] as const)));

/** Signals to the host, and bytes for a file (6.8). */
export const outputs: fc.Arbitrary<Phase> = fc
  .record({ by: fc.nat(15), signals: fc.nat(3) })
  .map(({ by, signals }) => (stage) => {
    const tid = by % stage.shape.cpes;
    for (let k = 0; k < signals; k++) stage.signal((tid + k) % stage.shape.cpes, 64 * by);
    if (signals > 0) return;
    stage.add(...stage.only((one) => one === tid, ['sio_fwrite', 'told', scratchName, 8]));
  });

/** A CPE signals several times, at once or while its host is at something else (5.6). */
export const alarms: fc.Arbitrary<Phase> = fc
  .record({ by: fc.nat(15), times: fc.integer({ min: 1, max: 4 }), gap: fc.constantFrom(0, 60, 900) })
  .map(({ by, times, gap }) => (stage) => {
    for (let k = 0; k < times; k++) {
      stage.signal(by % stage.shape.cpes, k);
      if (gap > 0) stage.add(['compute', gap]);
    }
  });

/** Hosts fetch tasks of one pool, and may end it; some ask for what is none (5.7, 11). */
export const taskFetches: fc.Arbitrary<Phase> = fc
  .record({
    times: fc.integer({ min: 1, max: 6 }),
    end: now<'' | 'task_quit'>('', '', 'task_quit'),
    odd: now<readonly [string, number, number] | undefined>(
      ...([
        undefined,
        undefined,
        ['', 7, 2],
        ['pool', 0, 2],
        ['pool', 7, 0],
        ['pool', 8, 2],
        ['other', 1, 5],
      ] as const),
    ),
  })
  .map(({ times, end, odd }) => (stage) => {
    stage.host(
      ...Array.from({ length: times }, (): WrittenCall => ['task_fetch', 'pool', 7, 2]),
      ...(odd ? [['task_fetch', ...odd] as const] : []),
      ...(end
        ? [['task_fetch', 'pool', 7, 2] as const, ...(stage.returnsErrors ? [[end] as const] : [])]
        : []),
    );
  });

/** Hosts ask how much there is. */
export const askedHosts: fc.Arbitrary<Phase> = fc
  .subarray(['athread_get_max_threads', 'time_cycle'] as const, { minLength: 1 })
  .map((asked) => (stage) => stage.host(...asked.map((one) => [one] as const)));
