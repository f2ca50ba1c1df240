import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hashOf } from '../kernel/hash.ts';
import { Run } from '../kernel/run.ts';
import { effort } from '../kernel/testing/effort.ts';
import { assembled } from '../machines/machine.ts';
import { machines } from '../manifests/machines.ts';
import { givenOf } from './given.ts';
import { parseScenario } from './load.ts';

/*
 * Machines that hand over what they post as it is (`Wiring.zeroCopy`) never change it: with copies of everything they do the same. The scenarios that are shipped, up to so many ticks.
 */

const ticksMax = effort({ short: 200, long: 20_000 });
const files = ['cell', 'sunway', 'tca', 'grape', 'chiplet'].flatMap((family) =>
  readdirSync(new URL(`${family}/`, import.meta.url))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${family}/${name}`),
);

test.each(files)('%s', async (name) => {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const { scenario, machine } = await parseScenario(readFileSync(file, 'utf8'), file, machines);
  const [handedOver, copied] = [true, false].map((zeroCopy) => {
    const { wiring } = assembled(machine, givenOf(scenario, false));
    expect(wiring.zeroCopy).toBe(true);
    wiring.zeroCopy = zeroCopy;
    const run = new Run(wiring);
    run.until(ticksMax);
    const parts = run.parts.map(({ name, context }) => [name, hashOf(withoutEnvelopes(context))]);
    const underWay = run.pending.map(({ due, from, to, event }) => [
      due,
      from,
      to,
      hashOf(withoutEnvelopes(event)),
    ]);
    return [run.outcome, parts, underWay];
  });

  expect(copied).toEqual(handedOver);
});

/** Data without the envelopes of messages, which stay in those that are handed over, where nobody looks at them. */
function withoutEnvelopes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEnvelopes);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const isMessage = 'type' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isMessage || (key !== 'to' && key !== 'delay'))
      .map(([key, one]) => [key, withoutEnvelopes(one)]),
  );
}
