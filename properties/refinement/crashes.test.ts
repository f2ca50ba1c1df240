import { expect, test } from 'vitest';
import { type AnyEventObject, setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { checkTrace } from './check-trace.ts';

const { act } = component<object, AnyEventObject>();
const teller = setup({
  actions: {
    tell: act((_me, _event, out) => {
      out.probe({ type: 'one' });
      out.probe({ type: 'two' });
    }),
  },
}).createMachine({ id: 'teller', context: {}, initial: 'on', entry: 'tell', states: { on: {} } });

/** One who says one and two whenever it starts, and may crash and come back. */
const wired = (): Wiring => {
  const wiring = new Wiring({ crashes: { max: 1, recover: true } });
  wiring.place(wiring.reserve('A'), teller, undefined);
  return wiring;
};

test.each([
  ['one two', 'ok'],
  ['one two one two', 'ok'],
  ['one one two two', 'refused'],
  ['one two two one', 'refused'],
  ['one one two one two two', 'refused'],
])('an actor that comes back says what it says behind what it said before: %s is %s', (log, verdict) => {
  const lines = log.split(' ').map((event) => ({ at: 'A', event }));
  for (const interleaved of [false, true])
    expect(checkTrace(wired, lines, { interleaved }).verdict).toBe(verdict);
});
