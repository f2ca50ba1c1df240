import type { Descriptor } from '../../actors/tca/descriptor.ts';
import { subTicks } from '../../actors/tca/parameters.ts';
import { judged, property } from '../property.ts';
import { channelIn, type Piece, piecesOf, said, type TcaContext } from './context.ts';

/** A descriptor, and its reads for which no tag was taken. */
interface Rest {
  readonly descriptor: Descriptor;
  readonly pieces: Piece[];
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
  /** Whether its next doorbell is one that was lost. */
  deaf: boolean;
}

/** When a channel takes tags and ends its chain; it fetches a descriptor only while it has a free tag (TCA specification 7). */
export const channelsKeepTheirPace = property<TcaContext>(
  'a channel reads and fetches in the intervals of its table, and only while a tag is free',
  (run, { config }) =>
    judged(said(run, 'dmac.doorbell', 'doorbell.lost', 'tag.take', 'tag.free', 'chain.done'), (found) => {
      const { parameters } = config;
      const { tagsPerChannel, dmacStart, descriptorFetch, readIssueInterval, blockOverhead, cpuReadLatency } =
        parameters;
      /** Cycles more that it takes to fetch a descriptor from CPU memory. */
      const hostFetch = (descriptor?: Descriptor) => (descriptor?.useInternal === false ? cpuReadLatency : 0);
      const known = new Map<string, Channel>();
      const of = (name: string): Channel => {
        const free = tagsPerChannel[channelIn(name)]!;
        const one = known.get(name) ?? {
          free,
          freeSince: 0,
          allFreeSince: 0,
          ready: 0,
          rest: [],
          deaf: false,
        };
        known.set(name, one);
        return one;
      };
      const goesOn = ({ ready, freeSince }: Channel) => Math.max(ready, freeSince);

      /** Lets it fetch what comes behind descriptors that have been read. */
      const fetched = (channel: Channel) => {
        while (channel.rest[0]?.pieces.length === 0) {
          const { pipeline } = channel.rest.shift()!.descriptor;
          const begins = Math.max(goesOn(channel), pipeline === false ? channel.allFreeSince : 0);
          channel.ready = begins + subTicks * (descriptorFetch + hostFetch(channel.rest[0]?.descriptor));
        }
      };

      return {
        see({ tick, from, to, event }) {
          switch (event.type) {
            case 'doorbell.lost':
              of(from).deaf = true;
              return;
            case 'dmac.doorbell': {
              const channel = of(to);
              const { deaf } = channel;
              channel.deaf = false;
              if (deaf) return;
              channel.rest = event.chain.map((descriptor) => ({
                descriptor,
                pieces: [...piecesOf(descriptor, parameters.bytesPerTag)],
              }));
              channel.ready = tick + subTicks * (dmacStart + hostFetch(event.chain[0]));
              return;
            }
            case 'tag.take': {
              const channel = of(from);
              fetched(channel);
              const expected = goesOn(channel);
              if (tick !== expected) found([from], `a tag is taken in tick ${tick}, not in ${expected}`);
              const piece = channel.rest[0]?.pieces.shift();
              const opens = piece?.first && piece.descriptor.count > 1;
              channel.ready = tick + subTicks * (readIssueInterval + (opens ? blockOverhead : 0));
              channel.free--;
              channel.allFreeSince = Number.POSITIVE_INFINITY;
              if (channel.free === 0) channel.freeSince = Number.POSITIVE_INFINITY;
              return;
            }
            case 'tag.free': {
              const channel = of(to);
              if (channel.free++ === 0) channel.freeSince = tick;
              if (channel.free === tagsPerChannel[channelIn(to)]) channel.allFreeSince = tick;
              return;
            }
            case 'chain.done': {
              const channel = of(from);
              if (channel.free !== tagsPerChannel[channelIn(from)])
                found(
                  [from],
                  `a chain ends while ${tagsPerChannel[channelIn(from)]! - channel.free} tags are in use`,
                );
              fetched(channel);
              if (channel.rest.length > 0)
                found([from], 'a chain ends with reads for which no tag was taken');
              if (tick < channel.ready)
                found([from], `a chain ends in tick ${tick}, its end is fetched in ${channel.ready}`);
            }
          }
        },
      };
    }),
);
