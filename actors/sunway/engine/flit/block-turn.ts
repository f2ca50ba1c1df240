import type { SunwayMessage } from '../../protocol.ts';
/** Such an engine goes on by itself, with a transfer and where it matters the offset of a block or packet. */
export type BlockTurn = SunwayMessage<'block.turn'>;
/** What an engine at block granularity does by itself. */
export type BlockStep = BlockTurn['step'];
