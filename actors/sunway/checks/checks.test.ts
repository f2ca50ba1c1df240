import { describe, expect, test } from 'vitest';
import { memoryAddress, remoteAddress, sharedAddress } from '../address/space.ts';
import { returnCode, returnCodeName } from '../return-code.ts';
import { alltoallCode, alltoallInPlaceCode, reductionCode } from './collective-check.ts';
import { type DmaArguments, dmaCode } from './dma-check.ts';
import { type CheckFacts, tidCode, wordCode } from './parts.ts';
import {
  type RmaArguments,
  type RmaBroadcastArguments,
  rmaBroadcastCode,
  rmaCode,
  rootCode,
} from './rma-check.ts';
import { copyDirection, evictCode, sharedCopyCode, sharedGetCode } from './shared-check.ts';
import { tableCode, tableCopyCode } from './table-check.ts';

const facts: CheckFacts = {
  sizes: { cgs: 2, memoryBytes: 0x100_0000, crossBytes: 0x1000, sharedBytes: 0x1_0000 },
  available: (tid) => tid < 60,
};
const memory = memoryAddress(0, 0x1000);
const name = returnCodeName;

describe('the arguments of DMA', () => {
  const good: DmaArguments = { ldm: 0x2000, memory, bytes: 48, blockSize: 16, stride: 16, reply: 0x1000 };
  const code = (changes: Partial<DmaArguments>) => name(dmaCode({ ...good, ...changes }, facts));

  test('are accepted when they describe a transfer, in any core group and in the cross segment', () => {
    expect(code({})).toBe('SUCCESS');
    expect(code({ reply: 0 })).toBe('SUCCESS');
    expect(code({ memory: memoryAddress(1, 0) })).toBe('SUCCESS');
    expect(code({ memory: 0x7800_0000_0000 })).toBe('SUCCESS');
    expect(code({ bytes: 262_140 - 0x1000, ldm: 0x1000, stride: 0 })).toBe('SUCCESS');
  });

  test('have addresses that are multiples of 4', () => {
    expect(code({ ldm: 0x2002 })).toBe('E_ALIGN');
    expect(code({ memory: memory + 1 })).toBe('E_ALIGN');
  });

  test('have a length of 4 to 262140, a multiple of 4', () => {
    expect([0, -4, 6, 262_144, Number.NaN].map((bytes) => code({ bytes, stride: 0 }))).toEqual(
      new Array(5).fill('E_LEN'),
    );
  });

  test('stay within the LDM, off the page of the runtime, and within memory', () => {
    expect(code({ ldm: 0x3fff0 })).toBe('E_RANGE');
    expect(code({ ldm: 0x40000 })).toBe('E_RANGE');
    expect(code({ ldm: 0xffc })).toBe('E_RANGE');
    expect(code({ memory: memoryAddress(0, 0x100_0000 - 44) })).toBe('E_RANGE');
    expect(code({ memory: memoryAddress(0, 0x100_0000 - 80) })).toBe('SUCCESS');
    expect(code({ memory: memoryAddress(0, 0x100_0000 - 76) })).toBe('E_RANGE');
  });

  test('have one side in the LDM and the other in memory', () => {
    expect(code({ memory: 0x3000 })).toBe('E_SPACE');
    expect(code({ ldm: memory, memory: 0x2000 })).toBe('E_SPACE');
    expect(code({ ldm: remoteAddress(3, 0x2000) })).toBe('E_SPACE');
    expect(code({ memory: sharedAddress(0) })).toBe('E_SPACE');
  });

  test('have blocks that divide the length and a gap of whole words, unless there is no gap', () => {
    expect(code({ blockSize: 0 })).toBe('E_STRIDE');
    expect(code({ bytes: 16, blockSize: 12, stride: 8 })).toBe('E_STRIDE');
    expect(code({ stride: -4 })).toBe('E_STRIDE');
    expect(code({ stride: 6 })).toBe('E_STRIDE');
    expect(code({ blockSize: 64 })).toBe('E_STRIDE');
    expect(code({ blockSize: 6, bytes: 12 })).toBe('E_STRIDE');
    expect(code({ blockSize: -1, stride: 0 })).toBe('SUCCESS');
    expect(code({ blockSize: 36, stride: 0 })).toBe('SUCCESS');
  });

  test('have their reply word in the LDM, aligned', () => {
    expect(code({ reply: memory })).toBe('E_RPLY');
    expect(code({ reply: 0x2001 })).toBe('E_RPLY');
    expect(code({ reply: 0x40 })).toBe('E_RPLY');
    expect(name(wordCode(0, facts))).toBe('E_RPLY');
    expect(name(wordCode(0x1004, facts))).toBe('SUCCESS');
  });
});

