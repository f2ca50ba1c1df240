import { judged, property } from '../property.ts';
import { channelIn, isDmac, nodeIn, said, type TcaContext } from './context.ts';
import { LeftOver } from './left-over.ts';

/** Tags that a chip has in all (TCA specification 7). */
const tagsOfChip = 64;

/** Tags in use stay within their partition, each belongs to one read, and all come back (TCA specification 19, I1 and I2). */
export const tagsBelongToOneRead = property<TcaContext>(
  'a tag belongs to one read at a time, stays in its partition and comes back',
  (run, { config }) =>
    judged(said(run, 'tag.grant', 'tag.release', 'tag.free', 'tlp.read'), (found) => {
      const { tagsPerChannel } = config.parameters;
      /** By node: the channel that has each tag. */
      const held = Array.from({ length: config.nodes }, () => new Map<number, string>());
      /** By channel: tags that it gave back and that are not free yet. */
      const returning = new Map<string, readonly number[]>();

      const granted = (name: string, tag: number, pool: string) => {
        const tags = held[nodeIn(name)]!;
        const channel = channelIn(name);
        const first = tagsPerChannel.slice(0, channel).reduce((sum, count) => sum + count, 0);
        const count = tagsPerChannel[channel]!;
        if (!pool.endsWith('.TagPool')) found([name, pool], `tag ${tag} is given by ${pool}`);
        if (tags.has(tag)) found([name, tags.get(tag)!], `tag ${tag} is given while ${tags.get(tag)} has it`);
        if (tag < first || tag >= first + count)
          found([name], `tag ${tag} is not one of ${first} to ${first + count - 1}`);
        tags.set(tag, name);
        const used = [...tags.values()].filter((one) => one === name).length;
        if (used > count) found([name], `${used} tags are in use of ${count}`);
        if (tags.size > tagsOfChip) found([name], `${tags.size} tags of the chip are in use`);
      };

      return {
        see({ from, to, event }) {
          switch (event.type) {
            case 'tag.grant':
              granted(to, event.tag, from);
              return;
            case 'tag.release':
              if (held[nodeIn(from)]!.get(event.tag) !== from)
                found([from], `tag ${event.tag} comes back, which the channel does not have`);
              else returning.set(from, [...(returning.get(from) ?? []), event.tag]);
              return;
            case 'tag.free': {
              const [tag, ...others] = returning.get(to) ?? [];
              if (tag === undefined) found([to], 'a tag is free that nobody gave back');
              else held[nodeIn(to)]!.delete(tag);
              returning.set(to, others);
              return;
            }
            case 'tlp.read':
              if (isDmac(from) && held[nodeIn(from)]!.get(event.tag) !== from)
                found([from], `a read goes out with tag ${event.tag}, which the channel does not have`);
          }
        },
        end() {
          if (!run.quiet) return;
          const out = new LeftOver();
          for (const tags of held) for (const [tag, name] of tags) out.add(name, `tag ${tag}`);
          out.tell('has not come back', 'tags have not come back', found);
        },
      };
    }),
);
