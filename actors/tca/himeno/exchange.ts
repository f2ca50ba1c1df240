import type { Block } from './block.ts';
import { type ExchangeOrder, exchangePhases, type Face } from './faces.ts';
import { floatBytes } from './grid.ts';

/**
 * Brings the halos of all blocks up to date by copying, without a machine in between (TCA specification 13).
 *
 * Details: `blocks` are those of one decomposition, by rank. Every face of a phase is read before any is
 * written.
 */
export function exchange(blocks: readonly Block[], order: ExchangeOrder): void {
  for (const phase of exchangePhases(blocks[0]!.decomposition, order)) {
    const read = phase.map(({ source, from }) => readFace(blocks[source]!.fields.p, from));
    for (const [index, { target, to }] of phase.entries())
      writeFace(blocks[target]!.fields.p, to, read[index]!);
  }
}

function readFace(p: Float32Array, face: Face): Float32Array {
  const blockFloats = face.blockBytes / floatBytes;
  const values = new Float32Array(face.count * blockFloats);
  for (let index = 0; index < face.count; index++) {
    const first = (face.offsetBytes + index * face.pitchBytes) / floatBytes;
    values.set(p.subarray(first, first + blockFloats), index * blockFloats);
  }
  return values;
}

function writeFace(p: Float32Array, face: Face, values: Float32Array): void {
  const blockFloats = face.blockBytes / floatBytes;
  for (let index = 0; index < face.count; index++) {
    const first = (face.offsetBytes + index * face.pitchBytes) / floatBytes;
    p.set(values.subarray(index * blockFloats, (index + 1) * blockFloats), first);
  }
}
