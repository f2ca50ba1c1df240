import { expect, test } from 'vitest';
import type { Mailbox } from './mailbox.ts';
import { Team } from './team.ts';

test('a rank that a team does not have is told, whoever sends to it or waits for it', () => {
  const team = new Team({} as Mailbox, 1, [4, 2, 7], 1);

  expect([0, 1, 2].map((rank) => team.jobRankOf(rank))).toEqual([4, 2, 7]);
  for (const call of [
    () => team.jobRankOf(3),
    () => team.send(3, 0, 0, new Uint8Array(0)),
    () => team.receive(-1, 0, 0),
  ])
    expect(call).toThrow(/found rank (3|-1) in a team of 3: expected one of 0 to 2/);
});
