/** What an address belongs to (TCA specification 2). */
export type Region = 'cpu' | 'gpu' | 'chip';

/** Bytes of the window of a node. */
export const nodeSpan = 32 * 2 ** 30;

/** First address of a region inside the window of its node. */
export const regionStart: Readonly<Record<Region, number>> = { cpu: 0, gpu: 8 * 2 ** 30, chip: 24 * 2 ** 30 };

/** An address in pieces. */
export interface Place {
  readonly node: number;
  readonly region: Region;
  /** Inside the region. */
  readonly offset: number;
}

/** The address of a byte of a node's memory. */
export const addressOf = (node: number, region: Region, offset: number): number =>
  node * nodeSpan + regionStart[region] + offset;

/** What an address names. */
export function placeOf(address: number): Place {
  const node = Math.floor(address / nodeSpan);
  const inside = address - node * nodeSpan;
  if (inside >= regionStart.chip) return { node, region: 'chip', offset: inside - regionStart.chip };
  if (inside >= regionStart.gpu) return { node, region: 'gpu', offset: inside - regionStart.gpu };
  return { node, region: 'cpu', offset: inside };
}

/** What the nodes of a sub-cluster have: the address ranges that its chips know (TCA specification 2). */
export interface AddressRanges {
  readonly nodes: number;
  /** Bytes behind the windows of a node: the notify board belongs to CPU memory. */
  readonly cpu: number;
  readonly gpu: number;
}

/** Whether all of so many bytes lie in memory of one node. */
export function isMapped(address: number, bytes: number, { nodes, cpu, gpu }: AddressRanges): boolean {
  if (!Number.isSafeInteger(address) || address < 0) return false;
  const { node, region, offset } = placeOf(address);
  if (node >= nodes || region === 'chip') return false;
  return offset + bytes <= (region === 'cpu' ? cpu : gpu);
}

/** The node that an address belongs to. */
export const nodeOf = (address: number): number => Math.floor(address / nodeSpan);

/** Slots of a source on the notify board of a node. */
export const notifySlots = 256;

/** Offset in CPU memory of the word that a source writes to notify (TCA specification 9): the board lies at the end of `cpuBytes` of memory. */
export const notifyOffset = (cpuBytes: number, source: number, slot: number): number =>
  cpuBytes + 8 * (source * notifySlots + slot);
