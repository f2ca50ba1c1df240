import { expect, test } from 'vitest';
import { fieldsNotIn } from '../../kernel/testing/own-fields.ts';
import { unread } from '../../kernel/testing/unread-fields.ts';
import { LocalStores } from './burst/local-stores.ts';
import { Roster } from './burst/roster.ts';
import { CommandLine } from './eib/command-line.ts';
import { MfcQueue } from './eib/mfc-queue.ts';
import { RingScheduler } from './eib/ring-scheduler.ts';
import { RoundRobin } from './eib/round-robin.ts';
import { ArbitrationScheduler } from './fast/arbitration-scheduler.ts';
import { GeneratorProgram, SaturateProgram, TimedProgram } from './program.ts';
import { RequestTable } from './request-table.ts';

/** Classes, and the fields that their copies do not name: those that are handed to the constructor of a copy, or made anew. */
const classes: readonly (readonly [string, Parameters<typeof fieldsNotIn>[0], readonly string[]])[] = [
  ['RequestTable', RequestTable, ['#spans']],
  ['GeneratorProgram', GeneratorProgram, []],
  ['TimedProgram', TimedProgram, []],
  ['SaturateProgram', SaturateProgram, ['#idle']],
  ['LocalStores', LocalStores, []],
  ['Roster', Roster, []],
  ['ArbitrationScheduler', ArbitrationScheduler, ['policy']],
  ['CommandLine', CommandLine, []],
  ['RoundRobin', RoundRobin, ['#first']],
  ['RingScheduler', RingScheduler, ['#shared']],
  ['MfcQueue', MfcQueue, []],
];

test.each(classes)(
  '%s tells states apart by all its fields with a reason for the others, and copies them',
  (name, one, uncopied) => {
    expect(fieldsNotIn(one, 'hash')).toEqual(Object.keys(unread[name] ?? {}).sort());
    expect(fieldsNotIn(one, 'fork')).toEqual(uncopied);
  },
);
