import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { ActivityMeter } from './activity-meter.ts';
import type { HeldFlit } from './protocol.ts';
import type { RouterSpec } from './router-spec.ts';
import { firstChannelOf, lastChannelOf, portOfWay } from './topology/topology.ts';

/** What a router of channel actors is made from. */
export interface RouterInput {
  readonly spec: RouterSpec;
  /** Its channels by number; ports without a link have none that are asked for. */
  readonly inputs: readonly Address[];
  readonly outputs: readonly Address[];
  readonly source: Address;
  /** The random numbers that it draws. */
  readonly random: Address;
  /** Whether the clock orders what routers begin, so that it is told in the order of beginning. */
  readonly logs: boolean;
  /** Whether the router has a turn in every cycle from its first flit on. */
  readonly restless: boolean;
}

/** An input channel that asks for an output channel, one that has one, or one that asks for it in this cycle. */
export interface WantedWay {
  readonly input: number;
  readonly way: number;
}
export interface ChannelPair {
  readonly input: number;
  readonly output: number;
}

/** A flit at an output port, for the wire. */
export interface LeavingFlit {
  readonly port: number;
  readonly channel: number;
  readonly change: number;
  readonly flit: HeldFlit;
}

/** A flit that came to an input channel; its words once it is kept, nothing when it is dropped, undefined before its channel has told. */
export interface ComingFlit {
  readonly input: number;
  written?: readonly number[] | null;
}

/** A router: the request lines of its channels, and how far it is in a turn. Lines are in the order of the numbers of their channels. */
export interface RouterContext {
  readonly spec: Fixed<RouterInput>;
  readonly meter: ActivityMeter;
  /** Input channels with something at the front to be routed or taken in. */
  front: number[];
  /** Input channels that need an output channel. */
  wanting: WantedWay[];
  /** Input channels that have an output channel and need the switch, and those that have the switch. */
  competing: ChannelPair[];
  granted: ChannelPair[];
  /** Output channels that are taken, and those without a place behind them. */
  taken: number[];
  blocked: number[];
  /** Flits at the output ports, in the order of the ports. */
  leaving: LeavingFlit[];
  /** Flits in the router. */
  flits: number;
  cycle: number;
  /** Channels that the present stage has still to serve. */
  serving: number[];
  /** Requests of the present stage that compete for the same thing next, and those that were made. */
  choices: ChannelPair[];
  requests: ChannelPair[];
  /** What it has begun in this turn, where the clock orders that. */
  entries: number[];
  begunFlits: HeldFlit[];
  arrived: number;
  /** By abandoned packet: the cycle in which the first of its flits was lost. */
  lost: Record<number, number>;
  /** Where flits may be lost: those that came, in their order, until the channels of all before them have told. */
  coming: ComingFlit[];
}

/** A router before its first flit. */
export const restingRouter = (input: RouterInput): RouterContext => ({
  spec: fixed(input),
  meter: new ActivityMeter(input.spec.ports, input.spec.ports * input.spec.channels, input.spec.words),
  front: [],
  wanting: [],
  competing: [],
  granted: [],
  taken: [],
  blocked: [],
  leaving: [],
  flits: 0,
  cycle: 0,
  serving: [],
  choices: [],
  requests: [],
  entries: [],
  begunFlits: [],
  arrived: 0,
  lost: {},
  coming: [],
});

/** Puts a number into a list in ascending order that does not have it. */
export function raise(lines: number[], line: number): void {
  if (lines.includes(line)) return;
  let at = lines.length;
  while (at > 0 && lines[at - 1]! > line) at--;
  lines.splice(at, 0, line);
}

/** Takes a number out of a list. */
export function lower(lines: number[], line: number): void {
  const at = lines.indexOf(line);
  if (at >= 0) lines.splice(at, 1);
}

/** Puts an entry into a list in the order of the input channels. */
export function enlist<T extends { readonly input: number }>(list: T[], entry: T): void {
  let at = list.length;
  while (at > 0 && list[at - 1]!.input > entry.input) at--;
  list.splice(at, 0, entry);
}

/** Takes the entry of an input channel out of a list. */
export function delist<T extends { readonly input: number }>(list: T[], input: number): void {
  const at = list.findIndex((entry) => entry.input === input);
  if (at >= 0) list.splice(at, 1);
}

/** The port of a channel. */
export const portOf = ({ spec }: RouterContext, channel: number): number =>
  Math.floor(channel / spec.value.spec.channels);

/** The output channels that an input channel may go on by and that nobody has, in ascending order (chiplet specification 5.7). */
export function freeChannels({ spec, taken }: RouterContext, { way }: WantedWay): readonly number[] {
  const first = portOfWay(way) * spec.value.spec.channels;
  const free: number[] = [];
  for (let channel = firstChannelOf(way); channel <= lastChannelOf(way); channel++)
    if (!taken.includes(first + channel)) free.push(first + channel);
  return free;
}

/** True when a flit at the front of an input channel could go through the switch: a place is free behind its channel. */
export const hasPlace = ({ blocked }: RouterContext, { output }: ChannelPair): boolean =>
  !blocked.includes(output);

/** True when a turn would change anything; one that would not, draws no random number either. */
export const canWork = (router: RouterContext): boolean =>
  router.leaving.length > 0 ||
  router.granted.length > 0 ||
  router.front.length > 0 ||
  router.competing.some((one) => hasPlace(router, one)) ||
  router.wanting.some((one) => freeChannels(router, one).length > 0);

/** True when a router that waits for nothing but its neighbours wants a turn again. */
export const wantsTurn = (router: RouterContext): boolean => router.spec.value.restless || canWork(router);
