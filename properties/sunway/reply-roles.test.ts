import { expect, test } from 'vitest';
import { rmaCalls } from '../../actors/sunway/calls/rma-calls.ts';
import { type LocalReply, type RemoteReply, replyWordAt } from '../../actors/sunway/reply-word.ts';

const local: LocalReply = replyWordAt(0x1000);
const remote: RemoteReply = replyWordAt(0x1004);

test('a word for one side in the place of the other side is an error of compilation', () => {
  const asked = [
    rmaCalls.rma_ibcast(0x2000, 0x2000, local, 64, remote),
    rmaCalls.rma_row_ibcast(0x2000, 0x2000, 64, local, remote),
    // @ts-expect-error: the words have changed places
    rmaCalls.rma_ibcast(0x2000, 0x2000, remote, 64, local),
    // @ts-expect-error: the words have changed places
    rmaCalls.rma_row_ibcast(0x2000, 0x2000, 64, remote, local),
    // @ts-expect-error: the words have changed places
    rmaCalls.rma_iput(0x2000, remote, 64, 1, 0x2000, local),
  ];

  expect(asked.map(({ op }) => op)).toHaveLength(5);
});

test('the order of the array form in the row form, and the other way round, is an error of compilation', () => {
  const word = replyWordAt(0x1000);
  const asked = [
    // @ts-expect-error: the array form has its own word before the length
    rmaCalls.rma_ibcast(0x2000, 0x2000, 64, word, word),
    // @ts-expect-error: the row form has the length before its own word
    rmaCalls.rma_row_ibcast(0x2000, 0x2000, word, 64, word),
  ];

  expect(asked.map(({ op }) => op)).toEqual(['rma_ibcast', 'rma_row_ibcast']);
});
