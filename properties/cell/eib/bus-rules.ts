import type { EibProbe } from '../../../actors/cell/eib/protocol.ts';

/** A rule that did not hold: its sentence, the bus cycle, what was seen. */
export interface BusFinding {
  readonly property: string;
  readonly tick: number;
  readonly why: string;
}

/** What a bus is judged by (Cell specification 19.1, 19.2). */
export interface BusRules {
  readonly elementCount: number;
  readonly packetBytes: number;
  readonly bytesPerBusCycle: number;
  readonly maxPerRing: number;
  readonly maxHops: number;
  readonly ringStartGapBusCycles: number;
  readonly commandsPerBusCycle: number;
  readonly commandLatencyBusCycles: number;
  /** Open commands of an MFC: of its own program, and of all other elements together. */
  readonly mfcQueue: number;
  readonly mfcProxyQueue: number;
  /** Numbers of the elements whose one port serves both directions. */
  readonly sharedPort: readonly number[];
}

/** The bus as published (Cell specification 19.1), element 11 being the memory controller. */
export const publishedBusRules: BusRules = {
  elementCount: 12,
  packetBytes: 128,
  bytesPerBusCycle: 16,
  maxPerRing: 3,
  maxHops: 6,
  ringStartGapBusCycles: 3,
  commandsPerBusCycle: 1,
  commandLatencyBusCycles: 50,
  mfcQueue: 16,
  mfcProxyQueue: 8,
  sharedPort: [11],
};

/** A rule of the bus: its sentence, and how it is judged by probes of these types; in a run that was cut short (`ended` false) what is missing proves nothing. */
export interface BusRule {
  readonly sentence: string;
  readonly watches: readonly EibProbe['type'][];
  judge(rules: BusRules, probes: readonly EibProbe[], ended: boolean): readonly Judged[];
}

/** A rule about the packets that start. */
const aboutStarts = (
  sentence: string,
  judge: (rules: BusRules, starts: readonly Extract<EibProbe, { type: 'START' }>[]) => readonly Judged[],
): BusRule => ({
  sentence,
  watches: ['START'],
  judge: (rules, probes) =>
    judge(
      rules,
      probes.filter((probe) => probe.type === 'START'),
    ),
});

/**
 * What every run of a bus keeps (Cell specification 19.1, 19.2): links and ports carry one packet at a time, rings at most so many with the
 * start gap between them, paths are short, commands precede packets, every byte of every accepted command arrives once.
 *
 * Details: knows nothing of the model; it lays every packet's links, ports and rings out as intervals and looks for overlaps.
 */
export const busRules: readonly BusRule[] = [
  aboutStarts('a link carries one packet at a time', (rules, starts) =>
    overlaps(
      starts.flatMap((one) => linksOf(rules, one)),
      1,
    ),
  ),
  aboutStarts('a port sends or receives one packet at a time', (rules, starts) =>
    overlaps(
      starts.flatMap((one) => portsOf(rules, one)),
      1,
    ),
  ),
  aboutStarts('a ring carries at most so many packets', (rules, starts) =>
    overlaps(starts.map(ringOf), rules.maxPerRing),
  ),
  aboutStarts('a ring keeps the gap between two starts', (rules, starts) =>
    overlaps(
      starts.map((one) => ({ ...ringOf(one), end: one.t + rules.ringStartGapBusCycles })),
      1,
    ),
  ),
  {
    sentence: 'the command bus takes at most so many commands a cycle',
    watches: ['COMMAND'],
    judge: (rules, probes) =>
      overlaps(
        probes
          .filter((probe) => probe.type === 'COMMAND')
          .map(({ t, packet }) => ({ key: 'the command bus', start: t, end: t + 1, who: nameOf(packet) })),
        rules.commandsPerBusCycle,
      ),
  },
  aboutStarts('a path has at most so many hops', (rules, starts) =>
    starts.flatMap((start) => {
      const hops = hopsOf(rules, start);
      return hops < 1 || hops > rules.maxHops
        ? [{ tick: start.t, why: `${nameOf(start.packet)} has ${hops}` }]
        : [];
    }),
  ),
  aboutStarts('a packet lies in one line', (rules, starts) =>
    starts.flatMap((one) => lineFindings(rules, one)),
  ),
  {
    sentence: 'a packet is commanded, started and received once, in this order',
    watches: ['COMMAND', 'START', 'ARRIVE'],
    judge: lifeFindings,
  },
  {
    sentence: 'every byte of every command arrives before the command is complete',
    watches: ['ACCEPT', 'ARRIVE', 'COMPLETE'],
    judge: (_rules, probes, ended) => byteFindings(probes, ended),
  },
  {
    sentence: 'the packets of an element are commanded in their order',
    watches: ['COMMAND'],
    judge: (_rules, probes) => orderFindings(probes),
  },
  {
    sentence: 'an MFC has at most so many open commands',
    watches: ['ACCEPT', 'COMPLETE'],
    judge: queueFindings,
  },
  {
    sentence: 'no packet waits while no packet is under way',
    watches: ['COMMAND', 'START'],
    judge: idleFindings,
  },
];

