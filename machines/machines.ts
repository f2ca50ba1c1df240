import { cellbeMachine } from './cell/cellbe-machine.ts';
import { cellMachine } from './cell.ts';
import { chipletMachine } from './chiplet.ts';
import { grapeMachine } from './grape.ts';
import type { Machine } from './machine.ts';
import { protocolMachines } from './protocols.ts';
import { sunwayMachine } from './sunway.ts';
import { tcaMachine } from './tca.ts';

/** All machines, in the order of `lockstep list`. A new one is one line here. */
export const machines: readonly Machine[] = [
  cellMachine as unknown as Machine,
  cellbeMachine as unknown as Machine,
  chipletMachine as unknown as Machine,
  grapeMachine as unknown as Machine,
  tcaMachine as unknown as Machine,
  sunwayMachine as unknown as Machine,
  ...protocolMachines,
];
