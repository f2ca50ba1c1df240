import type { ControllerContext } from '../../../actors/cell/controller.ts';
import type { DmaContext } from '../../../actors/cell/dma-module.ts';
import type { CellEvents } from '../../../actors/cell/protocol.ts';
import { component } from '../../../kernel/kit.ts';
import type { LockstepEvent, Post } from '../../../kernel/message.ts';
import { mutantsOf } from '../../mutant.ts';
import { plantingIn, postedBy } from '../../planting.ts';
import type { CellParts } from '../parts.ts';
import type { CellFault } from './mutant.ts';

const controller = component<ControllerContext, CellEvents<'Controller'>>();
const dma = component<DmaContext, CellEvents<'Dma'>>();

const { replace } = plantingIn<CellParts>();

/** A DMA module that reports the end of a cycle in another way. */
const reporting = (
  change: (report: () => Post, module: DmaContext, event: LockstepEvent) => Post | Post[] | undefined,
) =>
  replace('dma', (machine) => {
    const report = postedBy<DmaContext>(machine, 'reportDone');
    const reportDone = dma.post((module, event) =>
      change(() => report(module, event) as Post, module, event),
    );
    return { actions: { reportDone } };
  });

/** Faults at the barrier of a cycle (Cell specification 8, 21.4). */
export const barrierFaults = mutantsOf<CellParts, CellFault>({
  'M-13': {
    sentence: 'the barrier opens with one party missing',
    mustRaise: ['CK-17'],
    mutate: replace('controller', (machine) => {
      const beginArbiter = postedBy<ControllerContext>(machine, 'beginArbiter');
      const missing = (c: ControllerContext) => (c.spec.modules.length > 1 ? 2 : 1);
      return {
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
      };
    }),
  },
  'M-14': {
    sentence: 'a DMA module reports the end of a cycle twice',
    mustRaise: ['CK-16'],
    mutate: reporting((report) => [report(), report()]),
  },
  'M-15': {
    sentence: 'a DMA module without work skips the barrier',
    mustRaise: ['CK-18', 'deadlock'],
    mutate: reporting((report, _module, { type }) => (type === 'dma.phase' ? undefined : report())),
  },
  'D-01': {
    sentence: 'the DMA module of SPU 0 never arrives at the barrier after its first byte',
    mustRaise: ['CK-18', 'deadlock'],
    mutate: reporting((report, { spec }, { type }) =>
      spec.spu === 0 && type !== 'dma.phase' ? undefined : report(),
    ),
  },
});
