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
  test('is shown in some fifty lines for the protocol, and less than twenty for what must hold', () => {
    const modules = files.filter(({ file }) => file.endsWith('.ts'));
    const lines = modules.map(({ lines }) => lines);

    expect(modules.map(({ file }) => file)).toEqual(
      ['messages', 'parties', 'what-must-hold', 'machine'].map(
        (name) => `out/model-your-protocol/${name}.ts`,
      ),
    );
    expect(lines[0]! + lines[1]!).toBeLessThanOrEqual(55);
    expect(lines[2]).toBeLessThan(20);
    expect(lines[3]).toBeLessThan(30);
  });

  test('names every machine of the protocols', () => {
    expect(steps.filter(({ kind }) => kind === 'command').length).toBeGreaterThan(8);
    expect(protocols.length).toBeGreaterThan(8);
    for (const { name } of protocols) expect(all).toMatch(new RegExp(`[\`/| ]${name}[\`/.| ]`));
  });
});
