import { expect, test } from 'vitest';
import { fieldsNotIn } from '../../kernel/testing/own-fields.ts';
import { LocalStores } from './burst/local-stores.ts';
import { Roster } from './burst/roster.ts';
import { CommandLine } from './eib/command-line.ts';
import { MfcQueue } from './eib/mfc-queue.ts';
import { RingScheduler } from './eib/ring-scheduler.ts';
import { RoundRobin } from './eib/round-robin.ts';
import { ArbitrationScheduler } from './fast/arbitration-scheduler.ts';
import { GeneratorProgram, SaturateProgram, TimedProgram } from './program.ts';
import { RequestTable } from './request-table.ts';

/** Classes, and the fields that their hash and their copies leave out: fixed ones, those that follow from others, and those that are handed to the constructor of a copy. */
const classes: readonly (readonly [
  string,
  Parameters<typeof fieldsNotIn>[0],
  readonly string[],
  readonly string[],
])[] = [
  ['RequestTable', RequestTable, ['#firstOpen', '#spans', 'spu'], ['#spans']],
  ['GeneratorProgram', GeneratorProgram, [], []],
  ['TimedProgram', TimedProgram, ['list'], []],
  [
    'SaturateProgram',
    SaturateProgram,
    ['#N', '#idle', '#instruction', '#memSize', '#spec', '#spu'],
    ['#idle'],
  ],
  ['LocalStores', LocalStores, ['#busClock', '#clocks', '#entangled', '#high', '#low'], []],
  ['Roster', Roster, ['#sleepers'], []],
  [
    'ArbitrationScheduler',
    ArbitrationScheduler,
    ['#board', '#changed', '#firstEnd', '#rests', 'policy', 'spec'],
    ['policy'],
  ],
  ['CommandLine', CommandLine, ['#count', 'spec'], []],
  ['RoundRobin', RoundRobin, ['#first', 'spec'], ['#first']],
  ['RingScheduler', RingScheduler, ['#eligibleCount', '#shared', 'spec'], ['#shared']],
  ['MfcQueue', MfcQueue, ['element', 'spec'], []],
];

test.each(classes)(
  '%s tells states apart by all its fields, and copies them, but for these',
  (_name, one, unhashed, uncopied) => {
    expect(fieldsNotIn(one, 'hash')).toEqual(unhashed);
    expect(fieldsNotIn(one, 'fork')).toEqual(uncopied);
  },
);
