import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folders = ['.', './checker/', '../../actors/cell/policies/'];

/** The sentences of all tests in which a property of Cell specification 21.2 is named. */
function sentencesNaming(property: string): readonly string[] {
  const files = folders.flatMap((folder) => {
    const url = new URL(folder, import.meta.url);
    return readdirSync(url)
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => readFileSync(new URL(file, url), 'utf8'));
  });
  const sentences = files.flatMap((text) =>
    [...text.matchAll(/^\s*(?:test\()?'(.*)',?/gm)].map((match) => match[1]!),
  );
  return sentences.filter((sentence) =>
    new RegExp(`\\(.*\\b${property}\\b.*\\)$|\\(.*\\b${property}\\b.*\\)'`).test(sentence),
  );
}

test.each(Array.from({ length: 18 }, (_, index) => `P-${index + 1}`))(
  'there is a test of property %s of Cell specification 21.2',
  (property) => {
    expect(sentencesNaming(property)).not.toEqual([]);
  },
);
