import { signedTogglesOf } from '../change.ts';
import { flitOf } from '../flit.ts';
import type { NetworkOutbox, NetworkShown } from '../protocol.ts';
import type { RandomStream } from '../random-stream.ts';
import type { RouterSpec } from '../router-spec.ts';
import { channelStates, type RouterState } from './router-state.ts';
import type { SharedState } from './shared-state.ts';

/** Flits in the emptiest queue of port 0 above which no further packet is taken. */
export const injectionLimit = 100;

/** Times this near count as equal (chiplet specification 5.3). */
const tolerance = 1e-8;

/** Draws the first words of a router's traffic: before anything else, in the order of the routers. */
export function drawFirstWords(state: RouterState, random: RandomStream): void {
  for (let i = 0; i < state.running.length; i++) state.running[i] = random.word();
}

/** Puts every packet that is due into the queues of port 0, until they are full (chiplet specification 5.3). */
export function takePackets(
  spec: RouterSpec,
  state: RouterState,
  sharedState: SharedState,
  now: number,
  out: NetworkOutbox<'Router'>,
): void {
  while (!state.full && state.nextStart <= now + tolerance && state.pendingFirst < state.pendingEnd) {
    const packet = state.pending[state.pendingFirst++]!;
    inject(spec, state, sharedState, packet, out);
    if (state.pendingFirst < state.pendingEnd)
      state.nextStart = sharedState.packets.timeOf(state.pending[state.pendingFirst]!);
  }
}

/** Puts a packet that was not known from the beginning among those that a router has still to send, by time. */
export function offer(state: RouterState, sharedState: SharedState, packet: number): void {
  const { packets } = sharedState;
  const time = packets.timeOf(packet);
  if (state.pendingEnd === state.pending.length) makeRoom(state);
  const { pending, pendingFirst } = state;
  let at = state.pendingEnd++;
  while (at > pendingFirst && packets.timeOf(pending[at - 1]!) > time) {
    pending[at] = pending[at - 1]!;
    at--;
  }
  pending[at] = packet;
  state.nextStart = packets.timeOf(pending[pendingFirst]!);
}

/** Gives a list that is full twice the room for what is left of it. */
function makeRoom(state: RouterState): void {
  const left = state.pending.subarray(state.pendingFirst, state.pendingEnd);
  const pending = new Int32Array(Math.max(8, 2 * left.length));
  pending.set(left);
  state.pending = pending;
  state.pendingFirst = 0;
  state.pendingEnd = left.length;
}

function inject(
  spec: RouterSpec,
  state: RouterState,
  sharedState: SharedState,
  packet: number,
  out: NetworkOutbox<'Router'>,
): void {
  const { channels } = spec;
  const { buffers, running, halves } = state;
  const size = sharedState.packets.sizeOf(packet);
  const first = sharedState.packets.firstFlitOf(packet);
  const random = state.random ?? sharedState.random;
  let queue = 0;
  for (let channel = 1; channel < channels; channel++)
    if (buffers.count(channel) < buffers.count(queue)) queue = channel;
  if (buffers.count(queue) > injectionLimit) state.full = true;
  const starts = buffers.count(queue) === 0;
  const shown: number[] = [];
  for (let place = 0; place < size; place++) {
    for (let i = 0; i < running.length; i++) {
      const sum = running[i]! * 0.8 + random.word();
      // A sum beyond 64 bits becomes 0 when it is converted.
      const word = sum < 2 ** 64 ? Math.floor(sum) : 0;
      const upper = Math.floor(word / 2 ** 32);
      running[i] = word;
      halves[2 * i] = word - upper * 2 ** 32;
      halves[2 * i + 1] = upper;
    }
    if (out.observed) shown.push(...halves);
    const flit = flitOf(first, place, size);
    sharedState.payload.write(flit, packet, halves);
    buffers.push(queue, flit);
    if (place === 0 && starts) state.enter(queue, channelStates.routing);
    state.counters.writeToggles += signedTogglesOf(
      state.registers.see(2 * spec.ports, flit, sharedState.payload),
    );
  }
  state.counters.flitsWritten += size;
  state.counters.flitsInjected += size;
  state.counters.packetsInjected++;
  state.flits += size;
  if (out.observed)
    out.probe({
      type: 'packet.injected',
      packet,
      channel: queue,
      first,
      size,
      target: sharedState.packets.targetOf(packet),
      halves: shown,
    } satisfies NetworkShown<'packet.injected'>);
}
