import { expect, test } from 'vitest';
import { machineNamed, machines } from './machines.ts';

test.each(machines)('$name is listed under the name that the machine gives itself', async (entry) => {
  expect((await entry.load()).name).toBe(entry.name);
});

test('there is no machine of an unknown name', () => {
  expect(machineNamed('abacus')).toBeUndefined();
});