/** Judges a run by its probes alone, by all rules. */
export const judgeBus = (rules: BusRules, probes: readonly EibProbe[], ended = true): readonly BusFinding[] =>
  busRules.flatMap(({ sentence, judge }) =>
    judge(rules, probes, ended).map((finding) => ({ ...finding, property: sentence })),
  );

type Judged = Omit<BusFinding, 'property'>;

interface Interval {
  readonly key: string;
  readonly start: number;
  /** First cycle after it. */
  readonly end: number;
  readonly who: string;
}

/** A command in words: that of an element's own program, or one that another element gave to it. */
export const commandOf = ({
  issuer,
  initiator,
  command,
}: Pick<Extract<EibProbe, { type: 'START' }>['packet'], 'issuer' | 'initiator' | 'command'>) =>
  `command ${command} of element ${initiator}${issuer === initiator ? '' : ` from element ${issuer}`}`;

const nameOf = (packet: Extract<EibProbe, { type: 'START' }>['packet']) =>
  `packet ${packet.part} of ${commandOf(packet)}`;

const ringName = ({ dir, ring }: Extract<EibProbe, { type: 'START' }>) =>
  `ring ${ring} ${dir === 0 ? 'upward' : 'downward'}`;

const hopsOf = ({ elementCount }: BusRules, { packet, dir }: Extract<EibProbe, { type: 'START' }>) => {
  const up = (((packet.target - packet.source) % elementCount) + elementCount) % elementCount;
  return dir === 0 ? up : elementCount - up;
};

/** The cables between neighbours that a packet passes, named by the lower neighbour in ring order; it holds them at least while it is sent. */
function linksOf(rules: BusRules, start: Extract<EibProbe, { type: 'START' }>): Interval[] {
  const { packet, t, dir } = start;
  const end = t + Math.ceil(packet.size / rules.bytesPerBusCycle);
  const found: Interval[] = [];
  let at = packet.source;
  while (at !== packet.target) {
    const next = dir === 0 ? (at + 1) % rules.elementCount : at === 0 ? rules.elementCount - 1 : at - 1;
    const cable = dir === 0 ? at : next;
    const key = `the cable from element ${cable} to the next of ${ringName(start)}`;
    found.push({ key, start: t, end, who: nameOf(packet) });
    at = next;
  }
  return found;
}

function portsOf(rules: BusRules, { packet, t }: Extract<EibProbe, { type: 'START' }>): Interval[] {
  const end = t + Math.ceil(packet.size / rules.bytesPerBusCycle);
  const side = (element: number, way: string) =>
    `the ${rules.sharedPort.includes(element) ? '' : `${way} `}port of element ${element}`;
  const who = nameOf(packet);
  return [
    { key: side(packet.source, 'sending'), start: t, end, who },
    { key: side(packet.target, 'receiving'), start: t, end, who },
  ];
}

const ringOf = (start: Extract<EibProbe, { type: 'START' }>): Interval => ({
  key: ringName(start),
  start: start.t,
  end: start.t + start.hold,
  who: nameOf(start.packet),
});

/** Cycles in which more than `limit` intervals of one key overlap. */
function overlaps(intervals: readonly Interval[], limit: number): Judged[] {
  const byKey = new Map<string, Interval[]>();
  for (const interval of intervals) {
    const known = byKey.get(interval.key);
    if (known) known.push(interval);
    else byKey.set(interval.key, [interval]);
  }
  const found: Judged[] = [];
  for (const [key, row] of byKey) {
    let open: Interval[] = [];
    for (const one of row.sort((a, b) => a.start - b.start)) {
      open = open.filter(({ end }) => end > one.start);
      open.push(one);
      if (open.length > limit) {
        const who = open.map((other) => `${other.who} since ${other.start}`).join(', ');
        found.push({ tick: one.start, why: `${key} has ${open.length}, at most ${limit}: ${who}` });
      }
    }
  }
  return found;
}

function lineFindings(rules: BusRules, { packet, t }: Extract<EibProbe, { type: 'START' }>): Judged[] {
  const there = packet.initiator === packet.source ? packet.targetAddress : packet.sourceAddress;
  const line = (address: number) => Math.floor(address / rules.packetBytes);
  return packet.size < 1 || line(there) !== line(there + packet.size - 1)
    ? [{ tick: t, why: `${nameOf(packet)}: ${packet.size} bytes at ${there}` }]
    : [];
}

