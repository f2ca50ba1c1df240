import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonErrorOffset } from './json-place.ts';

describe('jsonErrorOffset', () => {
  it.each([
    ['{\n "format": }', 13],
    ['{"a": 1', 7],
    ['{"a": "b', 6],
    ['[1,]', 3],
    ['{"a": 1,}', 8],
    ['[1 2]', 3],
    ['{a: 1}', 1],
    ['[tru]', 1],
    ['{} }', 3],
    ['[1}', 2],
    ['', 0],
  ])('finds where %j stops being JSON', (text, offset) => {
    expect(jsonErrorOffset(text)).toBe(offset);
  });

  it('finds nothing wrong in any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(jsonErrorOffset(text)).toBe(text.length);
      }),
    );
  });

  it('comes to the end of a long text that is cut, in a moment', () => {
    expect(jsonErrorOffset(`{"data": "${'x'.repeat(2_000_000)}`)).toBe(9);
  });

  it('does not stop at a very long text', () => {
    const text = JSON.stringify({ data: 'x'.repeat(2_000_000) });

    expect(jsonErrorOffset(`${text}]`)).toBe(text.length);
  });
});
