import type { MailboxContext } from '../../actors/chiplet/gpu/mailbox.ts';
import type { MailboxRequest, MessageArrived } from '../../actors/chiplet/gpu/messages.ts';
import type { WholeSimtCoreInput } from '../../actors/chiplet/gpu/simt-core.ts';
import { component } from '../../kernel/kit.ts';
import type { Mutants } from '../mutant.ts';
import { begunWith, planted, recipeOf } from '../planting.ts';
import type { ChipletParts } from './gpu-chiplet.ts';
import type { SystemParts } from './system-assembly.ts';

const boxes = component<MailboxContext, MailboxRequest | MessageArrived>();

/** A core with its coordinates in the other order, where it must know them. */
const turned = (input: WholeSimtCoreInput): WholeSimtCoreInput => ({
  ...input,
  own: input.own && [input.own[1], input.own[0]],
});

/** Planted faults in the rule of who a message of a kernel is from (chiplet specification 4.2, 13). */
export const sourceMutants: Mutants<SystemParts> = new Map([
  [
    'own-turned',
    {
      sentence:
        'where sources are strict, kernels are compared with the coordinates of their chiplet turned round',
      mutate: (parts) => ({
        ...parts,
        chiplet: {
          ...parts.chiplet,
          simtCore: begunWith(parts.chiplet.simtCore, turned) as ChipletParts['simtCore'],
        },
      }),
    },
  ],
  [
    'source-believed',
    {
      sentence: 'a message is from the chiplet that its kernel names, whatever the configuration says',
      mutate: (parts) => {
        const { mailbox } = parts.chiplet;
        const take = recipeOf<MailboxContext, MailboxRequest>(mailbox, 'take');
        const changed = boxes.act<'mailbox.request'>((c, request, out) => {
          const believing = c as { spec: MailboxContext['spec'] };
          believing.spec = { ...c.spec, trustSource: true };
          take(c, request, out);
        });
        return {
          ...parts,
          chiplet: { ...parts.chiplet, mailbox: planted(mailbox, { actions: { take: changed } }) },
        };
      },
    },
  ],
]);
