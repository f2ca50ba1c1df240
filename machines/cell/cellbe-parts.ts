import type { AnyStateMachine } from 'xstate';
import { eibCommandBus } from '../../actors/cell/eib/command-bus.ts';
import { eibDataArbiter } from '../../actors/cell/eib/data-arbiter.ts';
import type { EibSpec } from '../../actors/cell/eib/eib-spec.ts';
import { mfc } from '../../actors/cell/eib/mfc.ts';
import { programUnit } from '../../actors/cell/eib/program-unit.ts';
import { RingScheduler } from '../../actors/cell/eib/ring-scheduler.ts';
import { store } from '../../actors/cell/eib/store.ts';

/** What an Element Interconnect Bus is made of: a mutant is this with one of them changed (Cell specification 19). */
export interface EibParts {
  readonly unit: AnyStateMachine;
  readonly mfc: AnyStateMachine;
  readonly store: AnyStateMachine;
  readonly commandBus: AnyStateMachine;
  readonly dataArbiter: AnyStateMachine;
  readonly scheduler: (spec: EibSpec) => RingScheduler;
}

/** The parts as specified (Cell specification 19). */
export const soundEibParts: EibParts = {
  unit: programUnit,
  mfc,
  store,
  commandBus: eibCommandBus,
  dataArbiter: eibDataArbiter,
  scheduler: (spec) => new RingScheduler(spec),
};
