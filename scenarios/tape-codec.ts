import { deflateSync, inflateSync } from 'node:zlib';
import type { Tape } from '../kernel/choices.ts';

/**
 * A tape as text: each pick as a variable-length integer of 7 bits a byte, all bytes deflated, base64.
 *
 * Details: most picks take one byte, and deflate brings them near to their entropy.
 */
export function encodeTape(tape: Tape): string {
  let size = 0;
  for (const pick of tape) size += bytesOf(pick);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const pick of tape) {
    let rest = pick;
    // Division, not shifts: a pick may exceed 31 bits.
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) + 128;
    bytes[at++] = rest;
  }
  return base64Of(deflateSync(bytes, { level: 9 }));
}

/** The tape that `encodeTape` wrote. Errors: throws with a reason when the text is damaged or holds another number of picks. */
export function decodeTape(text: string, count: number): Tape {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new Error('it is not base64');
  // A pick takes at most 8 bytes, so a text that inflates to more is refused before it fills the memory.
  const bytes = inflateSync(bytesIn(text), { maxOutputLength: Math.max(1, count * 8) });
  const tape: number[] = [];
  let pick = 0;
  let scale = 1;
  for (const byte of bytes) {
    pick += (byte & 127) * scale;
    scale *= 128;
    if (byte >= 128) continue;
    tape.push(pick);
    pick = 0;
    scale = 1;
  }
  if (scale !== 1) throw new Error('it ends within a pick');
  if (tape.length !== count) throw new Error(`it holds ${tape.length} picks, not ${count}`);
  return tape;
}

/** In pieces: a function takes some ten thousand arguments at most. */
function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

const bytesIn = (text: string): Uint8Array => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

function bytesOf(pick: number): number {
  let bytes = 1;
  for (let rest = pick; rest >= 128; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}
