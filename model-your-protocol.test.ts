import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type PageFile, pageText, stepsOf } from './build/guide/page.ts';
import { protocols } from './manifests/testing/named.ts';

// What the page shows is carried out by guide.test.ts; this is about how much it takes.

const page = 'model-your-protocol.md';
const steps = stepsOf(page, pageText(page));
/** Newer protocols stand on pages of their own. */
const all = ['model-your-protocol', 'protocols', 'properties']
  .map((name) => readFileSync(`docs/${name}.md`, 'utf8'))
  .join('');
const files = steps
  .filter((step): step is PageFile => step.kind === 'file')
  .map(({ file, text }) => ({
    file,
    lines: text.split('\n').filter((line) => line !== '' && !/^(import|\/\/)/.test(line)).length,
  }));

describe('how to model a protocol', () => {
  test('is shown in some sixty lines for the protocol, and less than twenty for what must hold', () => {
    const lines = files.map(({ lines }) => lines);

    expect(files.map(({ file }) => file)).toEqual(
      ['wire', 'parties', 'protocol', 'check'].map((name) => `out/model-your-protocol/${name}.ts`),
    );
    expect(lines[0]! + lines[1]! + lines[2]!).toBeLessThanOrEqual(64);
    expect(lines[3]).toBeLessThan(20);
  });

  test('names every machine of the protocols', () => {
    expect(steps.filter(({ kind }) => kind === 'command').length).toBeGreaterThan(8);
    expect(protocols.length).toBeGreaterThan(8);
    for (const { name } of protocols) expect(all).toMatch(new RegExp(`[\`/| ]${name}[\`/.| ]`));
  });
});
