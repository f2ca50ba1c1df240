import type { AnyStateMachine } from 'xstate';
import { arbiter } from '../../actors/cell/arbiter.ts';
import { commandBus } from '../../actors/cell/command-bus.ts';
import { controller } from '../../actors/cell/controller.ts';
import { dmaModule } from '../../actors/cell/dma-module.ts';
import { memoryModule } from '../../actors/cell/memory-module.ts';
import { request } from '../../actors/cell/request.ts';
import { ringRequest } from '../../actors/cell/ring-request.ts';
import { spu } from '../../actors/cell/spu.ts';

/** The state machines a Cell ring machine is made of: a mutant is this with one of them changed. */
export interface CellParts {
  readonly controller: AnyStateMachine;
  readonly spu: AnyStateMachine;
  readonly dma: AnyStateMachine;
  readonly request: AnyStateMachine;
  readonly arbiter: AnyStateMachine;
  readonly ringRequest: AnyStateMachine;
  readonly bus: AnyStateMachine;
  readonly memory: AnyStateMachine;
}

/** The parts as specified. */
export const soundParts: CellParts = {
  controller,
  spu,
  dma: dmaModule,
  request,
  arbiter,
  ringRequest,
  bus: commandBus,
  memory: memoryModule,
};
