import { popcount } from '../popcount.ts';
import type { NetworkShown } from '../protocol.ts';
import type { RandomStream } from '../random-stream.ts';
import { portOfWay } from '../topology/topology.ts';
import { channelStates, type RouterState, sets } from './router-state.ts';
import type { SharedState } from './shared-state.ts';
import type { Turn } from './stages.ts';

/*
 * Stages 3 and 2 of a router, in which requests compete (chiplet specification 5.4). A random number is drawn only when there is more than one
 * to choose from.
 */

const draw = (random: RandomStream, count: number): number => (count === 1 ? 0 : random.pick(count));

/** Stage 3, switch allocation: each input port proposes one channel, each output port takes one of those that are proposed to it. */
export function allocateSwitch({ spec, state, sharedState }: Turn): void {
  const random = state.random ?? sharedState.random;
  const { outputDepth } = spec;
  const { cells, tables } = state;
  const { members, span, outputs, credits, waiting, portOf } = tables;
  const { requesters } = sharedState;
  let requests = 0;
  let port = -1;
  // The channels of one port come one after the other: those that may go are gathered behind the requests made so far.
  let ready = 0;
  for (let word = 0; word < span; word++) {
    let bits = cells[members + sets.competing * span + word]!;
    while (bits !== 0) {
      const bit = bits & -bits;
      bits ^= bit;
      const input = (word << 5) + 31 - Math.clz32(bit);
      const output = cells[outputs + input]!;
      if (cells[credits + output]! <= 0) continue;
      if (outputDepth === 1 && cells[waiting + portOf[output]!] !== -1) continue;
      const inputPort = portOf[input]!;
      if (inputPort !== port) {
        requests = propose(sharedState, state, requests, ready, random);
        ready = 0;
        port = inputPort;
      }
      requesters[requests + ready++] = input;
    }
  }
  requests = propose(sharedState, state, requests, ready, random);
  if (requests === 1) state.enter(requesters[0]!, channelStates.granted);
  else if (requests > 1) grantSwitch(state, sharedState, random, requests);
}

/** Makes a request of one of the channels of a port that are ready. Gives how many requests there are. */
function propose(
  { requesters, requested }: SharedState,
  { cells, tables }: RouterState,
  requests: number,
  ready: number,
  random: RandomStream,
): number {
  if (ready === 0) return requests;
  const chosen = requesters[requests + draw(random, ready)]!;
  requesters[requests] = chosen;
  requested[requests] = tables.portOf[cells[tables.outputs + chosen]!]!;
  return requests + 1;
}

function grantSwitch(
  state: RouterState,
  { requesters, requested }: SharedState,
  random: RandomStream,
  requests: number,
): void {
  let done = -1;
  for (;;) {
    const port = nextAbove(requested, done, requests);
    if (port < 0) return;
    done = port;
    const count = countOf(requested, port, requests);
    const winner = requestAt(requested, port, draw(random, count), requests);
    state.enter(requesters[winner]!, channelStates.granted);
  }
}

/** Stage 2, channel allocation: each waiting input channel asks for a free output channel, each output channel takes one of those that ask for it. */
export function allocateChannels(turn: Turn): void {
  const { state, sharedState, spec } = turn;
  const random = state.random ?? sharedState.random;
  const { cells, tables } = state;
  const { members, span, ways } = tables;
  const { requesters, requested } = sharedState;
  let requests = 0;
  // The vector of requests is that of the whole router, whatever they are for.
  let lower = 0;
  let upper = 0;
  for (let word = 0; word < span; word++) {
    let bits = cells[members + sets.allocating * span + word]!;
    while (bits !== 0) {
      const bit = bits & -bits;
      bits ^= bit;
      const input = (word << 5) + 31 - Math.clz32(bit);
      const free = state.freeChannels(input);
      if (free === 0) continue;
      let channel = draw(random, popcount(free));
      let left = free;
      while (channel-- > 0) left &= left - 1;
      const port = portOfWay(cells[ways + input]!);
      if (input < 32) lower |= lowerBit(input);
      else if (input < 64) upper |= 1 << (input - 32);
      requesters[requests] = input;
      requested[requests++] = port * spec.channels + 31 - Math.clz32(left & -left);
    }
  }
  let done = -1;
  for (;;) {
    const output = nextAbove(requested, done, requests);
    if (output < 0) return;
    done = output;
    const count = countOf(requested, output, requests);
    const winner = requestAt(requested, output, draw(random, count), requests);
    grantChannel(turn, output, requesters[winner]!, lower, upper);
  }
}

function grantChannel(
  { state, out, cycle }: Turn,
  output: number,
  winner: number,
  lower: number,
  upper: number,
): void {
  const { counters, cells, tables } = state;
  cells[tables.outputs + winner] = output;
  state.enter(winner, channelStates.competing);
  const port = tables.portOf[output]!;
  cells[tables.used + port]! |= 1 << (output - port * tables.channels);
  counters.grants++;
  const vector = tables.lastRequests + 2 * output;
  counters.requestToggles += popcount(lower ^ cells[vector]!) + popcount(upper ^ cells[vector + 1]!);
  cells[vector] = lower;
  cells[vector + 1] = upper;
  if (cells[tables.lastWinners + output] !== winner) counters.grantChanges++;
  cells[tables.lastWinners + output] = winner;
  if (out.observed)
    out.probe({
      type: 'channel.granted',
      cycle,
      input: winner,
      output,
    } satisfies NetworkShown<'channel.granted'>);
}

/** The bit of a requester in the vector of requests; that of number 8 has a second one in the original, a slip that is kept (chiplet specification 5.9). */
const lowerBit = (input: number): number => (input === 8 ? 258 : 1 << input);

/** The smallest number above `done` that is requested; -1 when there is none. */
function nextAbove(requested: Int32Array, done: number, requests: number): number {
  let next = -1;
  for (let i = 0; i < requests; i++) {
    const one = requested[i]!;
    if (one > done && (next < 0 || one < next)) next = one;
  }
  return next;
}

function countOf(requested: Int32Array, target: number, requests: number): number {
  let count = 0;
  for (let i = 0; i < requests; i++) if (requested[i] === target) count++;
  return count;
}

/** The place of request number `which` for a target. */
function requestAt(requested: Int32Array, target: number, which: number, requests: number): number {
  let left = which;
  for (let i = 0; i < requests; i++) if (requested[i] === target && left-- === 0) return i;
  return -1;
}
