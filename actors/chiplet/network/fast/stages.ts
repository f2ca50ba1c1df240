import type { Address } from '../../../../kernel/message.ts';
import { togglesOf } from '../change.ts';
import { creditEntry, wireEntry } from '../event-log.ts';
import { isTail } from '../flit.ts';
import type { NetworkOutbox, NetworkShown } from '../protocol.ts';
import type { RouterSpec } from '../router-spec.ts';
import { accept } from './acceptance.ts';
import { takePackets } from './injection.ts';
import { channelStates, type RouterState, sets } from './router-state.ts';
import type { SharedState } from './shared-state.ts';

/*
 * The stages of a router in one cycle, last one first, so that a flit moves on by one stage a cycle (chiplet specification 5.4).
 */

/** What one turn of a router works on. */
export interface Turn {
  readonly spec: RouterSpec;
  readonly state: RouterState;
  readonly sharedState: SharedState;
  readonly out: NetworkOutbox<'Router'>;
  readonly cycle: number;
}

/** Stage 5, link traversal: each output port puts the flit that waits there on its wire. */
export function traverseLinks({ spec, state, sharedState, out, cycle }: Turn): void {
  const { cells, tables } = state;
  const { sending, sendingSpan, waiting, waitingChannels, waitingChanges } = tables;
  for (let word = 0; word < sendingSpan; word++) {
    let bits = cells[sending + word]!;
    while (bits !== 0) {
      const bit = bits & -bits;
      bits ^= bit;
      const port = (word << 5) + 31 - Math.clz32(bit);
      const to = spec.links[port] as Address;
      const flit = cells[waiting + port]!;
      cells[waiting + port] = -1;
      state.flits--;
      const channel = cells[waitingChannels + port]!;
      const change = cells[waitingChanges + port]!;
      out.send(to, 0, { to, type: 'link.carry', flit, channel, change, cycle });
      if (sharedState.log !== undefined) sharedState.log.push(wireEntry(spec, port), flit, channel, change);
    }
    cells[sending + word] = 0;
  }
}

/** Tells the router before an input port that a place in its buffer is free. */
function returnCredit(
  { spec, sharedState, out, cycle }: Pick<Turn, 'spec' | 'sharedState' | 'out' | 'cycle'>,
  port: number,
  channel: number,
): void {
  if (sharedState.log !== undefined) {
    sharedState.log.push(creditEntry(spec.before[port]!, spec.beforePort[port]!, channel, spec));
    return;
  }
  const { clock } = spec;
  if (spec.creditsAreLate && cycle === spec.lastCycle) out.send(clock, 1, { to: clock, type: 'credit.late' });
  const to = spec.all[spec.before[port]!]!;
  const cycles = spec.creditCycles[port]!;
  out.send(to, 2 * cycles - 1, {
    to,
    type: 'credit.return',
    port: spec.beforePort[port]!,
    channel,
    cycle: cycle + cycles,
  });
}

/** Stage 4, switch traversal: each input channel that has the switch sends its front flit to its output port. */
export function traverseSwitch(turn: Turn): void {
  const { spec, state, sharedState, out, cycle } = turn;
  const { cells, tables, buffers, registers, counters } = state;
  const { channels, portOf, span, members } = tables;
  const { payload } = sharedState;
  for (let word = 0; word < span; word++) {
    let bits = cells[members + sets.granted * span + word]!;
    while (bits !== 0) {
      const bit = bits & -bits;
      bits ^= bit;
      const input = (word << 5) + 31 - Math.clz32(bit);
      const port = portOf[input]!;
      const output = cells[tables.outputs + input]!;
      const outputPort = portOf[output]!;
      const outputChannel = output - outputPort * channels;
      cells[tables.credits + output]!--;
      if (port !== 0) returnCredit(turn, port, input - port * channels);
      const count = buffers.count(input);
      const flit = buffers.shift(input);
      counters.flitsRead++;
      counters.inToggles += togglesOf(registers.see(port, flit, payload));
      const change = registers.see(tables.ports + outputPort, flit, payload);
      counters.outToggles += togglesOf(change);
      if (cells[tables.lastInputs + outputPort] !== port) {
        counters.switches++;
        cells[tables.lastInputs + outputPort] = port;
      }
      cells[tables.waiting + outputPort] = flit;
      cells[tables.waitingChannels + outputPort] = outputChannel;
      cells[tables.waitingChanges + outputPort] = change;
      cells[tables.sending + (outputPort >> 5)]! |= 1 << (outputPort & 31);
      if (out.observed)
        out.probe({
          type: 'switch.passed',
          cycle,
          input,
          output,
          flit,
        } satisfies NetworkShown<'switch.passed'>);
      if (port === 0 && state.full && buffers.count(input) < 100) {
        state.full = false;
        takePackets(spec, state, sharedState, cycle, out);
      }
      const tail = isTail(flit);
      if (tail) cells[tables.used + outputPort]! &= ~(1 << outputChannel);
      if (count <= 1) state.enter(input, channelStates.idle);
      else state.enter(input, tail ? channelStates.routing : channelStates.competing);
    }
  }
}

/** Stage 1, routing: fronts of packets find their way, packets for this router are taken in. */
export function route(turn: Turn): void {
  const { spec, state, sharedState, cycle } = turn;
  const { router } = spec;
  const { cells, tables, buffers } = state;
  const { channels, portOf, span, members } = tables;
  for (let word = 0; word < span; word++) {
    let bits = cells[members + sets.front * span + word]!;
    while (bits !== 0) {
      const bit = bits & -bits;
      bits ^= bit;
      const input = (word << 5) + 31 - Math.clz32(bit);
      const port = portOf[input]!;
      const flit = buffers.front(input);
      if (cells[tables.states + input] === channelStates.routing) {
        const target = sharedState.targetOf(flit);
        if (target !== router) {
          cells[tables.ways + input] = spec.routeOf(router, target, cycle);
          state.enter(input, channelStates.allocating);
          continue;
        }
      }
      if (port > 0) returnCredit(turn, port, input - port * channels);
      buffers.shift(input);
      accept(turn, flit);
      if (!isTail(flit)) state.enter(input, channelStates.home);
      else state.enter(input, buffers.count(input) > 0 ? channelStates.routing : channelStates.idle);
      if (port === 0 && spec.reopens && state.full && buffers.count(input) < 100) {
        state.full = false;
        takePackets(spec, state, sharedState, cycle, turn.out);
      }
    }
  }
}
