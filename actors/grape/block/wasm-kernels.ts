import { adder } from './wasm-adder.ts';
import type { WasmFunction } from './wasm-code.ts';
import { multiplier, partMultiplier } from './wasm-multiplier.ts';
import { shifter } from './wasm-shifter.ts';

/** The functions of the module. */
export const wasmKernels: readonly WasmFunction[] = [
  adder(false, true),
  adder(true, true),
  adder(false, false),
  adder(true, false),
  multiplier(false),
  multiplier(true),
  partMultiplier(false),
  partMultiplier(true),
  shifter('left', false),
  shifter('right', false),
  shifter('right', true),
];
