/** Number of nodes of the segment from src to dst in one direction, end points included: 1..N (Cell specification 5). */
export function segmentLength(N: number, dir: number, src: number, dst: number): number {
  const hops = dir === 0 ? dst - src : src - dst;
  return (hops < 0 ? hops + N : hops) + 1;
}

/** The node from which the segment runs upwards (mod N) in ring numbers, whatever its direction (Cell specification 5). */
export function segmentLow(dir: number, src: number, dst: number): number {
  return dir === 0 ? src : dst;
}

/** The nodes of the segment from src to dst in the ring's own direction (Cell specification 5). */
export function segmentNodes(N: number, dir: number, src: number, dst: number): number[] {
  const step = dir === 0 ? 1 : N - 1;
  return Array.from({ length: segmentLength(N, dir, src, dst) }, (_, hop) => (src + hop * step) % N);
}

/** Nodes of the shorter of the two segments between src and dst (Cell specification 5). */
export function shortLength(N: number, src: number, dst: number): number {
  return Math.min(segmentLength(N, 0, src, dst), segmentLength(N, 1, src, dst));
}

/** Whether a list names exactly the nodes of the segment, in any order, each once (CK-09, Cell specification 12). */
export function namesSegment(
  nodes: readonly number[],
  N: number,
  dir: number,
  src: number,
  dst: number,
): boolean {
  const length = segmentLength(N, dir, src, dst);
  if (nodes.length !== length) return false;
  const low = segmentLow(dir, src, dst);
  for (let i = 0; i < length; i++) {
    const node = nodes[i];
    if (node === undefined || node < 0 || node >= N || (node - low + N) % N >= length) return false;
    if (nodes.indexOf(node) !== i) return false;
  }
  return true;
}
