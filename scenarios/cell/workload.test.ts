import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cellWorkloadSchema, parseWorkload, WorkloadError } from './workload.ts';

const golden = new URL('../../properties/cell/golden/machine/', import.meta.url);

const header = { format: 'cell-workload/1', name: 'w', N: 2, K: 1, memSize: 256, policy: 'etalon-ff' };
const saturate = { outstanding: 1, perSpu: 1, sizeMin: 1, sizeMax: 64, seed: 1, localOps: 1 };

/** The message a workload is refused with, or `accepted`. */
function verdict(workload: unknown): string {
  try {
    parseWorkload(JSON.stringify(workload), 'w.json');
    return 'accepted';
  } catch (error) {
    if (error instanceof WorkloadError) return error.message;
    throw error;
  }
}

const withPrograms = (...programs: unknown[]) => verdict({ ...header, programs });
const withOperation = (operation: unknown) => withPrograms([operation], []);

describe('parseWorkload', () => {
  const files = readdirSync(golden).filter((file) => file.endsWith('.workload.json'));

  it.each(files)('accepts %s and changes nothing in it', (file) => {
    const text = readFileSync(new URL(file, golden), 'utf8');

    const workload = parseWorkload(text, file);

    expect(workload).toEqual(JSON.parse(text));
  });

  it('finds the eleven golden workloads', () => {
    expect(files).toHaveLength(11);
  });

  it('names the line and column of a fault', () => {
    const text =
      '{"format":"cell-workload/1","name":"w","N":2,"K":1,"memSize":256,"policy":"etalon-ff","programs":[\n [[0,"r",1],\n  [1,"w",2,300]],[]]}';

    expect(() => parseWorkload(text, 'w.json')).toThrow(
      'w.json:3:12 programs[0][1][3]: v must be an integer in 0..255, found 300',
    );
  });

  it('names the place where the text stops being JSON', () => {
    expect(() => parseWorkload('{\n "N": }', 'w.json')).toThrow(/^w\.json:2:7 found .*expected JSON/);
    expect(() => parseWorkload('{', 'w.json')).toThrow(/^w\.json:1:2 found .*expected JSON/);
    expect(() => parseWorkload('{"a":"b', 'w.json')).toThrow(/^w\.json:1:6 found .*expected JSON/);
    expect(() => parseWorkload('{}\n}', 'w.json')).toThrow(/^w\.json:2:1 found .*expected JSON/);
  });

  it('lists several faults and counts those it does not list', () => {
    const refused = withPrograms(
      Array.from({ length: 8 }, (_, cycle) => [cycle, 'r', 256]),
      [],
    );

    expect(refused.split('\n')).toHaveLength(7);
    expect(refused).toContain('and 3 more faults');
  });

  it('wants exactly one of programs and saturate', () => {
    expect(verdict(header)).toContain('expected "programs" or "saturate", found neither');
    expect(verdict({ ...header, programs: [[], []], saturate })).toContain('found both');
  });

  it('wants one program per SPU, sorted by cycle', () => {
    expect(withPrograms([])).toContain('expected 2 programs, one per SPU, found 1');
    expect(
      withPrograms(
        [
          [3, 'r', 0],
          [2, 'r', 0],
        ],
        [],
      ),
    ).toContain('cycle 2 after cycle 3');
    expect(
      withPrograms(
        [
          [3, 'r', 0],
          [3, 'r', 0],
        ],
        [],
      ),
    ).toBe('accepted');
  });

  it.each([
    [[0, 'x', 1], 'found operation "x", expected one of r, w, g, p, s'],
    [[0, 'toString', 1], 'found operation "toString"'],
    [[0, 'r'], '"r" takes 1 operand (addr), found 0'],
    [[0, 'g', 0, 1, 0], '"g" takes 4 operands (myaddr, spuid, spuaddr, size), found 3'],
    [[-1, 'r', 0], 'cycle must be an integer of 0 or more, found -1'],
    [[0, 'r', 1.5], 'addr must be an integer of 0 or more, found 1.5'],
    [[0, 'p', 0, 1, 0, -1], 'size must be an integer of 0 or more, found -1'],
    [[0, 's', 0.5], 'idIndex must be an integer, found 0.5'],
    [[0, 'r', 'a'], 'addr must be an integer of 0 or more, found "a"'],
    [[0, 'w', 0, null], 'v must be an integer in 0..255, found null'],
    ['r', 'expected an operation [cycle, op, ...args], found "r"'],
    [[0, 'w', 0, 256], 'v must be an integer in 0..255, found 256'],
    [[0, 'r', 256], 'addr 256 is out of range 0..255'],
    [[0, 'g', 0, 2, 0, 1], 'spuid 2 is out of range 0..1'],
    [[0, 'g', 250, 1, 0, 7], 'myaddr 250 + size 7 is past the end of a memory of 256 bytes'],
    [[0, 'p', 0, 1, 256, 1], 'spuaddr 256 + size 1 is past the end of a memory of 256 bytes'],
  ])('refuses the operation %j', (operation, message) => {
    expect(withOperation(operation)).toContain(message);
  });

  it.each([
    [[0, 's', -1]],
    [[0, 's', 99]],
    [[0, 'g', 256, 1, 256, 0]],
    [[0, 'p', 0, 0, 1, 3]],
    [[0, 'w', 255, 255]],
  ])('accepts the legal corner %j', (operation) => {
    expect(withOperation(operation)).toBe('accepted');
  });

  it('refuses unknown keys, policies and formats by name', () => {
    expect(verdict({ ...header, programs: [[], []], cycle: 3 })).toMatch(
      /unknown key "cycle"\n.*did you mean "cycles"/,
    );
    expect(verdict({ ...header, saturate: { ...saturate, size: 3 } })).toContain(
      'known keys: outstanding, perSpu',
    );
    expect(verdict({ ...header, programs: [[], []], policy: 'etalon' })).toContain(
      'policy: found "etalon", expected one of "etalon-hol"',
    );
    expect(verdict({ ...header, programs: [[], []], format: 'cell-workload/2' })).toContain(
      '"cell-workload/1"',
    );
  });

  it('lets a closed loop use the memory to its last byte and not beyond', () => {
    expect(verdict({ ...header, saturate })).toBe('accepted');
    expect(verdict({ ...header, saturate: { ...saturate, sizeMax: 65 } })).toContain(
      'too few for sizeMax 65',
    );
    expect(verdict({ ...header, saturate: { ...saturate, outstanding: 2 } })).toContain(
      '= 256 bytes, memSize/2 has 128',
    );
  });

  it('refuses a closed loop without a peer, with an odd memory or with sizes in the wrong order', () => {
    expect(verdict({ ...header, N: 1, saturate })).toContain('needs N of at least 2');
    expect(verdict({ ...header, memSize: 257, saturate })).toContain('is odd');
    expect(verdict({ ...header, saturate: { ...saturate, sizeMin: 65 } })).toContain(
      'sizeMin 65 is above sizeMax 64',
    );
  });
});

describe('cellWorkloadSchema', () => {
  it('can be exported as a JSON Schema', () => {
    const schema = z.toJSONSchema(cellWorkloadSchema);

    expect(schema.required).toEqual(['format', 'name', 'N', 'K', 'memSize', 'policy']);
  });
});
