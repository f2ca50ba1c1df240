import { everySchedule, schedules } from 'lockstep/testing';
import 'lockstep/testing/vitest';
import { expect, test } from 'vitest';
import { lockServer } from './machine.ts';

test('at most one client works, and whoever asks gets the lock, under every schedule', async () => {
  await everySchedule(lockServer, { config: { clients: 3 }, states: 720 });
});

test('so it is in random runs of scenarios that the machine generates', async () => {
  await schedules(lockServer, { generate: true, runs: 50 });
});

test('every run comes to rest', async () => {
  await expect(lockServer).toReachRest();
});

test('a server with a planted fault is found', async () => {
  await expect(lockServer).not.toHold({ mutants: ['hasty-server'] });
});