describe('the arguments of RMA', () => {
  const good: RmaArguments = {
    local: 0x2000,
    bytes: 64,
    tid: 5,
    remote: 0x3000,
    localReply: 0x1000,
    remoteReply: 0x1004,
  };
  const code = (changes: Partial<RmaArguments>) => name(rmaCode({ ...good, ...changes }, facts));

  test('name a CPE that is available, and LDM on both sides', () => {
    expect(code({})).toBe('SUCCESS');
    expect([64, -1, 1.5, 60].map((tid) => code({ tid }))).toEqual(new Array(4).fill('E_TID'));
    expect(code({ remote: memory })).toBe('E_SPACE');
    expect(code({ remote: 0x3fff0 })).toBe('E_RANGE');
    expect(code({ local: 0x800 })).toBe('E_RANGE');
    expect(code({ local: 0x2003 })).toBe('E_ALIGN');
    expect(code({ bytes: 6 })).toBe('E_LEN');
    expect(code({ remoteReply: 0x1002 })).toBe('E_RPLY');
    expect(code({ localReply: memory })).toBe('E_RPLY');
  });

  test('of a broadcast have a mask of 1 to 0xFF', () => {
    const all: RmaBroadcastArguments = {
      target: 0x2000,
      source: 0x2000,
      bytes: 8,
      mask: 0xff,
      localReply: 0,
      remoteReply: 0,
    };
    const masked = (mask: number) => name(rmaBroadcastCode({ ...all, mask }, facts));

    expect([0, 0x100, -1, 1.5].map(masked)).toEqual(new Array(4).fill('E_MASK'));
    expect([1, 0xff].map(masked)).toEqual(['SUCCESS', 'SUCCESS']);
    expect(name(rmaBroadcastCode({ ...all, source: memory }, facts))).toBe('E_SPACE');
  });

  test('of a collective have a root of their group', () => {
    const itself = (root: number) => root;

    expect(name(rootCode('row', 8, itself, facts))).toBe('E_ROOT');
    expect(name(rootCode('array', 64, itself, facts))).toBe('E_ROOT');
    expect(name(rootCode('array', 61, itself, facts))).toBe('E_ROOT');
    expect(name(rootCode('column', -1, itself, facts))).toBe('E_ROOT');
    expect(name(rootCode('row', 7, itself, facts))).toBe('SUCCESS');
  });

  test('of a peer name another CPE', () => {
    expect(name(tidCode(59, facts))).toBe('SUCCESS');
    expect(name(tidCode(60, facts))).toBe('E_TID');
  });
});

