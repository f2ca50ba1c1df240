import { nodeOf } from '../../actors/tca/address-map.ts';
import {
  byName,
  isDmac,
  isMemory,
  isRouter,
  nameOfWrite,
  nodeIn,
  piecesOf,
  type TcaKnown,
  tcaProperty,
} from './context.ts';
import { mustEnd } from './left-over.ts';

/** The writes of one source and channel to one target. */
interface Way {
  readonly source: number;
  readonly channel: number;
  /** Numbers of those under way, in the order in which they were sent. */
  readonly under: number[];
  /** The number of the last one that has arrived. */
  last: number;
}

/** What a channel has made of its chains. */
interface Made {
  /** Writes of the chains that run, of each, in the order of their doorbells. */
  readonly running: number[];
  /** Writes of chains that have ended. */
  ended: number;
  /** Writes that the router got. */
  sent: number;
  /** A chain that failed has made some of its writes, nobody knows how many. */
  failed: boolean;
}

interface Memory {
  readonly ways: Record<string, Way>;
  /** By DMA controller. */
  readonly made: Record<string, Made>;
}

const madeBy = ({ made }: Memory, dmac: string): Made => {
  made[dmac] ??= { running: [], ended: 0, sent: 0, failed: false };
  return made[dmac];
};

/** Writes of one source and channel, or of one PIO window, reach one node in sequence, each once (TCA specification 19, I5). */
export const writesArriveInSequence = ({ config }: TcaKnown) =>
  tcaProperty({
    sentence: 'the writes of a channel arrive at a node in sequence, each once',
    watches: ['pio.stored', 'tlp.write', 'dmac.doorbell', 'doorbell.lost', 'channel.error', 'chain.done'],
    begin: (): Memory => ({ ways: {}, made: {} }),
    judges: ({ type }) => type === 'tlp.write',
    see(memory, { from, to, event }, found) {
      switch (event.type) {
        case 'dmac.doorbell': {
          const pieces = event.chain.flatMap((one) => piecesOf(one, config.parameters.bytesPerTag));
          madeBy(memory, to).running.push(pieces.length);
          return;
        }
        case 'doorbell.lost':
          madeBy(memory, from).running.pop();
          return;
        case 'channel.error':
          madeBy(memory, from).failed = true;
          return;
        case 'chain.done': {
          const made = madeBy(memory, from);
          made.ended += made.running.shift() ?? 0;
          return;
        }
      }
      const { source, seq, addr } = event;
      const channel = event.type === 'pio.stored' ? -1 : event.channel;
      const sentByDmac = isDmac(from) && isRouter(to);
      if (sentByDmac) madeBy(memory, from).sent++;
      const leaves = event.type === 'pio.stored' || sentByDmac;
      if (!leaves && !isMemory(to)) return;
      const key = `${source} ${channel} ${nodeOf(addr)}`;
      memory.ways[key] ??= { source, channel, under: [], last: -1 };
      const way = memory.ways[key];
      const { under, last } = way;
      if (leaves) {
        under.push(seq);
        return;
      }
      const name = nameOfWrite({ source, channel, seq });
      if (nodeIn(to) !== nodeOf(addr)) found([to], `${name} arrives at another node`);
      const at = under.indexOf(seq);
      const before = under.slice(0, Math.max(0, at)).map((one) => nameOfWrite({ source, channel, seq: one }));
      if (at !== 0) found([to], at < 0 ? `${name} arrives again` : `${name} arrives before ${before}`);
      if (at >= 0) under.splice(at, 1);
      if (seq <= last) found([to], `${name} arrives behind number ${last}`);
      way.last = seq;
    },
    ...mustEnd('has not arrived', 'writes have not arrived', ({ ways, made }: Memory) => [
      ...byName(ways).flatMap(([, { source, channel, under }]) =>
        under.map((seq) => {
          const what = nameOfWrite({ source, channel, seq });
          return { who: what.slice(what.indexOf('Node')), what };
        }),
      ),
      ...byName(made).flatMap(([who, { ended, sent, failed }]) =>
        Array.from({ length: failed ? 0 : Math.max(0, ended - sent) }, (_, k) => ({
          who,
          what: `a write of a chain of ${who}`,
          key: `${who} ${sent + k}`,
        })),
      ),
    ]),
  });
