import { describe, expect, test } from 'vitest';
import type { HostContext } from '../../actors/chiplet/gpu/host-context.ts';
import type { HostAnswer, HostProgram } from '../../actors/chiplet/gpu/host-operations.ts';
import type { MailboxContext } from '../../actors/chiplet/gpu/mailbox.ts';
import { Run } from '../../kernel/run.ts';
import { chipletName } from './gpu-chiplet.ts';
import { gpuProgram, gpus, left, productOf, right, width, wired } from './testing/sample-system.ts';

describe('one CPU chiplet and three GPU chiplets', () => {
  const sums: number[] = [];
  const cpu: HostProgram = function* () {
    const a = (yield { op: 'loadInts', file: 'left', from: 0, to: width * width }) as readonly number[];
    const b = (yield { op: 'loadInts', file: 'right', from: 0, to: width * width }) as readonly number[];
    for (const to of gpus) yield { op: 'send', to, values: a };
    for (const to of gpus) yield { op: 'send', to, values: b };
    let sum: readonly number[] = a.map(() => 0);
    for (const from of gpus) {
      const part = (yield { op: 'receive', from, count: width * width }) as readonly number[];
      sum = sum.map((one, at) => one + part[at]!);
      yield { op: 'compute', instructions: width * width };
    }
    const cycle: HostAnswer = yield { op: 'now' };
    sums.splice(0, sums.length, ...sum, cycle as number);
  };

  test.each(['queue', 'indexed'] as const)('multiply matrices over messages (%s)', (mode) => {
    // By index, a second readMessage reads the same values again, as the sample program does.
    const { run, main, others, contextOf } = wired(cpu, gpuProgram, mode);

    expect(run.toEnd().verdict).toBe('ok');
    const factor = productOf(left, mode === 'queue' ? right : left);
    expect(sums.slice(0, -1)).toEqual(factor.map((one) => 3 * one));
    const { trace, store } = contextOf<MailboxContext>(main.mailbox);
    expect(trace).toHaveLength(6 * width * width);
    expect(trace.every(({ cycle }, at) => at === 0 || cycle > trace[at - 1]!.cycle)).toBe(true);
    expect(store.unread).toEqual([]);
    expect(contextOf<MailboxContext>(others[0]!.mailbox).store.unread).toEqual(
      mode === 'queue' ? [] : [{ source: [0, 0], count: width * width }],
    );
    const { reports } = contextOf<HostContext>(others[2]!.host);
    expect(reports.map(({ kernel }) => kernel)).toEqual(['read', 'read', 'product', 'pass']);
    expect(
      reports.map(({ statistics: { counts } }) => [counts.messagesReceived, counts.messagesSent]),
    ).toEqual([
      [36, 0],
      [36, 0],
      [0, 0],
      [0, 36],
    ]);
  });

  test.each([60, 300, 700, 1200])('go on from a snapshot in tick %i as if they had never stopped', (tick) => {
    const straight = wired(cpu, gpuProgram);
    straight.run.toEnd();
    const expected = [...sums];
    const broken = wired(cpu, gpuProgram);
    broken.run.until(tick);
    expect(broken.run.ended).toBe(false);
    const snapshot = broken.run.snapshot();
    broken.run.toEnd();
    sums.length = 0;

    const again = Run.restore(wired(cpu, gpuProgram).wiring, snapshot);
    expect(again.toEnd()).toEqual(straight.run.outcome);
    expect(sums).toEqual(expected);
  });

  test('says who waits for what when a message never comes', () => {
    const silent: HostProgram = function* () {
      yield { op: 'send', to: [1, 1], values: left };
    };
    const { run } = wired(silent, gpuProgram);
    const { verdict, deadlock } = run.toEnd();

    expect(verdict).toBe('deadlock');
    const waiting = deadlock!.waiting.map(({ actor, waitsFor }) => `${actor} waits for ${waitsFor}`);
    expect(waiting).toContain(`${chipletName([1, 1])}.Mailbox waits for messages of other chiplets`);
    expect(waiting).toContain(`${chipletName([0, 1])}.Host waits for the end of a kernel`);
  });
});
