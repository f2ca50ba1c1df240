import type { ControlContext } from '../../../actors/grape/control-processor.ts';
import type { ControlRun } from '../../../actors/grape/messages.ts';
import { component } from '../../../kernel/kit.ts';
import { planted, recipeOf } from '../../planting.ts';
import type { GrapeFault } from './fault.ts';

const { act } = component<ControlContext, ControlRun>();

/** Faults of the control processor (GRAPE specification 6.3, 6.4). */
export const controlFaults: readonly GrapeFault[] = [
  {
    id: 'G-20',
    sentence: 'the control processor starts a port while the other one is busy',
    mutate: (parts) => {
      const proceed = recipeOf<ControlContext>(parts.controlProcessor, 'proceed');
      return {
        ...parts,
        controlProcessor: planted(parts.controlProcessor, {
          actions: {
            proceed: act((c, event, out) => {
              // Only a reduction beside an input transfer: a port itself takes one transfer at a time.
              const job = c.job!.value;
              const step = job.body[c.step];
              const otherPort = c.counts.idp > c.counts.rrn;
              if (otherPort && c.part === 'body' && step?.kind === 'slot' && step.slot.rrn)
                c.portFree = Math.min(c.portFree ?? c.next, c.next);
              proceed(c, event, out);
            }),
          },
        }),
      };
    },
  },
  {
    id: 'G-21',
    sentence: 'a pass begins while its records are on their way',
    mutate: (parts) => {
      const proceed = recipeOf<ControlContext>(parts.controlProcessor, 'proceed');
      return {
        ...parts,
        controlProcessor: planted(parts.controlProcessor, {
          actions: {
            proceed: act((c, event, out) => {
              proceed(c, event, out);
              if (c.verdict !== 'notFed') return;
              const known = c.portFree;
              c.portFree = c.next;
              proceed(c, event, out);
              c.portFree = known;
            }),
          },
        }),
      };
    },
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
