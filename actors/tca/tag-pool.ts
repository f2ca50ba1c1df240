import { setup } from 'xstate';
import { tcaProtocol } from './protocol.ts';

/** How many tags each channel has. */
export interface TagPoolInput {
  readonly tagsPerChannel: readonly number[];
}

/** The tags of a chip: by channel those that are free. */
export interface TagPoolContext {
  readonly spec: TagPoolInput;
  free: number[][];
}

const role = tcaProtocol.roles.TagPool;
const { act } = role.component<TagPoolContext>();

/** The tag pool of a chip (TCA specification 1.8, 7): 64 tags in fixed partitions. */
export const tagPool = setup({
  types: role.types<TagPoolContext, TagPoolInput>(),
  actions: {
    grant: act<'tag.take'>((c, { channel }, out) => {
      const tag = c.free[channel]!.shift();
      if (tag === undefined) throw new Error(`ETAG: channel ${channel} took a tag that it does not have`);
      out.post({ to: out.from, type: 'tag.grant', tag });
    }),
    release: act<'tag.release'>((c, { channel, tag }, out) => {
      if (c.free[channel]!.includes(tag)) throw new Error(`ETAG: tag ${tag} was released twice`);
      c.free[channel]!.push(tag);
      out.post({ to: out.from, type: 'tag.free' });
    }),
  },
}).createMachine({
  id: 'tagPool',
  context: ({ input }) => {
    let first = 0;
    const free = input.tagsPerChannel.map((count) => {
      const tags = Array.from({ length: count }, (_, k) => first + k);
      first += count;
      return tags;
    });
    return { spec: input, free };
  },
  initial: 'serving',
  states: {
    serving: { on: { 'tag.take': { actions: 'grant' }, 'tag.release': { actions: 'release' } } },
  },
});
