import type { ControllerContext } from '../../../actors/cell/controller.ts';
import type { DmaContext } from '../../../actors/cell/dma-module.ts';
import type { CellEvents } from '../../../actors/cell/protocol.ts';
import { component } from '../../../kernel/kit.ts';
import type { Post } from '../../../kernel/message.ts';
import { planted, postedBy } from '../../planting.ts';
import type { CellMutant } from './mutant.ts';

const controller = component<ControllerContext, CellEvents<'Controller'>>();
const dma = component<DmaContext, CellEvents<'Dma'>>();

/** Faults at the barrier of a cycle (Cell specification 8, 21.4). */
export const barrierFaults: readonly CellMutant[] = [
  {
    id: 'M-13',
    sentence: 'the barrier opens with one party missing',
    mustRaise: ['CK-17'],
    scheduleDependent: false,
    mutate: (parts) => {
      const beginArbiter = postedBy<ControllerContext>(parts.controller, 'beginArbiter');
      const missing = (c: ControllerContext) => (c.spec.modules.length > 1 ? 2 : 1);
      return {
        ...parts,
        controller: planted(parts.controller, {
          guards: {
            lastModule: controller.when((c) => c.modulesLeft.length === missing(c)),
            lastOfAll: controller.when((c) => c.spusLeft.length + c.modulesLeft.length === 2),
          },
          actions: {
            // In canonical order the missing module has not been called yet.
            beginArbiter: controller.post((c, event) => {
              const late = c.spec.interleaving === 'ordered' ? c.modulesLeft : [];
              const calls = late.map((spu) => ({ to: c.spec.modules[spu]!, type: 'dma.phase', t: c.t }));
              return [...calls, beginArbiter(c, event) as Post];
            }),
          },
        }),
      };
    },
  },
  {
    id: 'M-14',
    sentence: 'a DMA module reports the end of a cycle twice',
    mustRaise: ['CK-16'],
    scheduleDependent: false,
    mutate: (parts) => {
      const report = postedBy<DmaContext>(parts.dma, 'reportDone');
      return {
        ...parts,
        dma: planted(parts.dma, {
          actions: {
            reportDone: dma.post((module, event) => {
              const done = report(module, event) as Post;
              return [done, done];
            }),
          },
        }),
      };
    },
  },
  {
    id: 'M-15',
    sentence: 'a DMA module without work skips the barrier',
    mustRaise: ['CK-18', 'deadlock'],
    scheduleDependent: false,
    mutate: (parts) => {
      const report = postedBy<DmaContext>(parts.dma, 'reportDone');
      return {
        ...parts,
        dma: planted(parts.dma, {
          actions: {
            reportDone: dma.post((module, event) =>
              event.type === 'dma.phase' ? undefined : report(module, event),
            ),
          },
        }),
      };
    },
  },
  {
    id: 'D-01',
    sentence: 'the DMA module of SPU 0 never arrives at the barrier after its first byte',
    mustRaise: ['CK-18', 'deadlock'],
    scheduleDependent: false,
    mutate: (parts) => {
      const report = postedBy<DmaContext>(parts.dma, 'reportDone');
      return {
        ...parts,
        dma: planted(parts.dma, {
          actions: {
            reportDone: dma.post((module, event) =>
              module.spec.spu === 0 && event.type !== 'dma.phase' ? undefined : report(module, event),
            ),
          },
        }),
      };
    },
  },
];
