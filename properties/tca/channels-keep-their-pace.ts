import type { Descriptor } from '../../actors/tca/descriptor.ts';
import { subTicks } from '../../actors/tca/parameters.ts';
import { channelIn, piecesOf, type TcaKnown, type Timed, tcaProperty, timed } from './context.ts';

/** What matters of a descriptor: whether each read for which no tag was taken opens one of several blocks, and how it is fetched. */
interface Rest {
  readonly opens: boolean[];
  readonly pipeline: boolean;
  readonly fetchCycles: number;
}

/** A channel with a chain: what it has still to read by descriptor, and from when on it can go on. */
interface Channel {
  free: number;
  /** Tick since which a tag is free; later than any while none is. */
  freeSince: number;
  /** Tick since which all are; later than any while one is not. */
  allFreeSince: number;
  ready: number;
  rest: Rest[];
  /** What it had to do before its last doorbell, should that turn out to be lost. */
  before: Pick<Channel, 'rest' | 'ready'> | null;
}

/** When a channel takes tags and ends its chain; it fetches a descriptor only while it has a free tag (TCA specification 7). */
export const channelsKeepTheirPace = ({ config: { parameters } }: TcaKnown) => {
  const {
    tagsPerChannel,
    bytesPerTag,
    dmacStart,
    descriptorFetch,
    readIssueInterval,
    blockOverhead,
    cpuReadLatency,
  } = parameters;

  const of = ({ byName }: Timed<Channel>, name: string): Channel => {
    const free = tagsPerChannel[channelIn(name)]!;
    byName[name] ??= { free, freeSince: 0, allFreeSince: 0, ready: 0, rest: [], before: null };
    return byName[name];
  };
  const restOf = (descriptor: Descriptor): Rest => ({
    opens: piecesOf(descriptor, bytesPerTag).map(({ first }) => first && descriptor.count > 1),
    pipeline: descriptor.pipeline !== false,
    // It takes longer to fetch a descriptor from CPU memory.
    fetchCycles: descriptor.useInternal === false ? cpuReadLatency : 0,
  });
  const goesOn = ({ ready, freeSince }: Channel) => Math.max(ready, freeSince);

  /** Lets a channel fetch what comes behind descriptors that have been read. */
  const fetched = (channel: Channel) => {
    while (channel.rest[0]?.opens.length === 0) {
      const { pipeline } = channel.rest.shift()!;
      const begins = Math.max(goesOn(channel), pipeline ? 0 : channel.allFreeSince);
      channel.ready = begins + subTicks * (descriptorFetch + (channel.rest[0]?.fetchCycles ?? 0));
    }
  };

  return tcaProperty({
    sentence: 'a channel reads and fetches in the intervals of its table, and only while a tag is free',
    watches: ['dmac.doorbell', 'doorbell.lost', 'tag.take', 'tag.free', 'chain.done'],
    ...timed<Channel>(),
    see(channels, { from, to, event }, found) {
      const { now } = channels;
      switch (event.type) {
        case 'doorbell.lost':
          Object.assign(of(channels, from), of(channels, from).before);
          return;
        case 'dmac.doorbell': {
          const channel = of(channels, to);
          const { rest, ready } = channel;
          channel.before = { rest, ready };
          channel.rest = event.chain.map(restOf);
          channel.ready = now + subTicks * (dmacStart + (channel.rest[0]?.fetchCycles ?? 0));
          return;
        }
        case 'tag.take': {
          const channel = of(channels, from);
          channel.before = null;
          fetched(channel);
          const expected = goesOn(channel);
          if (now !== expected) found([from], `a tag is taken in tick ${now}, not in ${expected}`);
          const opens = channel.rest[0]?.opens.shift() ?? false;
          channel.ready = now + subTicks * (readIssueInterval + (opens ? blockOverhead : 0));
          channel.free--;
          channel.allFreeSince = Number.POSITIVE_INFINITY;
          if (channel.free === 0) channel.freeSince = Number.POSITIVE_INFINITY;
          return;
        }
        case 'tag.free': {
          const channel = of(channels, to);
          if (channel.free++ === 0) channel.freeSince = now;
          if (channel.free === tagsPerChannel[channelIn(to)]) channel.allFreeSince = now;
          return;
        }
        case 'chain.done': {
          const channel = of(channels, from);
          const all = tagsPerChannel[channelIn(from)]!;
          if (channel.free !== all) found([from], `a chain ends while ${all - channel.free} tags are in use`);
          fetched(channel);
          if (channel.rest.length > 0) found([from], 'a chain ends with reads for which no tag was taken');
          if (now < channel.ready)
            found([from], `a chain ends in tick ${now}, its end is fetched in ${channel.ready}`);
        }
      }
    },
  });
};
