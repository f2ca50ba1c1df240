import { expect, test } from 'vitest';
import { addressOf, notifyOffset } from '../../actors/tca/address-map.ts';
import type { NodeOperation } from '../../actors/tca/node-program.ts';
import { misplacedIn, operationList, programOfList } from './operations.ts';

const sizes = { nodes: 2, cpuBytes: 4096, gpuBytes: 8192 };

test('a list does the operations of the same program as code, numbers of places turned into addresses', () => {
  const list = operationList.parse([
    {
      op: 'start',
      channel: 2,
      chain: [
        { from: [1, 'cpu', 8], to: [0, 'gpu', 24], size: 12, count: 2, fromStride: 16, toStride: 32 },
        { to: [0, 'cpu', 4], bytes: [7, 8] },
        { notify: 0, slot: 5 },
      ],
    },
    { op: 'wait', flags: [{ source: 0 }] },
    { op: 'stopped', channels: [2, 0] },
    { op: 'pio', to: [0, 'gpu', 64], bytes: [1, 2, 3, 4] },
    { op: 'compute', ns: 12 },
  ]);

  const operations: NodeOperation[] = [];
  const program = programOfList(list, sizes)(1, 2);
  for (let next = program.next(0); !next.done; next = program.next(0)) operations.push(next.value);

  const written = { src: 0, count: 1, srcStride: 0, dstStride: 0 };
  expect(operations).toEqual([
    {
      op: 'start',
      channel: 2,
      chain: [
        {
          src: addressOf(1, 'cpu', 8),
          dst: addressOf(0, 'gpu', 24),
          size: 12,
          count: 2,
          srcStride: 16,
          dstStride: 32,
        },
        { ...written, dst: addressOf(0, 'cpu', 4), size: 2, data: Uint8Array.of(7, 8) },
        // The board of node 0 has a row for each source: this program is that of node 1.
        {
          ...written,
          dst: addressOf(0, 'cpu', notifyOffset(sizes.cpuBytes, 1, 5)),
          size: 8,
          data: new Uint8Array(8).fill(1),
        },
      ],
    },
    { op: 'wait', flags: [{ source: 0, slot: 0 }] },
    { op: 'stopped', channels: [2, 0] },
    { op: 'pio', address: addressOf(0, 'gpu', 64), data: Uint8Array.of(1, 2, 3, 4) },
    { op: 'compute', ns: 12 },
  ] satisfies NodeOperation[]);
});

test.each([
  [{ op: 'pio', to: [2, 'cpu', 0], bytes: [1] }, [0, 'to', 0], 'node 2'],
  [{ op: 'pio', to: [1, 'cpu', 4090], bytes: [1, 2, 3, 4, 5, 6, 7] }, [0, 'to'], 'bytes 4090 to 4096'],
  [{ op: 'wait', flags: [{ source: 0 }, { source: 9 }] }, [0, 'flags', 1, 'source'], 'node 9'],
  [{ op: 'start', channel: 0, chain: [{ notify: 2 }] }, [0, 'chain', 0, 'notify'], 'node 2'],
  [
    { op: 'start', channel: 0, chain: [{ to: [0, 'gpu', 8192], bytes: [1] }] },
    [0, 'chain', 0, 'to'],
    'bytes 8192 to 8192',
  ],
  [
    {
      op: 'start',
      channel: 0,
      chain: [{ from: [0, 'cpu', 0], to: [0, 'gpu', 0], size: 16, count: 3, fromStride: 2048, toStride: 0 }],
    },
    [0, 'chain', 0, 'from'],
    'bytes 0 to 4111',
  ],
  [
    {
      op: 'start',
      channel: 0,
      chain: [{ from: [0, 'cpu', 0], to: [0, 'gpu', 64], size: 16, count: 2, toStride: -80 }],
    },
    [0, 'chain', 0, 'to'],
    'bytes -16 to 79',
  ],
])('%j is told to be at the wrong place', (operation, path, found) => {
  const list = operationList.parse([operation]);

  expect(misplacedIn(list, sizes)).toEqual([{ path, found, expected: expect.any(String) }]);
});

test('what just fits is right', () => {
  const list = operationList.parse([
    { op: 'pio', to: [1, 'cpu', 4092], bytes: [1, 2, 3, 4] },
    {
      op: 'start',
      channel: 3,
      chain: [
        { from: [1, 'gpu', 8128], to: [0, 'cpu', 4032], size: 64 },
        { from: [1, 'gpu', 0], to: [0, 'cpu', 80], size: 16, count: 2, toStride: -80 },
        { notify: 1, slot: 255 },
      ],
    },
  ]);

  expect(misplacedIn(list, sizes)).toEqual([]);
});

test.each([
  [undefined, 'EALIGN', 'operation 0 of the list, start: found EALIGN, expected OK'],
  ['EALIGN', 'EALIGN', undefined],
  ['EALIGN', 0, 'operation 0 of the list, start: found OK, expected EALIGN'],
  ['EALIGN', 'EBUSY', 'operation 0 of the list, start: found EBUSY, expected EALIGN'],
] as const)('a list that says %s of a chain, answered %s, ends with: %s', (refused, answer, message) => {
  const chain = [{ from: [0, 'cpu', 4], to: [1, 'cpu', 8], size: 64 }];
  const list = operationList.parse([{ op: 'start', channel: 0, chain, ...(refused && { refused }) }]);
  const program = programOfList(list, sizes)(0, 2);
  program.next(0);

  let thrown: unknown;
  try {
    program.next(answer);
  } catch (error) {
    thrown = error;
  }
  expect((thrown as Error | undefined)?.message).toBe(message);
});
