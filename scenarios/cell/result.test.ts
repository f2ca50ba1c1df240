import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../../actors/cell/fnv.ts';
import { type CellResult, fnv1a32, formatResult } from './result.ts';

const golden = new URL('../../properties/cell/golden/machine/', import.meta.url);
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('fnv1a32', () => {
  it('gives the published values of FNV-1a 32', () => {
    const hashes = ['', 'a', 'foobar'].map((text) => hexOf(fnv1a32(bytesOf(text))));

    expect(hashes).toEqual(['811c9dc5', 'e40c292c', 'bf9cf968']);
  });

  it('continues an earlier hash, so that pieces hash like the whole', () => {
    const whole = fnv1a32(bytesOf('foobar'));

    expect(fnv1a32(bytesOf('bar'), fnv1a32(bytesOf('foo')))).toBe(whole);
  });

  it('prints signed hashes and leading zeros as 8 digits', () => {
    expect(hexOf(-1)).toBe('ffffffff');
    expect(hexOf(0x1f)).toBe('0000001f');
  });
});

describe('formatResult', () => {
  const files = readdirSync(golden).filter((file) => file.endsWith('.result.json'));

  it.each(files)('writes %s back byte for byte, whatever the order of the keys', (file) => {
    const text = readFileSync(new URL(file, golden), 'utf8');
    const entries = Object.entries(JSON.parse(text) as CellResult);

    const shuffled = Object.fromEntries(entries.reverse()) as unknown as CellResult;

    expect(formatResult(shuffled)).toBe(text);
  });

  it('finds the eleven golden results', () => {
    expect(files).toHaveLength(11);
  });

  it('says that a run was cut before the transfers, and nothing when it was not', () => {
    const text = readFileSync(new URL('ex2.result.json', golden), 'utf8');
    const result = JSON.parse(text) as CellResult;

    expect(formatResult({ ...result, incomplete: true })).toContain(
      '"811c9dc5","incomplete":true,"transfers":[',
    );
    expect(formatResult(result)).not.toContain('incomplete');
  });
});
