import { createHash } from 'node:crypto';

/** The text of a file that a later command goes on from: JSON with a hash of the rest as its last member, so that what was damaged is not believed. */
export const sealedText = (content: object): string =>
  `${JSON.stringify({ ...content, hash: hashOf(content) }, null, 1)}\n`;

/** How data read from such a file contradicts its hash: what is found and expected, for an error at `hash`. Undefined when it does not, or is of a time before hashes. */
export function sealBroken(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('hash' in data)) return undefined;
  const { hash, ...content } = data;
  const expected = hashOf(content);
  return hash === expected
    ? undefined
    : `found content that was changed since it was written: its hash is ${expected}, expected ${JSON.stringify(hash)}`;
}

const hashOf = (content: object): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');