describe('the arguments of collectives', () => {
  test('of an exchange have buffers that do not overlap, and units of whole words', () => {
    const code = (source: number, target: number, unitBytes: number) =>
      name(alltoallCode({ source, target, unitBytes }, facts));

    expect(code(0x2000, 0x2100, 4)).toBe('SUCCESS');
    expect(code(0x2000, 0x20fc, 4)).toBe('E_OVERLAP');
    expect(code(0x2000, 0x3000, 6)).toBe('E_LEN');
    expect(code(0x2000, 0x3ff80, 4)).toBe('E_RANGE');
    expect(code(0x2000, 0x3002, 4)).toBe('E_ALIGN');
  });

  test('of an exchange in place have scratch for a unit that is not part of it', () => {
    const code = (scratch: number, scratchUnits: number) =>
      name(alltoallInPlaceCode({ source: 0x2000, unitBytes: 8, scratch, scratchUnits }, facts));

    expect(code(0x3000, 1)).toBe('SUCCESS');
    expect(code(0x3000, 0)).toBe('E_LEN');
    expect(code(0x2100, 2)).toBe('E_OVERLAP');
  });

  test('of a reduction have a type, and an operation that is for it', () => {
    const code = (dataType: number, operation: number, source = 0x2000) =>
      name(
        reductionCode(
          { source, target: 0x2000, units: 4, dataType, operation, scratch: 0x3000, scratchUnits: 4 },
          facts,
        ),
      );

    expect([code(0x6, 1), code(99, 1)]).toEqual(['E_DTYPE', 'E_DTYPE']);
    expect([code(0, 0), code(0, 8), code(5, 2)]).toEqual(['E_OP', 'E_OP', 'E_OP']);
    expect(code(5, 1)).toBe('SUCCESS');
    expect(code(5, 1, 0x2008)).toBe('E_OVERLAP');
    expect(code(5, 1, memory)).toBe('E_SPACE');
  });
});

describe('the arguments of shared LDM and of the cache', () => {
  test('of a copy are shared space and memory as the direction says', () => {
    const code = (target: number, source: number, direction: number, sharing = true) =>
      name(
        sharedCopyCode(
          { target, source, bytes: 64, direction },
          sharing ? facts : { ...facts, sizes: { ...facts.sizes, sharedBytes: 0 } },
        ),
      );

    expect(code(sharedAddress(0), memory, copyDirection.MEM_TO_LDM)).toBe('SUCCESS');
    expect(code(memory, sharedAddress(0), copyDirection.LDM_TO_MEM)).toBe('SUCCESS');
    expect(code(memory, sharedAddress(0), copyDirection.MEM_TO_LDM)).toBe('E_SPACE');
    expect(code(0x2000, memory, copyDirection.MEM_TO_LDM)).toBe('E_SPACE');
    expect(code(sharedAddress(0), memory, 7)).toBe('E_SPACE');
    expect(code(sharedAddress(0xfff0), memory, copyDirection.MEM_TO_LDM)).toBe('E_RANGE');
    expect(code(sharedAddress(0), memory, copyDirection.MEM_TO_LDM, false)).toBe('E_STATE');
  });

  test('of a get from it go into the own LDM', () => {
    const code = (target: number, source: number) =>
      name(sharedGetCode({ target, source, bytes: 64 }, facts));

    expect(code(0x2000, sharedAddress(64))).toBe('SUCCESS');
    expect(code(sharedAddress(0), sharedAddress(64))).toBe('E_SPACE');
    expect(code(0x2000, 0x3000)).toBe('E_SPACE');
  });

  test('of an eviction are a range of memory that does not end before it begins', () => {
    expect(name(evictCode(memory + 4, memory, facts))).toBe('E_RANGE');
    expect(name(evictCode(memory, memory, facts))).toBe('SUCCESS');
    expect(name(evictCode(0x2000, 0x2040, facts))).toBe('E_SPACE');
  });
});

describe('the arguments of parallel tables', () => {
  test('have the table at a multiple of 64, and room for its rows', () => {
    const code = (parallel: number, rows: number, count = 16) =>
      name(tableCopyCode({ tables: new Array<number>(16).fill(0x2000), rows, count, parallel }, facts));

    expect(code(0x4000, 256)).toBe('SUCCESS');
    expect(code(0x4020, 256)).toBe('E_ALIGN');
    expect(code(0x4000, 4096)).toBe('E_RANGE');
    expect(code(0x4000, 0)).toBe('E_LEN');
    expect(code(0x4000, 16, 17)).toBe('E_LEN');
    expect(name(tableCode(0x4004, facts))).toBe('E_ALIGN');
  });
});

test('success is the only code that counts as none found', () => {
  expect(Object.values(returnCode).filter((code) => !code)).toEqual([0]);
});
