import { type ControlContext, hasRecords, needsBusyPort } from '../../../actors/grape/control-processor.ts';
import type { ControlRun } from '../../../actors/grape/messages.ts';
import { component } from '../../../kernel/kit.ts';
import { planted, recipeOf } from '../../planting.ts';
import type { GrapeFault } from './fault.ts';

const { act, when } = component<ControlContext, ControlRun>();

/** Faults of the control processor (GRAPE specification 6.3, 6.4). */
export const controlFaults: readonly GrapeFault[] = [
  {
    id: 'G-20',
    sentence: 'the control processor starts a port while the other one is busy',
    mutate: (parts) => ({
      ...parts,
      controlProcessor: planted(parts.controlProcessor, {
        guards: {
          // Only a reduction beside an input transfer: a port itself takes one transfer at a time.
          needsBusyPort: when((c) => {
            const step = c.job!.value.body[c.step];
            const beside = c.section === 'body' && step?.kind === 'slot' && step.slot.rrn !== undefined;
            return needsBusyPort(c) && !(beside && c.counts.idp > c.counts.rrn);
          }),
        },
      }),
    }),
  },
  {
    id: 'G-21',
    sentence: 'a pass begins while its records are on their way',
    mutate: (parts) => ({
      ...parts,
      controlProcessor: planted(parts.controlProcessor, {
        guards: { recordsAreThere: when((c) => hasRecords(c) || c.fed > c.pass) },
      }),
    }),
  },
  {
    id: 'G-22',
    sentence: 'a run of two passes or more has one too few',
    mutate: (parts) => {
      const begin = recipeOf<ControlContext, ControlRun>(parts.controlProcessor, 'begin');
      return {
        ...parts,
        controlProcessor: planted(parts.controlProcessor, {
          actions: {
            begin: act<'control.run'>((c, event, out) => {
              const { job } = event;
              const passes = job.passes > 1 ? job.passes - 1 : job.passes;
              begin(c, { ...event, job: { ...job, passes } }, out);
            }),
          },
        }),
      };
    },
  },
  {
    id: 'G-23',
    sentence: 'the read pointers stay where they are when a run begins',
    mutate: (parts) => {
      const begin = recipeOf<ControlContext, ControlRun>(parts.controlProcessor, 'begin');
      return {
        ...parts,
        controlProcessor: planted(parts.controlProcessor, {
          actions: {
            begin: act<'control.run'>((c, event, out) =>
              begin(c, { ...event, job: { ...event.job, rewinds: false } }, out),
            ),
          },
        }),
      };
    },
  },
];
