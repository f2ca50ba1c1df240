import { describe, expect, test } from 'vitest';
import type { CpeProgram, MpeProgram } from '../../../../actors/sunway/program.ts';
import { RandomChoices } from '../../../../kernel/choices.ts';
import { Run } from '../../../../kernel/run.ts';
import { wireNode } from '../../assembly.ts';
import { sunwayConfig } from '../../config.ts';
import { mpeCore } from '../race/race-event.ts';
import { CircleWatch } from './circle-watch.ts';

interface Circle {
  readonly cores: readonly number[];
  readonly cycle: number;
}

/** Cycles that whoever is in no circle works on. */
const long = 50_000;

const joining = (program: CpeProgram): MpeProgram =>
  function* (h) {
    yield h.init();
    yield h.athread_spawn(program, 0);
    yield h.athread_join();
  };

/** The circles that close in a run of 16 CPEs, and when the run ends; with a seed, services take longer at random. */
function watched(
  program: CpeProgram,
  { host = joining(program), seed }: { host?: MpeProgram; seed?: number } = {},
) {
  const config = sunwayConfig.parse({
    cpesPerCg: 16,
    timing: { spawn: { latency: 10 } },
    ...(seed !== undefined && { fuzz: { maxJitter: 200, reorder: true } }),
  });
  const run = new Run(
    wireNode(config, [host]).wiring,
    seed === undefined ? {} : { choices: new RandomChoices(seed) },
  );
  const circles: Circle[] = [];
  new CircleWatch(config).attach(run, (cores, cycle) =>
    circles.push({ cores: cores.toSorted((a, b) => a - b), cycle }),
  );
  const { verdict, ticks } = run.toEnd();
  return { circles, verdict, ticks };
}

describe('a circle is told in the cycle in which it closes, though others go on', () => {
  const closing: readonly {
    readonly name: string;
    readonly cores: readonly number[];
    readonly program: CpeProgram;
    readonly host?: (program: CpeProgram) => MpeProgram;
  }[] = [
    {
      name: 'two locks taken in different orders',
      cores: [0, 1],
      *program(c) {
        if (c.tid > 1) yield c.compute(long);
        else if (c.tid === 0) {
          yield c.smutex_lock_row();
          yield c.compute(700);
          yield c.smutex_lock_array();
        } else {
          yield c.smutex_lock_array();
          yield c.compute(1000);
          yield c.smutex_lock_row();
        }
      },
    },
    {
      name: 'a lock that its owner takes again',
      cores: [3],
      *program(c) {
        if (c.tid !== 3) yield c.compute(long);
        yield c.smutex_lock_array();
        if (c.tid !== 3) return;
        yield c.compute(900);
        yield c.smutex_lock_array();
      },
    },
    {
      name: 'three that each meet the next one',
      cores: [4, 5, 6],
      *program(c) {
        if (c.tid < 4 || c.tid > 6) {
          yield c.compute(long);
          return;
        }
        yield c.compute(200 * c.tid);
        yield c.ssync_peer(c.tid === 6 ? 4 : c.tid + 1);
      },
    },
    {
      name: 'a pair, a lock and the host',
      cores: [2, 3, mpeCore()],
      *program(c) {
        if (c.tid === 2) {
          yield c.compute(500);
          yield c.ssync_peer(3);
          yield c.ssync_master_spe();
        } else if (c.tid === 3) yield c.ssync_master_spe();
        else yield c.compute(long);
      },
      host: (program) =>
        function* (h) {
          yield h.init();
          yield h.athread_spawn(program, 0);
          yield h.compute(900);
          yield h.sync_master_spe(2);
          yield h.sync_master_spe(3);
          yield h.athread_join();
        },
    },
  ];

  test.each(closing)('$name', ({ program, cores, host }) => {
    const { circles, verdict, ticks } = watched(program, host && { host: host(program) });

    expect(circles.map((one) => one.cores)).toEqual([cores]);
    expect(circles[0]!.cycle).toBeGreaterThan(800);
    expect(circles[0]!.cycle).toBeLessThan(3000);
    expect(verdict).toBe('deadlock');
    expect(ticks).toBeGreaterThan(long);
  });
});

test('a circle that waits for a row as well is none before everybody stands still', () => {
  const { circles, verdict } = watched(function* (c) {
    if (c.tid === 0) yield c.ssync_peer(1);
    else if (c.tid < 8) yield c.ssync_row();
    else yield c.compute(long);
  });

  expect([circles, verdict]).toEqual([[], 'deadlock']);
});

describe('nothing is told of programs in which everybody is let go on', () => {
  const turns: CpeProgram = function* (c) {
    for (let turn = 0; turn < 4; turn++) {
      yield c.ssync_peer(c.tid ^ 1);
      yield c.smutex_lock_array();
      yield c.compute(50);
      yield c.smutex_unlock_array();
      yield c.ssync_peer(c.tid ^ 2);
      yield c.smutex_lock_row();
      yield c.smutex_unlock_row();
      if (c.tid < 2) yield c.ssync_master_spe();
      yield c.ssync_master_array();
      yield c.ssync_peer(c.tid ^ 4);
    }
  };
  const host: MpeProgram = function* (h) {
    yield h.init();
    yield h.athread_spawn(turns, 0);
    for (let turn = 0; turn < 4; turn++) {
      yield h.sync_master_spe(turn % 2);
      yield h.sync_master_spe(1 - (turn % 2));
      yield h.sync_master_array();
    }
    yield h.athread_join();
  };

  test.each([1, 2, 3, 4, 5, 6])('pairs, locks and host in turns, schedule %d', (seed) => {
    const { circles, verdict } = watched(turns, { host, seed });

    expect([circles, verdict]).toEqual([[], 'ok']);
  });
});
