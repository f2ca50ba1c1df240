import { channelIn, isDmac, nodeIn, type TcaKnown, tcaProperty } from './context.ts';
import { mustEnd } from './left-over.ts';

/** Tags that a chip has in all (TCA specification 7). */
const tagsOfChip = 64;

interface Tags {
  /** By node and tag: the channel that has it. */
  readonly held: Record<number, string>[];
  /** By channel: tags that it gave back and that are not free yet. */
  readonly returning: Record<string, number[]>;
}

/** Tags in use stay within their partition, each belongs to one read, and all come back (TCA specification 19, I1 and I2). */
export const tagsBelongToOneRead = ({ config: { nodes, parameters } }: TcaKnown) =>
  tcaProperty({
    sentence: 'a tag belongs to one read at a time, stays in its partition and comes back',
    watches: ['tag.grant', 'tag.release', 'tag.free', 'tlp.read'],
    begin: (): Tags => ({ held: Array.from({ length: nodes }, () => ({})), returning: {} }),
    see({ held, returning }, { from, to, event }, found) {
      switch (event.type) {
        case 'tag.grant': {
          const tags = held[nodeIn(to)]!;
          const { tag } = event;
          const channel = channelIn(to);
          const first = parameters.tagsPerChannel.slice(0, channel).reduce((sum, count) => sum + count, 0);
          const count = parameters.tagsPerChannel[channel]!;
          if (!from.endsWith('.TagPool')) found([to, from], `tag ${tag} is given by ${from}`);
          const holder = tags[tag];
          if (holder !== undefined) found([to, holder], `tag ${tag} is given while ${holder} has it`);
          if (tag < first || tag >= first + count)
            found([to], `tag ${tag} is not one of ${first} to ${first + count - 1}`);
          tags[tag] = to;
          const holders = Object.values(tags);
          const used = holders.filter((one) => one === to).length;
          if (used > count) found([to], `${used} tags are in use of ${count}`);
          if (holders.length > tagsOfChip) found([to], `${holders.length} tags of the chip are in use`);
          return;
        }
        case 'tag.release':
          if (held[nodeIn(from)]![event.tag] !== from)
            found([from], `tag ${event.tag} comes back, which the channel does not have`);
          else {
            returning[from] ??= [];
            returning[from].push(event.tag);
          }
          return;
        case 'tag.free': {
          const tag = returning[to]?.shift();
          if (tag === undefined) found([to], 'a tag is free that nobody gave back');
          else delete held[nodeIn(to)]![tag];
          return;
        }
        case 'tlp.read':
          if (isDmac(from) && held[nodeIn(from)]![event.tag] !== from)
            found([from], `a read goes out with tag ${event.tag}, which the channel does not have`);
      }
    },
    ...mustEnd('has not come back', 'tags have not come back', ({ held }: Tags) =>
      held.flatMap((tags) =>
        Object.entries(tags).map(([tag, who]) => ({ who, what: `tag ${tag}`, key: `${tag} of ${who}` })),
      ),
    ),
  });
