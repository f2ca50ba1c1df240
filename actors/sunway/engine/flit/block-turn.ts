/** What an engine at block granularity does by itself. */
export type BlockStep =
  | 'cut'
  | 'collect'
  | 'readBlock'
  | 'endOwnSide'
  | 'stream'
  | 'streamForeign'
  | 'countLocal';

/** Such an engine goes on by itself, with a transfer and where it matters the offset of a block or packet. */
export interface BlockTurn {
  readonly type: 'block.turn';
  readonly transfer: number;
  readonly offset: number;
  readonly step: BlockStep;
}
