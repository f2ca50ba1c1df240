import { expect, test } from 'vitest';
import { eventWords, otherFields } from './message-words.ts';

const word = { type: 'out.word', word: 0x410df11b6db6db6d80n, bits: [-(2n ** 60n)], index: 5n };

test('long words are hexadecimal digits, as findings show them; short ones stay decimal', () => {
  expect(eventWords(word)).toBe('out.word word=0x410df11b6db6db6d80 bits=["-0x1000000000000000"] index=5');
});

test('fields that differ are shown in the same way', () => {
  expect(otherFields(word, { ...word, word: 0n } as typeof word)).toBe('word=0x410df11b6db6db6d80');
});
