import { expect, test } from 'vitest';
import { fixed } from '../../kernel/resource.ts';
import { shared } from '../../kernel/shared.ts';
import { itfValue } from '../../scenarios/exports/itf-value.ts';
import { plain } from './plain.ts';

test('what actors share is shown as the data that it holds, in pages and in ITF', () => {
  const context = { flags: shared({ turn: 0, wants: [true, false] }), table: fixed([1, 2]) };

  expect(plain(context)).toEqual({ flags: { turn: 0, wants: [true, false] }, table: { $: 'a Fixed' } });
  expect(itfValue(context)).toEqual({
    flags: { turn: 0, wants: [true, false] },
    table: { '#unserializable': 'Fixed' },
  });
});
