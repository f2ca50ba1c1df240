import { describe, expect, test } from 'vitest';
import { caseFault, drawsOf, toldCase, toldCaseKinds } from './told-cases.ts';

const kinds = Array.from({ length: toldCaseKinds }, (_, kind) => kind);

test.each(kinds)('cases of the kind %i leave and say what is told of them', (kind) => {
  for (let at = 0; at < 25; at++) {
    const number = kind + toldCaseKinds * at;
    expect(caseFault(toldCase(kind, drawsOf(number)), at)).toBeUndefined();
  }
});

describe('what a case does otherwise is told', () => {
  test.each([
    [{ leaves: [[5]] }, 'word 0 of thread 0 is 7, not 5'],
    [{ buffer: ['more', [1, 3]] as const }, 'the buffer is [1,2], not [1,3]'],
    [
      { prints: ['a'] },
      'with the timing default and an actor for each core: what is printed is [], not ["a"]',
    ],
    [{ sent: [{}] }, 'what is sent is [], not [{}]'],
    [{ refused: 'E-TRAP' }, 'found no error, expected E-TRAP'],
    [{ body: 'trap;' }, 'found E-TRAP found the end of all work'],
    [{ body: 'trap;', refused: 'E-TRAP', thread: 1 }, 'expected E-TRAP, thread 1'],
  ])('%j', (change, why) => {
    const sound = { body: 'mov.u32 %r0, 7;', rows: [[0]], leaves: [[7]] };
    const given = { given: { buffers: { more: { type: 'u32' as const, data: [1, 2] } } } };

    expect(caseFault({ ...sound, ...given })).toBeUndefined();
    expect(caseFault({ ...sound, ...given, ...change })).toContain(why);
  });
});
