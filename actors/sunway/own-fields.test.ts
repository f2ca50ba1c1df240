import { expect, test } from 'vitest';
import { fieldsNotIn } from '../../kernel/testing/own-fields.ts';
import { unread } from '../../kernel/testing/unread-fields.ts';
import { DataCache } from './cache/data-cache.ts';
import { LdmAllocator } from './ldm/allocator.ts';

/** Classes, and the fields that their copies do not name: those that are handed to the constructor of a copy, or made anew. */
const classes: readonly (readonly [string, Parameters<typeof fieldsNotIn>[0], readonly string[]])[] = [
  ['LdmAllocator', LdmAllocator, []],
  ['DataCache', DataCache, ['sets']],
];

test.each(classes)(
  '%s tells states apart by all its fields with a reason for the others, and copies them',
  (name, one, uncopied) => {
    expect(fieldsNotIn(one, 'hash')).toEqual(Object.keys(unread[name] ?? {}).sort());
    expect(fieldsNotIn(one, 'fork')).toEqual(uncopied);
  },
);
