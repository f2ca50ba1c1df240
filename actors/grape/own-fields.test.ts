import { expect, test } from 'vitest';
import { fieldsNotIn } from '../../kernel/testing/own-fields.ts';
import { BroadcastMemory } from './block/broadcast-memory.ts';
import { LaneBlock } from './block/lane-block.ts';
import { ReferenceBlock } from './block/reference-block.ts';

/** Classes, and the fields that their hash and their copies leave out: fixed ones, those that follow from others, and those that are handed to the constructor of a copy. */
const classes: readonly (readonly [
  string,
  Parameters<typeof fieldsNotIn>[0],
  readonly string[],
  readonly string[],
])[] = [
  ['BroadcastMemory', BroadcastMemory, ['spec'], []],
  ['LaneBlock', LaneBlock, ['#a', '#b', '#rows'], ['#a', '#b', '#lanes', '#rows']],
  ['ReferenceBlock', ReferenceBlock, ['spec'], []],
];

test.each(classes)(
  '%s tells states apart by all its fields, and copies them, but for these',
  (_name, one, unhashed, uncopied) => {
    expect(fieldsNotIn(one, 'hash')).toEqual(unhashed);
    expect(fieldsNotIn(one, 'fork')).toEqual(uncopied);
  },
);
