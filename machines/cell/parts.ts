import type { AnyStateMachine } from 'xstate';
import { arbiter } from '../../actors/cell/arbiter.ts';
import { ArbitrationScheduler, type ArbitrationSpec } from '../../actors/cell/arbitration-scheduler.ts';
import { commandBus } from '../../actors/cell/command-bus.ts';
import { controller } from '../../actors/cell/controller.ts';
import { dmaModule } from '../../actors/cell/dma-module.ts';
import { memoryModule } from '../../actors/cell/memory-module.ts';
import { request } from '../../actors/cell/request.ts';
import { spu } from '../../actors/cell/spu.ts';

/** The state machines a Cell ring machine is made of: a mutant is this with one of them changed. */
export interface CellParts {
  readonly controller: AnyStateMachine;
  readonly spu: AnyStateMachine;
  readonly dma: AnyStateMachine;
  readonly request: AnyStateMachine;
  readonly arbiter: AnyStateMachine;
  readonly bus: AnyStateMachine;
  readonly memory: AnyStateMachine;
  readonly scheduler: (spec: ArbitrationSpec) => ArbitrationScheduler;
}

/** The parts as specified. */
export const soundParts: CellParts = {
  controller,
  spu,
  dma: dmaModule,
  request,
  arbiter,
  bus: commandBus,
  memory: memoryModule,
  scheduler: (spec) => new ArbitrationScheduler(spec),
};
