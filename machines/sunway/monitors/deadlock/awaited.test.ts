import { expect, test } from 'vitest';
import { sunwayConfig } from '../../config.ts';
import { cpeCore, mpeCore } from '../race/race-event.ts';
import { hostAwaits, lockName, meetingOfWord } from './awaited.ts';

test.each([
  ['array', cpeCore(5, 0), 'array'],
  ['array', cpeCore(5, 1), 'array of CG 1'],
  ['7', mpeCore(3), '7 of CG 3'],
  // What everybody shares has one name, whoever asks.
  ['node', cpeCore(0, 2), 'node'],
  ['hosts', mpeCore(2), 'hosts'],
  ['word 4096', cpeCore(63, 2), 'word 4096'],
])('the lock %s of core %i is called %s', (key, core, name) => {
  expect(lockName(core, key)).toBe(name);
});

test.each([
  ['athread_join', {}, { op: 'threads', tids: Array.from({ length: 64 }, (_, tid) => tid) }],
  ['athread_wait', { tid: 9 }, { op: 'threads', tids: [9] }],
  ['sync_master_spe', { id: 9 }, { op: 'meet', word: 'spe 2 9', cycles: 0 }],
  ['sync_master_array', {}, { op: 'meet', word: 'array 2', cycles: 0 }],
  ['sync_node', {}, { op: 'meet', word: 'hosts', cycles: 0 }],
  ['mutex_lock', { key: 64 }, { op: 'lock', key: 'word 64' }],
  ['mutex_lock_node', { key: 'node' }, { op: 'lock', key: 'hosts' }],
  ['mutex_unlock', { key: 64 }, undefined],
])('a host in %s %j waits for %j', (name, given, awaited) => {
  expect(hostAwaits(mpeCore(2), name, given)).toEqual(awaited);
});

test.each([
  ['spe 1 5', [cpeCore(5, 1), mpeCore(1)]],
  ['array 1', [cpeCore(0, 1), mpeCore(1)]],
  ['hosts', [mpeCore(0), mpeCore(1), mpeCore(2)]],
  ['node', [cpeCore(0, 0), cpeCore(0, 1), cpeCore(0, 2)]],
])('the parties of the word %s', (word, members) => {
  expect(meetingOfWord(sunwayConfig.parse({ cgs: 3 }), word).members).toEqual(members);
});
