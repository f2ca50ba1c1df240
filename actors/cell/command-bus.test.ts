import { expect, test } from 'vitest';
import { contractOf } from '../../kernel/contract.ts';
import { cycles } from '../../kernel/cycle-picture.ts';
import { traceCompiled } from '../../kernel/equivalence.ts';
import { commandBus } from './command-bus.ts';
import { cellProtocol } from './protocol.ts';

const modules = [10, 11, 12];

for (const { sentence, failures } of contractOf('command bus', {
  machine: commandBus,
  input: () => ({ modules }),
  speaks: cellProtocol.roles.Bus,
})) {
  test(sentence, () => expect(failures()).toEqual([]));
}

test('the bus has one holder at a time, and serves those who wait in order (Cell specification 7)', () => {
  cycles(
    commandBus,
    { modules },
    `
    cycle         0   1  2  3  4
    bus.acquire   abc .  .  .  .   a = spu 2; b = spu 0; c = spu 1
    bus.command   .   a  b  c  .   a = spu 2, dest 1, cmd put, t 1; b = spu 0, dest 2, cmd get, t 2; c = spu 1, dest 1, cmd put, t 3
    bus.release   .   a  b  c  .   a = spu 2, t 1; b = spu 0, t 2; c = spu 1, t 3
    state         c   .  h  f  .   c = contended, h = held, f = free
    bus.granted   a   b  c  .  .   a = to 12; b = to 10; c = to 11
    bus.released  .   a  b  c  .   a = to 12; b = to 10; c = to 11
    CMD           .   a  b  c  .   a = spu 2, dest 1, cmd put, q 1; b = spu 0, dest 2, cmd get, q 4; c = spu 1, dest 1, cmd put, q 7
    BUS           .   a  b  c  .   a = spu 2, in 0, out 2; b = spu 0, in 3, out 5; c = spu 1, in 6, out 8
    report        .   .  .  .  .
  `,
  );
});

test('whoever uses the bus without holding it is reported, and changes nothing (Cell specification 15.5)', () => {
  cycles(
    commandBus,
    { modules },
    `
    cycle         0  1  2  3
    bus.command   a  .  b  .   a = spu 0, dest 1, cmd put, t 0; b = spu 1, dest 0, cmd put, t 2
    bus.acquire   .  a  .  .   a = spu 0
    bus.release   a  .  b  c   a = spu 0, t 0; b = spu 1, t 2; c = spu 0, t 3
    state         f  h  .  f   h = held, f = free
    bus.granted   .  a  .  .   a = to 10
    bus.released  .  .  .  a   a = to 10
    CMD           .  .  .  .
    report        ab .  cd .   a = why bus.command by module 0 while nobody holds the bus; b = why bus.release by module 0 while nobody holds the bus; c = why bus.command by module 1 while module 0 holds the bus; d = why bus.release by module 1 while module 0 holds the bus
  `,
  );
});

test.each([
  [0, 11],
  [1, 10],
  [2, 13],
])('in a schedule, the next holder is the one of pick %i', (pick, next) => {
  const acquire = (spu: number) => ({ type: 'bus.acquire', spu });
  const { steps } = traceCompiled(
    commandBus,
    { modules: [10, 11, 12, 13] },
    [acquire(2), acquire(1), acquire(0), acquire(3), { type: 'bus.release', spu: 2, t: 0 } as never],
    [pick],
  );

  expect(steps.at(-1)!.out).toContainEqual(['post', { to: next, type: 'bus.granted' }]);
});
