import { describe, expect, test } from 'vitest';
import type { CpeProgram, MpeProgram, SignalHandler } from '../../actors/sunway/program.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { bytesOfHex } from '../../machines/sunway/file-digits.ts';
import { trial } from './trial.ts';

const small = { cpesPerCg: 4, fidelity: 'functional' } as const;

const textWords = (told: unknown): readonly string[] => String(told).split(' ');
const textOf = (digits: string | undefined): string => String.fromCharCode(...bytesOfHex(digits ?? ''));

describe('signals of CPEs', () => {
  const sendAll: CpeProgram = function* (c, first) {
    yield c.ssig_host(first + 8 * c.tid);
  };

  test('none is lost, those of one cycle are handled by tid, and the handler runs while the host waits for its threads', () => {
    const host: MpeProgram = function* (h) {
      const seen: number[] = [];
      const handler: SignalHandler = function* (_h, content) {
        seen.push(content);
        yield h.compute(10);
      };
      yield h.init();
      yield h.sig_user_init(handler);
      const base = h.memAlloc(64);
      yield h.athread_spawn(function* (c, first) {
        yield* sendAll(c, first);
        yield c.compute(3000);
      }, base);
      yield h.athread_join();
      yield h.tell('seen', seen.map((one) => (one - base) / 8).join(' '));
    };

    for (let seed = 0; seed < 20; seed++) {
      const { run, told } = trial(host, small, { choices: new RandomChoices(seed) });

      expect(run.outcome.verdict).toBe('ok');
      expect(told['seen']).toBe('0 1 2 3');
    }
  });

  test('those before the registration stay queued', () => {
    const host: MpeProgram = function* (h) {
      const seen: number[] = [];
      yield h.init();
      yield h.athread_spawn(sendAll, 1000);
      yield h.athread_join();
      yield h.compute(50);
      seen.push(-1);
      yield h.sig_user_init(function* (_h, content) {
        seen.push(content);
        yield h.compute(1);
      });
      yield h.tell('seen', seen.join(' '));
    };

    expect(trial(host, small).told['seen']).toBe('-1 1000 1008 1016 1024');
  });

  test('a handler shares the memory of its program, and is under way while a lock that was asked for comes', () => {
    const host: MpeProgram = function* (h) {
      const order: string[] = [];
      yield h.init();
      const own = h.memAlloc(64);
      if (h.cgn === 1) {
        yield h.mutex_lock_node();
        yield h.compute(4000);
        yield h.mutex_unlock_node();
        return;
      }
      yield h.sig_user_init(function* (within) {
        const more = within.memAlloc(64);
        order.push(more >= own + 64 ? 'apart' : 'overlap');
        yield within.compute(9000);
        order.push('handled');
      });
      yield h.compute(100);
      yield h.athread_create(0, sendAll, 8);
      const code = yield h.mutex_lock_node();
      order.push(`lock ${code}`);
      yield h.mutex_unlock_node();
      yield h.athread_wait(0);
      yield h.tell('order', order.join(', '));
    };

    const { run, told } = trial(host, { ...small, cgs: 2 });

    expect(run.outcome.verdict).toBe('ok');
    expect(told['order']).toBe('apart, handled, lock 0');
  });

  test('reach the handler three cycles after they were sent, and their CPE goes on after two', () => {
    const host: MpeProgram = function* (h) {
      const out = h.memAlloc(16);
      let handled = 0;
      yield h.init();
      yield h.sig_user_init(function* (within) {
        handled = yield within.time_cycle();
      });
      yield h.athread_create(
        0,
        function* (c) {
          const times = c.ldmStatic('times', 16, 8);
          const before = yield c.stime_cycle();
          yield c.ssig_host(0);
          const after = yield c.stime_cycle();
          yield c.st(times, 'f64', before);
          yield c.st(times + 8, 'f64', after);
          yield c.dma_put(out, times, 16);
        },
        out,
      );
      yield h.athread_wait(0);
      const [before, after] = yield* h.ldBlock(out, 'f64', 2);
      yield h.tell('CPE', after! - before!);
      // A host counts in its own cycles, 14 to 15 of a CPE.
      yield h.tell('host', handled - Math.floor((before! * 14) / 15));
    };

    const { told } = trial(host, { ...small, timing: { clk: { cpe: 2250, mpe: 2100 } } });

    expect(told['CPE']).toBe(3);
    expect(told['host']).toBe(3);
  });

  test('a content that is no address is refused', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.athread_create(
        0,
        function* (c) {
          yield c.ssig_host(-4);
        },
        0,
      );
      yield h.athread_wait(0);
    };

    const { outcome } = trial(host, small).run;

    expect(outcome.verdict).toBe('error');
    expect(outcome.violations[0]?.why).toMatch(/E_RANGE from ssig_host/);
  });
});

