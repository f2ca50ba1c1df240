import { expect, test } from 'vitest';
import { fieldsNotIn } from '../../kernel/testing/own-fields.ts';
import { unread } from '../../kernel/testing/unread-fields.ts';
import { BroadcastMemory } from './block/broadcast-memory.ts';
import { LaneBlock } from './block/lane-block.ts';
import { ReferenceBlock } from './block/reference-block.ts';

/** Classes, and the fields that their copies do not name: those that are handed to the constructor of a copy, or made anew. */
const classes: readonly (readonly [string, Parameters<typeof fieldsNotIn>[0], readonly string[]])[] = [
  ['BroadcastMemory', BroadcastMemory, []],
  ['LaneBlock', LaneBlock, ['#a', '#b', '#lanes', '#rows']],
  ['ReferenceBlock', ReferenceBlock, []],
];

test.each(classes)(
  '%s tells states apart by all its fields with a reason for the others, and copies them',
  (name, one, uncopied) => {
    expect(fieldsNotIn(one, 'hash')).toEqual(Object.keys(unread[name] ?? {}).sort());
    expect(fieldsNotIn(one, 'fork')).toEqual(uncopied);
  },
);