/** Every packet has one command, one start after the command's latency, and one arrival after its last beat, in this order. */
function lifeFindings(rules: BusRules, probes: readonly EibProbe[], ended: boolean): Judged[] {
  const found: Judged[] = [];
  const stages = new Map<string, { readonly type: string; readonly t: number }>();
  const before = { COMMAND: undefined, START: 'COMMAND', ARRIVE: 'START' } as const;
  for (const probe of probes) {
    if (probe.type !== 'COMMAND' && probe.type !== 'START' && probe.type !== 'ARRIVE') continue;
    const name = nameOf(probe.packet);
    const last = stages.get(name);
    // The command is taken one cycle after its offer at the earliest, so the wait that can be seen is one cycle shorter than the latency.
    const least =
      probe.type === 'START'
        ? rules.commandLatencyBusCycles - 1
        : Math.ceil(probe.packet.size / rules.bytesPerBusCycle);
    if (last?.type !== before[probe.type] || (last && probe.t - last.t < least))
      found.push({
        tick: probe.t,
        why: `${name}: ${probe.type} after ${last ? `${last.type} in ${last.t}` : 'nothing'}`,
      });
    stages.set(name, probe);
  }
  if (!ended) return found;
  for (const [name, { type, t }] of stages)
    if (type !== 'ARRIVE') found.push({ tick: t, why: `${name}: nothing after ${type}` });
  return found;
}

function byteFindings(probes: readonly EibProbe[], ended: boolean): Judged[] {
  const found: Judged[] = [];
  const missing = new Map<string, number>();
  const complete = new Set<string>();
  for (const probe of probes) {
    if (probe.type === 'ACCEPT') missing.set(commandOf(probe), probe.bytes);
    if (probe.type === 'ARRIVE') {
      const { size } = probe.packet;
      const name = commandOf(probe.packet);
      missing.set(name, (missing.get(name) ?? 0) - size);
      if (complete.has(name)) found.push({ tick: probe.t, why: `${name} was complete already` });
    }
    if (probe.type === 'COMPLETE') {
      const name = commandOf(probe);
      complete.add(name);
      const left = missing.get(name);
      if (left !== 0) found.push({ tick: probe.t, why: `${name} is complete, ${left} bytes are missing` });
    }
  }
  if (!ended) return found;
  for (const [name, left] of missing)
    if (left !== 0 || !complete.has(name))
      found.push({ tick: -1, why: `${name}: ${left} bytes never arrived` });
  return found;
}

/** Commands are cut up in the order in which they were accepted, and each from its first byte on (Cell specification 19.2). */
function orderFindings(probes: readonly EibProbe[]): Judged[] {
  const found: Judged[] = [];
  const last = new Map<string, Extract<EibProbe, { type: 'START' }>['packet']>();
  for (const probe of probes) {
    if (probe.type !== 'COMMAND') continue;
    const { packet, t } = probe;
    const key = `${packet.issuer} ${packet.initiator}`;
    const before = last.get(key);
    if (
      before &&
      (packet.command < before.command || (packet.command === before.command && packet.part <= before.part))
    )
      found.push({ tick: t, why: `${nameOf(packet)} after ${nameOf(before)}` });
    last.set(key, packet);
  }
  return found;
}

/** A command has its place in a queue from its acceptance to its completion (Cell specification 19.1). */
function queueFindings({ mfcQueue, mfcProxyQueue }: BusRules, probes: readonly EibProbe[]): Judged[] {
  const found: Judged[] = [];
  const open = new Map<string, number>();
  for (const probe of probes) {
    if (probe.type !== 'ACCEPT' && probe.type !== 'COMPLETE') continue;
    const own = probe.issuer === probe.initiator;
    const key = `element ${probe.initiator}, ${own ? 'own program' : 'other elements'}`;
    const count = (open.get(key) ?? 0) + (probe.type === 'ACCEPT' ? 1 : -1);
    open.set(key, count);
    const most = own ? mfcQueue : mfcProxyQueue;
    if (count > most || count < 0)
      found.push({ tick: probe.t, why: `${key}: ${count} are open, at most ${most}` });
  }
  return found;
}

/**
 * A packet whose command has taken its time starts at once when no other one holds links, ports or a start gap (Cell specification 19.2).
 *
 * Details: what several packets do to each other is left to the other rules; this one finds an arbiter that sleeps while somebody waits.
 */
function idleFindings(rules: BusRules, probes: readonly EibProbe[]): Judged[] {
  const found: Judged[] = [];
  const commanded = new Map<string, number>();
  /** The last cycles in which nothing was under way; -1 for none. */
  let [idleFrom, idleEnd, busyEnd] = [-1, -1, 0];
  for (const probe of probes) {
    if (probe.type === 'COMMAND') commanded.set(nameOf(probe.packet), probe.t);
    if (probe.type !== 'START') continue;
    const { t, packet, beats, hold } = probe;
    const eligible = (commanded.get(nameOf(packet)) ?? t) + rules.commandLatencyBusCycles;
    if (t > busyEnd) [idleFrom, idleEnd] = [busyEnd, t];
    const at = Math.max(eligible, idleFrom);
    if (at < Math.min(t, idleEnd)) {
      const why = `${nameOf(packet)} could start in bus cycle ${at}, starts in ${t}`;
      found.push({ tick: t, why });
    }
    busyEnd = Math.max(busyEnd, t + Math.max(beats, hold, rules.ringStartGapBusCycles));
  }
  return found;
}
