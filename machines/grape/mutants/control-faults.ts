import { type ControlContext, hasRecords, needsBusyPort } from '../../../actors/grape/control-processor.ts';
import type { GrapeMessage } from '../../../actors/grape/protocol.ts';
import { component } from '../../../kernel/kit.ts';
import { mutantsOf } from '../../mutant.ts';
import { plantingIn } from '../../planting.ts';
import type { GrapeParts } from '../assembly.ts';

const { when } = component<ControlContext, GrapeMessage<'control.run'>>();
const { hearing, replace } = plantingIn<GrapeParts>();

/** Faults of the control processor (GRAPE specification 6.3, 6.4). */
export const controlFaults = mutantsOf<GrapeParts>({
  'G-20': {
    sentence: 'the control processor starts a port while the other one is busy',
    mutate: replace('controlProcessor', {
      guards: {
        // Only a reduction beside an input transfer: a port itself takes one transfer at a time.
        needsBusyPort: when((c) => {
          const step = c.job!.value.body[c.step];
          const beside = c.section === 'body' && step?.kind === 'slot' && step.slot.rrn !== undefined;
          return needsBusyPort(c) && !(beside && c.counts.idp > c.counts.rrn);
        }),
      },
    }),
  },
  'G-21': {
    sentence: 'a pass begins while its records are on their way',
    mutate: replace('controlProcessor', {
      guards: { recordsAreThere: when((c) => hasRecords(c) || c.fed > c.pass) },
    }),
  },
  'G-22': {
    sentence: 'a run of two passes or more has one too few',
    mutate: hearing<GrapeMessage<'control.run'>>('controlProcessor', 'begin', (run) => {
      const { job } = run;
      return { ...run, job: { ...job, passes: job.passes > 1 ? job.passes - 1 : job.passes } };
    }),
  },
  'G-23': {
    sentence: 'the read pointers stay where they are when a run begins',
    mutate: hearing<GrapeMessage<'control.run'>>('controlProcessor', 'begin', (run) => ({
      ...run,
      job: { ...run.job, rewinds: false },
    })),
  },
});
