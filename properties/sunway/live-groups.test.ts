import { describe, expect, test } from 'vitest';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { trial } from './trial.ts';

/* Who meets at the barriers of a node: the live host processes and the arrays of the live core groups (Sunway specification 5.3, 6.2). */

const three = { cgs: 3, cpesPerCg: 4 };
const lateCycles = 50_000;

/** Group 2 comes late to the barrier of all arrays, the others at once; CPE 0 of each tells when it has gone on. */
const meeting: CpeProgram = function* (c) {
  yield c.compute(c.cgn === 2 ? lateCycles : 100);
  yield c.ssync_node();
  if (c.tid === 0) yield c.tell('on', yield c.stime_cycle());
};
const spawns: MpeProgram = function* (h) {
  yield h.init();
  yield h.athread_spawn(meeting);
};
const joins: MpeProgram = function* (h) {
  yield* spawns(h);
  yield h.athread_join();
};

/** When CPE 0 of each core group has gone on; undefined where it never did. */
function wentOn(hosts: readonly MpeProgram[], config: object = {}) {
  const { run, result } = trial(hosts, { ...three, ...config });
  expect(run.outcome.verdict).toBe('ok');
  return result.told.map((told) => told['CPE 0: on'] as number | undefined);
}

describe('the barrier of all arrays', () => {
  /** The cycle in which CPE 0 of group 0 comes to the word of the node, when all goes well. */
  function arrival(): number {
    let came = -1;
    trial([joins, joins, joins], three, {}, (run) =>
      run.messages$.subscribe(({ message: { event, due } }) => {
        if (event.type === 'node.add' && (event as unknown as { core: number }).core === 0) came = due;
      }),
    );
    return came;
  }

  test.each([-2, -1, 0, 1, 1_000])(
    'waits for the live ones where a host is killed %i cycles after its array has come',
    (later) => {
      const on = wentOn([joins, joins, joins], { job: { kill: [{ cgn: 0, at: arrival() + later }] } });

      expect(on[0]).toBeUndefined();
      for (const cycle of on.slice(1)) expect(cycle).toBeGreaterThan(lateCycles);
    },
  );

  test('waits for the live ones where an array is halted while it waits there', () => {
    const halts: MpeProgram = function* (h) {
      yield* spawns(h);
      yield h.compute(20_000);
      yield h.athread_halt();
    };

    const on = wentOn([halts, joins, joins]);

    expect(on[0]).toBeUndefined();
    for (const cycle of on.slice(1)) expect(cycle).toBeGreaterThan(lateCycles);
  });

  test('waits for threads that go on when their host has ended, and not for an array without any', () => {
    const threads = wentOn([spawns, joins, joins]);
    const none = wentOn([function* () {}, joins, joins]);

    for (const cycle of threads) expect(cycle).toBeGreaterThan(lateCycles);
    expect(none[0]).toBeUndefined();
    for (const cycle of none.slice(1)) expect(cycle).toBeGreaterThan(lateCycles);
  });

  test('opens when the threads of a host that has ended are over', () => {
    const one: MpeProgram = function* (h) {
      yield h.init();
      yield h.athread_spawn(function* (c) {
        yield c.compute(2 * lateCycles);
      });
    };

    const on = wentOn([one, joins, joins]);

    for (const cycle of on.slice(1)) expect(cycle).toBeGreaterThan(2 * lateCycles);
  });
});

test('the barrier of all hosts waits for the live ones where one is killed that waits there', () => {
  const meets: MpeProgram = function* (h) {
    yield h.init();
    yield h.compute(h.cgn === 2 ? lateCycles : 100);
    yield h.sync_node();
    yield h.tell('on', yield h.time_cycle());
  };

  const { run, result } = trial([meets, meets, meets], { ...three, job: { kill: [{ cgn: 0, at: 20_000 }] } });

  const on = result.told.map((told) => told['on']);
  expect(run.outcome.verdict).toBe('ok');
  expect(on[0]).toBeUndefined();
  expect(on[1]).toBeGreaterThan(lateCycles);
});
