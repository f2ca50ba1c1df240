import type { DmacContext } from '../../actors/tca/dmac-context.ts';
import { subTicks } from '../../actors/tca/parameters.ts';
import type { TcaMessage } from '../../actors/tca/protocol.ts';
import type { TagPoolContext } from '../../actors/tca/tag-pool.ts';
import { component } from '../../kernel/kit.ts';
import type { Post } from '../../kernel/message.ts';
import { mutantsOf } from '../mutant.ts';
import { as, plantingIn, together } from '../planting.ts';
import type { TcaParts } from './assembly.ts';

const dma = component<DmacContext, TcaMessage<'dmac.internal'>>();
const { instead, replace, saying } = plantingIn<TcaParts>();

/** A tag that no pool has. */
const noTag = -1;

const atHand = (c: DmacContext) => c.chain[c.descriptor];

/** Puts the read with this tag first in the reorder buffer once these bytes make it whole. */
function hurry(c: DmacContext, tag: number, bytes: number): void {
  const at = c.slots.findIndex((slot) => slot.tag === tag && slot.arrived < slot.bytes.length);
  const slot = c.slots[at];
  if (slot === undefined || slot.arrived + bytes < slot.bytes.length) return;
  c.slots.splice(at, 1);
  c.slots.unshift(slot);
}

/** Bytes that hurry past the reads before them when `action` takes them. */
const hurried = (action: 'takeBytes' | 'takeWord') =>
  instead<DmacContext, TcaMessage<'tlp.completion'> | TcaMessage<'dmac.internal'>>(
    'dmac',
    action,
    (take, c, event, out) => {
      hurry(c, event.tag, event.data.length);
      take(c, event, out);
    },
  );

const isReleaseOf = (message: Post, tag: number): boolean =>
  message.type === 'tag.release' && as<TcaMessage<'tag.release'>>(message).tag === tag;

/** Planted faults of DMA channels and their tags, by id (TCA specification 19, 21 A7). */
export const channelMutants = mutantsOf<TcaParts>({
  'T-01': {
    sentence: 'a descriptor is fetched without a free tag',
    mutate: replace('dmac', {
      guards: { noTag: dma.when((c) => c.free === 0 && c.read < c.reads.length) },
    }),
  },
  'T-02': {
    sentence: 'a notify word is read without a tag',
    mutate: together(
      replace('dmac', {
        guards: { noTag: dma.when((c) => c.free === 0 && !(c.read < c.reads.length && atHand(c)?.data)) },
      }),
      instead<DmacContext>('dmac', 'takeTag', (takeTag, c, event, out) => {
        if (atHand(c)?.data) out.post({ to: out.self, type: 'tag.grant', tag: noTag } as Post);
        else takeTag(c, event, out);
      }),
      saying('dmac', 'takeWord', (message) => (isReleaseOf(message, noTag) ? [] : message)),
    ),
  },
  'T-03': {
    sentence: 'reads retire as their bytes come, not in the order of the requests',
    mutate: hurried('takeBytes'),
  },
  'T-04': {
    sentence: 'the first tag of the chip is lost when it comes back',
    mutate: instead<TagPoolContext, TcaMessage<'tag.release'>>(
      'tagPool',
      'release',
      (release, c, event, out) => {
        if (event.tag !== 0) release(c, event, out);
      },
    ),
  },
  'T-05': {
    sentence: 'a tag is handed out while a read has it',
    mutate: together(
      instead<TagPoolContext, TcaMessage<'tag.take'>>('tagPool', 'grant', (grant, c, event, out) => {
        const [first] = c.free[event.channel]!;
        grant(c, event, out);
        c.free[event.channel]!.unshift(first!);
      }),
      instead<TagPoolContext, TcaMessage<'tag.release'>>('tagPool', 'release', (release, c, event, out) => {
        c.free[event.channel] = c.free[event.channel]!.filter((tag) => tag !== event.tag);
        release(c, event, out);
      }),
      replace('tagPool', { guards: { isLastCredit: dma.when(() => false) } }),
    ),
  },
  'T-11': {
    sentence: 'the performance counter counts a chain twice',
    mutate: instead<DmacContext>('dmac', 'count', (count, c, event, out) => {
      c.finished++;
      count(c, event, out);
    }),
  },
  'T-12': {
    sentence: 'a notify word is written as soon as it is there, before the data of its chain',
    mutate: together(
      saying('dmac', 'request', (message) =>
        message.type === 'dmac.internal' ? { ...message, delay: subTicks } : message,
      ),
      hurried('takeWord'),
    ),
  },
});
