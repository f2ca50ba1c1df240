/** A record of the event log of a chip: a slot, a transfer, a call. */
export interface SlotRecord {
  readonly ev: string;
  readonly t: number;
}
export const slotPicture = (name: string, _records: readonly SlotRecord[]): string => name;
export const slotSketch = (_records: readonly SlotRecord[], _width: number): string => '';
