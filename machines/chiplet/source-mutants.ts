import type { MailboxContext } from '../../actors/chiplet/gpu/mailbox.ts';
import type { WholeSimtCoreInput } from '../../actors/chiplet/gpu/simt-core.ts';
import { mutantsOf } from '../mutant.ts';
import { begunWith, plantingIn } from '../planting.ts';
import type { ChipletParts } from './gpu-chiplet.ts';
import type { SystemParts } from './system-assembly.ts';

/** A mailbox that trusts what a kernel says of a source. */
const believing = plantingIn<ChipletParts>().instead<MailboxContext>(
  'mailbox',
  'take',
  (take, c, request, out) => {
    const misled = c as { spec: MailboxContext['spec'] };
    misled.spec = { ...c.spec, trustSource: true };
    take(c, request, out);
  },
);

/** A core with its coordinates in the other order, where it must know them. */
const turned = (input: WholeSimtCoreInput): WholeSimtCoreInput => ({
  ...input,
  own: input.own && [input.own[1], input.own[0]],
});

/** Planted faults in the rule of who a message of a kernel is from (chiplet specification 4.2, 13). */
export const sourceMutants = mutantsOf<SystemParts>({
  'own-turned': {
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
  'source-believed': {
    sentence: 'a message is from the chiplet that its kernel names, whatever the configuration says',
    mutate: (parts) => ({ ...parts, chiplet: believing(parts.chiplet) }),
  },
});
