import { config, filter, map, type Observable, Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { KernelError } from './errors.ts';
import { component } from './kit.ts';
import type { Address } from './message.ts';
import { Run, type RunOptions } from './run.ts';
import { emit } from './stream.ts';
import { Wiring } from './wiring.ts';

type Tick = { readonly type: 'clock.tick' };
const { choose, post, probe, report } = component<{ self: Address; left: number }, Tick>();

/** Shows, picks, reports and goes on four times. */
const clock = setup({
  types: {} as { context: { self: Address; left: number }; events: Tick; input: { self: Address } },
  actions: {
    count: choose('how many', 2, (c) => {
      c.left--;
    }),
    show: probe(() => ({ type: 'clock.shown' })),
    complain: report((c) =>
      c.left === 1 ? { property: 'clocks go on', why: 'one tick is left' } : undefined,
    ),
    goOn: post((c) => (c.left > 0 ? { to: c.self, type: 'clock.tick', delay: 1 } : undefined)),
  },
}).createMachine({
  id: 'clock',
  context: ({ input }) => ({ self: input.self, left: 4 }),
  initial: 'going',
  states: { going: { on: { 'clock.tick': { actions: ['count', 'show', 'complain', 'goOn'] } } } },
});

function runOf(options: RunOptions = {}): Run {
  const wiring = new Wiring();
  const self = wiring.reserve('Clock');
  wiring.place(self, clock, { self });
  wiring.begin({ to: self, type: 'clock.tick' });
  return new Run(wiring, options);
}

const fail = (): never => {
  throw new Error('a hole in the paper');
};

describe.each(['compiled', 'xstate'] as const)('an observer that throws, with the engine %s', (engine) => {
  test.each(['messages$', 'ticks$', 'violations$', 'reports$', 'probes$', 'picks$'] as const)(
    'of %s fails the run in its tick',
    (name) => {
      const run = runOf({ engine });
      let seen = 0;
      (run[name] as Observable<unknown>).pipe(map((one) => one)).subscribe(() => {
        seen++;
        if (name === 'violations$' || name === 'reports$' || seen === 2) fail();
      });

      const { verdict, failure } = run.toEnd();

      expect(verdict).toBe('error');
      expect(failure?.error).toBeInstanceOf(KernelError);
      expect(failure?.message).toMatch(
        new RegExp(
          `^KRN014 ${name.replace('$', '\\$')} at tick [12]: an observer threw: a hole in the paper\\n  help: `,
        ),
      );
      expect(run.ended).toBe(true);
    },
  );
});

test('an operator that throws and has nobody for its errors fails the run as well', () => {
  const run = runOf();
  run.messages$.pipe(filter(fail)).subscribe();

  expect(run.toEnd().failure?.message).toContain('KRN014 messages$ at tick 0');
});

test('an operator whose errors somebody takes does not', () => {
  const run = runOf();
  const errors: unknown[] = [];
  run.messages$.pipe(filter(fail)).subscribe({ error: (error) => errors.push(error) });

  expect(run.toEnd().verdict).toBe('violated');
  expect(errors).toHaveLength(1);
});

test('the setting of RxJS is what it was, also behind an error', () => {
  const before = config.useDeprecatedSynchronousErrorHandling;
  const stream = new Subject<number>();
  stream.subscribe(fail);

  expect(() => emit(stream, 'numbers$', 3, 1)).toThrow('KRN014 numbers$ at tick 3: an observer threw');
  expect(config.useDeprecatedSynchronousErrorHandling).toBe(before);
});
