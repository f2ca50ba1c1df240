import { createMachine } from 'xstate';
import type { MailboxContext } from '../../actors/chiplet/gpu/mailbox.ts';
import type { MailboxRequest, MessageArrived } from '../../actors/chiplet/gpu/messages.ts';
import type { SimtCoreContext, SimtCoreInput } from '../../actors/chiplet/gpu/simt-core.ts';
import { component } from '../../kernel/kit.ts';
import type { Mutants } from '../mutant.ts';
import { planted, recipeOf } from '../planting.ts';
import type { ChipletParts } from './gpu-chiplet.ts';
import type { SystemParts } from './system-assembly.ts';

const boxes = component<MailboxContext, MailboxRequest | MessageArrived>();

/** The core with its coordinates in the other order, where it must know them. */
function turned(core: ChipletParts['simtCore']): ChipletParts['simtCore'] {
  const context = core.config.context as unknown as (args: { input: SimtCoreInput }) => SimtCoreContext;
  const made = createMachine({
    ...core.config,
    context: ({ input }: { input: SimtCoreInput }) =>
      context({ input: { ...input, own: input.own && [input.own[1], input.own[0]] } }),
  } as never);
  return made.provide(core.implementations as never) as unknown as ChipletParts['simtCore'];
}

/** Planted faults in the rule of who a message of a kernel is from (chiplet specification 4.2, 13). */
export const sourceMutants: Mutants<SystemParts> = new Map([
  [
    'own-turned',
    {
      sentence:
        'where sources are strict, kernels are compared with the coordinates of their chiplet turned round',
      mutate: (parts) => ({
        ...parts,
        chiplet: { ...parts.chiplet, simtCore: turned(parts.chiplet.simtCore) },
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
