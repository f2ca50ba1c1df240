import type { MultiPaxosContext } from '../../actors/protocols/multi-paxos.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import { always, reachable } from '../temporal/safety.ts';

/** The servers that are up. */
const serversIn = (state: GlobalState) =>
  state.named<MultiPaxosContext>('Server[*]').filter((one) => one.state !== 'crashed');

/** Agreement. */
export const slotsAgree = always('servers agree on what is chosen for a slot', (state) => {
  const known = new Map<number, { readonly name: string; readonly value: number }>();
  for (const { name, context } of serversIn(state))
    for (const [slot, value] of context.chosen.entries()) {
      const other = known.get(slot);
      if (value !== -1 && other && other.value !== value)
        return `${other.name} has ${other.value} in slot ${slot}, and ${name} ${value}`;
      if (value !== -1) known.set(slot, { name, value });
    }
  return true;
});

/** What is chosen stays: whoever leads later on proposes it again. */
export const leadersKeepChosen = always('who leads in a later ballot has what was chosen before', (state) => {
  const servers = serversIn(state);
  for (const leader of servers.filter((one) => one.state === 'leading'))
    for (const { name, context } of servers)
      for (const [slot, value] of context.chosen.entries())
        if (
          value !== -1 &&
          context.ballot <= leader.context.ballot &&
          leader.context.log[slot]?.value !== value
        )
          return `${leader.name} leads without ${value} in slot ${slot}, which ${name} knows to be chosen`;
  return true;
});

/** Something is chosen at all. */
export const commandIsChosen = reachable('a command is chosen', (state) =>
  serversIn(state).some(({ context }) => context.chosen.some((value) => value > 0)),
);
