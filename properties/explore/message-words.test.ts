import { expect, test } from 'vitest';
import type { Message } from '../../kernel/message.ts';
import { eventWords, messageWords, otherFields, shortNames } from './message-words.ts';

const word = { type: 'out.word', word: 0x410df11b6db6db6d80n, bits: [-(2n ** 60n)], index: 5n };

test('long words are hexadecimal digits, as findings show them; short ones stay decimal', () => {
  expect(eventWords(word)).toBe('out.word word=0x410df11b6db6db6d80 bits=[-0x1000000000000000] index=5');
});

test('a record tells what was done and how it ended before long data, which are told as how much there is', () => {
  const message = {
    seq: 1,
    cause: 0,
    from: 0,
    to: 1,
    due: 3,
    timer: false,
    event: {
      type: 'call.return',
      answer: { rows: [1, 2, 3, 4, 5, 6, 7, 8, 9], handler: 300, status: 'BAD_ARG' },
    },
  } as unknown as Message;

  expect(messageWords(message)).toBe('call.return answer={status=BAD_ARG rows=9 values handler=300}');
  expect(messageWords(message, 40)).toBe('call.return answer={status=BAD_ARG rows…');
  expect(messageWords(message, 20)).toBe('call.return …');
});

test('names are short by what all of them begin with, be there none', () => {
  expect(shortNames([])('A.b')).toBe('A.b');
  expect(shortNames(['world'])('world')).toBe('world');
  expect(shortNames(['A.b', 'A.c.d'])('A.c.d')).toBe('c.d');
});

test('fields that differ are shown in the same way', () => {
  expect(otherFields(word, { ...word, word: 0n } as typeof word)).toBe('word=0x410df11b6db6db6d80');
});
