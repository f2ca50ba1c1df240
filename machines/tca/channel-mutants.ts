import type { DmacContext } from '../../actors/tca/dmac-context.ts';
import type { Completion, InternalRead, TagGrant, TagRelease, TagTake } from '../../actors/tca/messages.ts';
import { subTicks } from '../../actors/tca/parameters.ts';
import type { TagPoolContext } from '../../actors/tca/tag-pool.ts';
import { component } from '../../kernel/kit.ts';
import type { Post } from '../../kernel/message.ts';
import type { Mutant } from '../mutant.ts';
import { altered, planted, recipeOf } from '../planting.ts';
import type { TcaParts } from './assembly.ts';

const dma = component<DmacContext, Completion | InternalRead | TagGrant>();
const pool = component<TagPoolContext, TagTake | TagRelease>();

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

const withDmac = (parts: TcaParts, changes: Parameters<typeof planted>[1]): TcaParts => ({
  ...parts,
  dmac: planted(parts.dmac, changes),
});

const isReleaseOf = (message: Post, tag: number): boolean =>
  message.type === 'tag.release' && (message as unknown as TagRelease).tag === tag;

/** Planted faults of DMA channels and their tags, by id (TCA specification 19, 21 A7). */
export const channelMutants: readonly (readonly [string, Mutant<TcaParts>])[] = [
  [
    'T-01',
    {
      sentence: 'a descriptor is fetched without a free tag',
      mutate: (parts) =>
        withDmac(parts, {
          guards: { noTag: dma.when((c) => c.free === 0 && c.read < c.reads.length) },
        }),
    },
  ],
  [
    'T-02',
    {
      sentence: 'a notify word is read without a tag',
      mutate: (parts) => {
        const takeTag = recipeOf<DmacContext>(parts.dmac, 'takeTag');
        const takeWord = recipeOf<DmacContext, InternalRead>(parts.dmac, 'takeWord');
        return withDmac(parts, {
          guards: {
            noTag: dma.when((c) => c.free === 0 && !(c.read < c.reads.length && atHand(c)?.data)),
          },
          actions: {
            takeTag: dma.act((c, event, out) => {
              if (atHand(c)?.data) out.post({ to: out.self, type: 'tag.grant', tag: noTag });
              else takeTag(c, event, out);
            }),
            takeWord: dma.act<'dmac.internal'>((c, event, out) =>
              takeWord(
                c,
                event,
                altered(out, (one) => (isReleaseOf(one, noTag) ? [] : [one])),
              ),
            ),
          },
        });
      },
    },
  ],
  [
    'T-03',
    {
      sentence: 'reads retire as their bytes come, not in the order of the requests',
      mutate: (parts) => {
        const takeBytes = recipeOf<DmacContext, Completion>(parts.dmac, 'takeBytes');
        return withDmac(parts, {
          actions: {
            takeBytes: dma.act<'tlp.completion'>((c, event, out) => {
              hurry(c, event.tag, event.data.length);
              takeBytes(c, event, out);
            }),
          },
        });
      },
    },
  ],
  [
    'T-04',
    {
      sentence: 'the first tag of the chip is lost when it comes back',
      mutate: (parts) => {
        const release = recipeOf<TagPoolContext, TagRelease>(parts.tagPool, 'release');
        return {
          ...parts,
          tagPool: planted(parts.tagPool, {
            actions: {
              release: pool.act<'tag.release'>((c, event, out) => {
                if (event.tag !== 0) release(c, event, out);
              }),
            },
          }),
        };
      },
    },
  ],
  [
    'T-05',
    {
      sentence: 'a tag is handed out while a read has it',
      mutate: (parts) => {
        const grant = recipeOf<TagPoolContext, TagTake>(parts.tagPool, 'grant');
        const release = recipeOf<TagPoolContext, TagRelease>(parts.tagPool, 'release');
        return {
          ...parts,
          tagPool: planted(parts.tagPool, {
            guards: { isLastCredit: pool.when(() => false) },
            actions: {
              grant: pool.act<'tag.take'>((c, event, out) => {
                const [first] = c.free[event.channel]!;
                grant(c, event, out);
                c.free[event.channel]!.unshift(first!);
              }),
              release: pool.act<'tag.release'>((c, event, out) => {
                c.free[event.channel] = c.free[event.channel]!.filter((tag) => tag !== event.tag);
                release(c, event, out);
              }),
            },
          }),
        };
      },
    },
  ],
  [
    'T-11',
    {
      sentence: 'the performance counter counts a chain twice',
      mutate: (parts) => {
        const count = recipeOf<DmacContext>(parts.dmac, 'count');
        return withDmac(parts, {
          actions: {
            count: dma.act((c, event, out) => {
              c.finished++;
              count(c, event, out);
            }),
          },
        });
      },
    },
  ],
  [
    'T-12',
    {
      sentence: 'a notify word is written as soon as it is there, before the data of its chain',
      mutate: (parts) => {
        const request = recipeOf<DmacContext, TagGrant>(parts.dmac, 'request');
        const takeWord = recipeOf<DmacContext, InternalRead>(parts.dmac, 'takeWord');
        const atOnce = (one: Post): Post => {
          return one.type === 'dmac.internal' ? ({ ...one, delay: subTicks } as Post) : one;
        };
        return withDmac(parts, {
          actions: {
            request: dma.act<'tag.grant'>((c, event, out) =>
              request(
                c,
                event,
                altered(out, (one) => [atOnce(one)]),
              ),
            ),
            takeWord: dma.act<'dmac.internal'>((c, event, out) => {
              hurry(c, event.tag, event.data.length);
              takeWord(c, event, out);
            }),
          },
        });
      },
    },
  ],
];
