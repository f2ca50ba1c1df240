import { describe, expect, test } from 'vitest';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { sharedRegister } from './register.ts';
import { statesByBruteForce } from './testing/by-brute-force.ts';

const wired = (clients: number, copies: number, writes: number, reads: number): Wiring =>
  sharedRegister.assemble({
    name: '',
    config: { clients, copies, writes, reads },
    programs: [],
    mutants: [],
    scheduled: true,
  }).wiring;

describe('a shared register', () => {
  // Stateright's example of the same name has another network and other clients: its 93 states are not these.
  test.each([
    [1, 1, 1, 1, 4],
    [2, 1, 1, 1, 14],
    [2, 2, 1, 1, 10],
    [3, 1, 1, 1, 56],
    [2, 1, 2, 2, 42],
  ])(
    'of %i clients and %i copies, %i writes and %i reads each, has %i states',
    (clients, copies, writes, reads, states) => {
      const explored = new Explorer(() => wired(clients, copies, writes, reads)).toEnd();

      expect(explored).toMatchObject({ verdict: 'ok', states });
      expect(statesByBruteForce(wired(clients, copies, writes, reads)).size).toBe(states);
    },
  );

  test('gives each client values of its own to write', () => {
    const written = new Explorer(() => wired(3, 1, 2, 0));
    written.toEnd();

    const values = new Set<number>();
    for (const { messages } of written.states())
      for (const { event } of messages) expect(event.type).not.toBe('register.write');
    for (const { actors } of written.states())
      values.add((actors.find(({ name }) => name === 'Register[0]')!.context as { value: number }).value);

    expect([...values].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});
