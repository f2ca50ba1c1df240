import { z } from 'zod';
import type { PacketOrder } from '../../actors/chiplet/network/packet-book.ts';
import { RandomStream } from '../../actors/chiplet/network/random-stream.ts';

/** Who sends to whom. */
export const patterns = [
  'uniform',
  'hotspot',
  'transpose',
  'complement',
  'tornado',
  'neighbour',
  'allToAll',
  'ring',
] as const;

/** Schema of traffic that is made up. */
export const randomTraffic = z.strictObject({
  pattern: z
    .enum(patterns)
    .describe('who sends to whom; allToAll and ring are sent in rounds, all others at random times'),
  rate: z.number().positive().max(1).default(0.01).describe('packets a router and cycle'),
  cycles: z.number().positive().max(1e9).default(1000).describe('cycles in which packets are sent'),
  packets: z.int().min(1).max(5_000_000).optional().describe('packets at most'),
  flits: z
    .union([z.int().min(1).max(10_000), z.array(z.int().min(1).max(10_000)).min(1)])
    .default(5)
    .describe('flits of a packet, or sizes to choose from'),
  share: z.number().min(0).max(1).default(0.3).describe('share of the packets that go to the hot spot'),
  seed: z.int().default(1).describe('seed of times and targets'),
});

/** Traffic that is made up. */
export type RandomTraffic = z.output<typeof randomTraffic>;

/** Packets of a pattern on a grid of `side` times `side` routers, by time; times have three decimals. */
export function packetsOf(traffic: RandomTraffic, side: number): readonly PacketOrder[] {
  const { pattern } = traffic;
  if (pattern === 'allToAll' || pattern === 'ring') return rounds(traffic, side);
  const { rate, cycles, packets = Number.POSITIVE_INFINITY, flits, seed } = traffic;
  const random = new RandomStream(seed);
  const unit = (): number => (random.next() + 0.5) / 2 ** 31;
  const routers = side * side;
  const sizes = typeof flits === 'number' ? [flits] : flits;
  const found: PacketOrder[] = [];
  // The packets of all routers together come as those of one sender that is so many times faster.
  for (let time = 0; found.length < packets; ) {
    time += -Math.log(unit()) / (rate * routers);
    if (time >= cycles) break;
    const source = random.pick(routers);
    const target = targetOf(traffic, side, source, random, unit);
    if (target === source) continue;
    found.push({
      time: Math.round(time * 1000) / 1000,
      source,
      target,
      size: sizes.length === 1 ? sizes[0]! : sizes[random.pick(sizes.length)]!,
    });
  }
  return found;
}

function targetOf(
  { pattern, share }: RandomTraffic,
  side: number,
  source: number,
  random: RandomStream,
  unit: () => number,
): number {
  const routers = side * side;
  const [x, y] = [Math.floor(source / side), source % side];
  switch (pattern) {
    case 'transpose':
      return y * side + x;
    case 'complement':
      return routers - 1 - source;
    case 'tornado':
      return x * side + ((y + Math.ceil(side / 2) - 1) % side);
    case 'neighbour':
      return x * side + ((y + 1) % side);
    case 'hotspot':
      if (unit() < share) return Math.floor(side / 2) * side + Math.floor(side / 2);
      return other(source, routers, random);
    default:
      return other(source, routers, random);
  }
}

/** Any router but this one. */
function other(source: number, routers: number, random: RandomStream): number {
  if (routers === 1) return source;
  const target = random.pick(routers - 1);
  return target < source ? target : target + 1;
}

/** One packet a router and round: to each other router in turn, or to the next one of a ring through all of them. */
function rounds(
  { pattern, rate, cycles, packets, flits }: RandomTraffic,
  side: number,
): readonly PacketOrder[] {
  const routers = side * side;
  const period = 1 / rate;
  const most = packets ?? Number.POSITIVE_INFINITY;
  const size = typeof flits === 'number' ? flits : flits[0]!;
  const found: PacketOrder[] = [];
  for (let round = 0; round * period < cycles; round++)
    for (let source = 0; source < routers; source++) {
      if (found.length >= most) return found;
      const step = pattern === 'ring' ? 1 : 1 + (round % Math.max(1, routers - 1));
      const target = (source + step) % routers;
      if (target !== source)
        found.push({ time: Math.round(round * period * 1000) / 1000, source, target, size });
    }
  return found;
}
