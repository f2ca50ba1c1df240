import { setup } from 'xstate';
import { creditStates } from '../common/credits.ts';
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
const { act, when } = role.component<TagPoolContext>();

type OfChannel = { readonly channel: number };

/** The tags of one channel: some, or none. */
function tagsOf(channel: number) {
  const isOf = { guard: { type: 'isOf', params: { channel } } } as const;
  const { some, none } = creditStates(
    'tag.take',
    'tag.release',
    { spend: ['grant'], spendLast: ['grant'], refund: ['release'], refundFirst: ['release'] },
    { guard: { type: 'isLastCredit', params: { channel } } } as const,
    isOf,
  );
  const takesNone = { 'tag.take': { ...isOf, actions: 'refuse' } } as const;
  return { initial: 'some', states: { some, none: { on: { ...none.on, ...takesNone } } } } as const;
}

/** The tag pool of a chip (TCA specification 1.8, 7): 64 tags in fixed partitions. */
export const tagPool = setup({
  types: role.types<TagPoolContext, TagPoolInput>(),
  guards: {
    isOf: when((_c, { channel }, _envelope, of: OfChannel) => channel === of.channel),
    isLastCredit: when(
      ({ free }, { channel }, _envelope, of: OfChannel) =>
        channel === of.channel && free[channel]!.length === 1,
    ),
  },
  actions: {
    grant: act<'tag.take'>((c, { channel }, out) => {
      out.post({ to: out.from, type: 'tag.grant', tag: c.free[channel]!.shift()! });
    }),
    refuse: act<'tag.take'>((_c, { channel }) => {
      throw new Error(`ETAG: channel ${channel} took a tag that it does not have`);
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
  type: 'parallel',
  states: { channel0: tagsOf(0), channel1: tagsOf(1), channel2: tagsOf(2), channel3: tagsOf(3) },
});