describe('file output', () => {
  const write = (tid: number, text: string): CpeProgram =>
    function* (c) {
      const line = c.ldmStatic('line', 64);
      yield c.stBlock(
        line,
        Uint8Array.from(text.padEnd(16), (letter) => letter.charCodeAt(0)),
      );
      if (c.tid !== tid) yield c.compute(500 * (c.tid + 1));
      yield c.sio_fwrite('lines.txt', line + 1, text.length - 1);
    };

  test('of several CPEs is appended in the order of arrival, each piece whole, behind what was there', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      yield h.athread_spawn(write(3, '-line;'));
      yield h.athread_join();
    };

    const { result } = trial(host, { ...small, files: { 'lines.txt': '2b' } });

    expect(textOf(result.files['lines.txt'])).toBe('+line;line;line;line;');
  });

  test('takes bytes of main memory from any address, and of an empty range makes an empty file', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      const from = h.memAlloc(16);
      yield h.stBlock(from, Uint8Array.of(65, 66, 67, 68, 69, 70, 71));
      yield h.athread_create(
        0,
        function* (c) {
          yield c.sio_fwrite('odd', from + 1, 5);
          yield c.sio_fwrite('empty', from, 0);
        },
        0,
      );
      yield h.athread_wait(0);
    };

    const { result } = trial(host, small);

    expect(textOf(result.files['odd'])).toBe('BCDEF');
    expect(result.files['empty']).toBe('');
  });

  test.each([
    ['a file without a name', '', 0x2000, 4, 22],
    ['bytes beyond the LDM', 'f', 0x3fff0, 32, 12],
    ['a negative size', 'f', 0x2000, -1, 11],
  ])('%s is refused', (_what, name, src, size, code) => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      const out = h.memAlloc(8);
      yield h.athread_create(
        0,
        function* (c) {
          const told = c.ldmStatic('told', 8, 8);
          yield c.st(told, 'f64', yield c.sio_fwrite(name, src, size));
          yield c.dma_put(out, told, 8);
        },
        0,
      );
      yield h.athread_wait(0);
      yield h.tell('code', yield* h.ld(out, 'f64'));
    };

    const { told, result } = trial(host, { ...small, onError: 'return' });

    expect(told['code']).toBe(code);
    expect(result.files).toEqual({});
  });

  test('is accepted after the way to main memory and back, behind the load of its bytes', () => {
    const host: MpeProgram = function* (h) {
      yield h.init();
      const out = h.memAlloc(8);
      yield h.athread_create(
        0,
        function* (c) {
          const took = c.ldmStatic('took', 8, 8);
          const before = yield c.stime_cycle();
          yield c.sio_fwrite('f', took, 8);
          const after = yield c.stime_cycle();
          yield c.st(took, 'f64', after - before);
          yield c.dma_put(out, took, 8);
        },
        0,
      );
      yield h.athread_wait(0);
      yield h.tell('took', yield* h.ld(out, 'f64'));
    };

    // Own LDM 4, main memory 430, and the cycle of the second look at the clock.
    expect(trial(host, { cpesPerCg: 4 }).told['took']).toBe(435);
  });
});

test('a fetch that is refused looks at the shared counter, also when its host has tasks left', () => {
  const host: MpeProgram = function* (h) {
    yield h.init();
    const times = [yield h.time_cycle()];
    for (const tasks of [8, 0]) {
      yield h.task_fetch('pool', tasks, 2);
      times.push(yield h.time_cycle());
    }
    yield h.tell(
      'spent',
      times
        .slice(1)
        .map((time, k) => time - times[k]!)
        .join(' '),
    );
  };
  const [counter, refused] = textWords(trial(host, small).told['spent']);

  expect(refused).toBe(counter);
});
