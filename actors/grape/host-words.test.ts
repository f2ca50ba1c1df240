import { expect, test } from 'vitest';
import { wordsOfRecord } from './host-words.ts';
import type { Variable } from './program.ts';

test.each(['toString', 'constructor', '__proto__', 'valueOf'])(
  'a variable named %s is 0 where a record does not have it, and what a record says where it does',
  (name) => {
    const variable = { name, transfer: { conv: 'flt64to72' } } as unknown as Variable;
    const given = Object.fromEntries([[name, 1.5]]);

    expect(wordsOfRecord([variable], {})).toEqual([0n]);
    expect(wordsOfRecord([variable], given)).toEqual(wordsOfRecord([{ ...variable, name: 'x' }], { x: 1.5 }));
  },
);
