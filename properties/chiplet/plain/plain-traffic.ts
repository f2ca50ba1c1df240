import type { NetworkConfig, TrafficPrograms } from '../../../machines/chiplet/config.ts';
import type { PlainPacket } from './plain-network.ts';

/**
 * The packets of a trace, read word by word (chiplet specification 3.2), in the order in which the edition takes them (5.11).
 *
 * Details: undefined for patterns: what they make up is nobody's rule.
 */
export function plainPackets(
  { A, c, ties }: NetworkConfig,
  programs: TrafficPrograms,
): readonly PlainPacket[] | undefined {
  if ('pattern' in programs) return undefined;
  const lines =
    'packets' in programs
      ? programs.packets
      : (programs.text ?? '')
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
          .map((line) => line.split(/\s+/).map(Number));
  const routerAt = (address: readonly number[]): number =>
    address.reduce((sum, coordinate) => sum * A + coordinate, 0);
  const packets = lines.map(
    (line): PlainPacket => ({
      time: line[0]!,
      source: routerAt(line.slice(1, 1 + c)),
      target: routerAt(line.slice(1 + c, 1 + 2 * c)),
      size: line[1 + 2 * c]!,
    }),
  );
  return asRead(packets, ties);
}

/** Packets of one time come in reverse in the LegoSim edition (chiplet specification 5.11). */
const asRead = (packets: readonly PlainPacket[], ties: NetworkConfig['ties']): readonly PlainPacket[] =>
  ties === 'legosim' ? [...packets].reverse().sort((one, other) => one.time - other.time) : packets;

/**
 * Why packets are none that a pattern makes up; nothing when they may be (one may be, whose numbers are drawn).
 *
 * Details: rounds are exact. Where times and targets are drawn, they come by time in thousandths, from all routers, as many as the rate makes likely, and go where the
 * pattern says.
 */
export function patternFault(
  {
    pattern,
    rate,
    cycles,
    packets: most,
    flits,
    share,
  }: Extract<TrafficPrograms, { readonly pattern: string }>,
  side: number,
  packets: readonly PlainPacket[],
  ties: NetworkConfig['ties'],
): string | undefined {
  const routers = side * side;
  const sizes = typeof flits === 'number' ? [flits] : flits;
  const place = (router: number): readonly [number, number] => [Math.floor(router / side), router % side];
  const at = ([x, y]: readonly [number, number]): number => x * side + y;
  if (pattern === 'ring' || pattern === 'allToAll') {
    const expected: PlainPacket[] = [];
    for (let round = 0; round / rate < cycles; round++)
      for (let source = 0; source < routers; source++) {
        const step = pattern === 'ring' ? 1 : 1 + (round % Math.max(1, routers - 1));
        const time = Math.round((round / rate) * 1000) / 1000;
        const target = (source + step) % routers;
        if (target !== source) expected.push({ time, source, target, size: sizes[0]! });
      }
    expected.length = Math.min(expected.length, most ?? expected.length);
    return packets.length !== expected.length
      ? `${packets.length} packets, not ${expected.length}`
      : asRead(expected, ties)
          .map((one, k) =>
            JSON.stringify(one) === JSON.stringify(packets[k])
              ? undefined
              : `packet ${k} is ${JSON.stringify(packets[k])}, not ${JSON.stringify(one)}`,
          )
          .find((why) => why !== undefined);
  }
  const toOf = (source: number): number | undefined => {
    const [x, y] = place(source);
    switch (pattern) {
      case 'transpose':
        return at([y, x]);
      case 'complement':
        return routers - 1 - source;
      case 'tornado':
        return at([x, (y + Math.ceil(side / 2) - 1) % side]);
      case 'neighbour':
        return at([x, (y + 1) % side]);
      default:
        return undefined;
    }
  };
  let before = 0;
  for (const [k, { time, source, target, size }] of packets.entries()) {
    const to = toOf(source);
    const isRight =
      time >= before &&
      time <= cycles &&
      Math.round(time * 1000) / 1000 === time &&
      source >= 0 &&
      source < routers &&
      target >= 0 &&
      target < routers &&
      target !== source &&
      (to === undefined || to === target) &&
      sizes.includes(size);
    if (!isRight) return `packet ${k} from ${source} to ${target} at ${time} is none of ${pattern}`;
    before = time;
  }
  const silent = Array.from({ length: routers }, (_, one) => one).filter((one) => toOf(one) === one).length;
  const likely = rate * cycles * (routers - silent);
  const isLikely = (count: number, mean: number): boolean =>
    Math.abs(count - mean) <= 8 * Math.sqrt(mean) + 8;
  if (most !== undefined && packets.length > most) return `${packets.length} packets, at most ${most}`;
  // One in so many of the hot spot's own packets stays there.
  const lost = pattern === 'hotspot' ? (likely * share) / routers : 0;
  if (!isLikely(packets.length, likely - lost) && packets.length !== most)
    return `${packets.length} packets, where ${likely} are likely`;
  const spot = at([Math.floor(side / 2), Math.floor(side / 2)]);
  const there = packets.filter(({ target }) => target === spot).length;
  const elsewhere = 1 / Math.max(1, routers - 1);
  const part = pattern === 'hotspot' ? share + (1 - share) * elsewhere : elsewhere;
  if ((pattern === 'hotspot' || pattern === 'uniform') && !isLikely(there, packets.length * part))
    return `${there} of ${packets.length} packets go to the middle`;
  for (const size of new Set(sizes)) {
    const of = packets.filter((one) => one.size === size).length;
    const mean = (packets.length * sizes.filter((one) => one === size).length) / sizes.length;
    if (sizes.length > 1 && !isLikely(of, mean))
      return `${of} of ${packets.length} packets have ${size} flits`;
  }
  return undefined;
}
