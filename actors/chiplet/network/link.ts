import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { togglesOf } from './change.ts';
import { networkProtocol } from './protocol.ts';

/** Fixed numbers of one direction of a link. */
export interface LinkSpec {
  readonly clock: Address;
  /** The router at its end, and the input port there. */
  readonly far: Address;
  readonly farPort: number;
  /** Number of the link, by router and port. */
  readonly link: number;
  /** Cycles on the wire; may be a fraction. */
  readonly delay: number;
  /** Cycles from leaving one router to being seen by the next; 0 where the clock says when a flit arrives. */
  readonly cycles: number;
  /** Cycles from one turn of the router at its end to the next. */
  readonly period: number;
  /** Time after which nothing arrives any more. */
  readonly end: number;
}

/** What a link is made from. */
export interface LinkInput {
  readonly spec: LinkSpec;
}

/** A link: what went over it. */
export interface LinkContext {
  readonly spec: Fixed<LinkSpec>;
  flits: number;
  toggles: number;
}

const role = networkProtocol.roles.Link;
const { act } = role.component<LinkContext>();

/**
 * Cycles until the router at the end may see a flit: one that arrives with a turn misses it, unless it began before the turn was planned (chiplet
 * specification 5.3).
 *
 * Details: a turn is planned in the turn before it, `toPeriod` cycles earlier; of turns in one cycle those that are further apart come first,
 * because they were planned earlier.
 */
export function cyclesOnWire(delay: number, fromPeriod = 1, toPeriod = 1): number {
  if (!Number.isInteger(delay)) return Math.ceil(delay);
  const isInTime = delay > toPeriod || (delay === toPeriod && fromPeriod > toPeriod);
  return isInTime ? delay : delay + 1;
}

/** One direction of a link: a wire on which each flit takes the same time. */
export const link = setup({
  types: role.types<LinkContext, LinkInput>(),
  actions: {
    carry: act<'link.carry'>((context, { flit, channel, change, cycle, load }, out) => {
      const { clock, far, farPort, delay, period, end, link: number } = context.spec.value;
      context.flits++;
      const toggles = togglesOf(change);
      context.toggles += toggles;
      if (out.observed) out.probe({ type: 'link.toggled', flit, toggles });
      const at = cycle + delay;
      // Where the router at the end has no turn, none is missed.
      const hasTurn = !Number.isInteger(at) || at % period === 0;
      const cycles = hasTurn ? context.spec.value.cycles : Math.min(context.spec.value.cycles, delay);
      if (at > end) {
        const first = cycles === delay;
        const late = { at, first, cycle, link: number, port: farPort, channel, flit, change } as const;
        out.send(clock, 1, { to: clock, type: 'wire.late', ...late, ...(load && { load }) });
      } else if (cycles > 0) {
        const after = 2 * cycles - 1;
        const seen = cycle + cycles;
        // Written twice: without a load it is one shape, and made for every flit of long runs.
        if (load === undefined)
          out.send(far, after, {
            to: far,
            type: 'flit.arrive',
            port: farPort,
            channel,
            flit,
            change,
            cycle: seen,
          });
        else
          out.send(far, after, {
            to: far,
            type: 'flit.arrive',
            port: farPort,
            channel,
            flit,
            change,
            cycle: seen,
            load,
          });
      }
    }),
  },
}).createMachine({
  id: 'link',
  context: ({ input: { spec } }) => ({
    spec: fixed(spec),
    flits: 0,
    toggles: 0,
  }),
  initial: 'ready',
  states: { ready: { on: { 'link.carry': { actions: 'carry' } } } },
});
