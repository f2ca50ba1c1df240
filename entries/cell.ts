/** `lockstep/machines/cell`: the Cell ring machine, what its programs are made of, and the preset of the real chip. */
export * from '../actors/cell/instructions.ts';
export { cellbeMachine } from '../machines/cell/cellbe-machine.ts';
export { type CellConfig, cellConfig } from '../machines/cell/config.ts';
export { cellMachine } from '../machines/cell.ts';
