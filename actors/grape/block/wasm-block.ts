import type { BlockSpec } from './block.ts';
import { LaneBlock } from './lane-block.ts';
import { wasmRows } from './wasm-rows.ts';

const rows = wasmRows();

/** A block whose adder and multiplier are WebAssembly where there is any (GRAPE specification 10); in all else a `LaneBlock`. */
export class WasmBlock extends LaneBlock {
  constructor(spec: BlockSpec) {
    super(spec, rows);
  }
}
