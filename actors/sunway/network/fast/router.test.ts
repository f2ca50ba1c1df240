import { describe, expect, test } from 'vitest';
import { cycles } from '../../../../kernel/cycle-picture.ts';
import { clusterBit, flitsOf, gatewayBit } from '../packet.ts';
import { east, local, neighbourOf, north, oppositeOf, portTowards, south, west } from '../ports.ts';
import { fastRouter } from './router.ts';

/** Cluster 5, in the second row and column: neighbours all around, at addresses 11 to 14, its engine at 10. */
const input = (bufferFlits = 32) => ({
  self: 0,
  cluster: 5,
  ends: [10, 11, 12, 13, 14].map((to, port) => ({ to, isRouter: port !== local, cycles: 4 })),
  flitsPerCycle: 2,
  bufferFlits,
});

describe('a router', () => {
  test('passes the head of a packet on at once, and gives its room back with the last flit', () => {
    cycles(
      fastRouter,
      input(),
      `
      cycle          0 1 2 3
      packet.enter   a . . .   a = port 0, packet {"id":1,"targets":64,"flits":6}, at 0
      state          s . . .   s = switching
      packet.enter   a . . .   a = to 13, port 4, delay 4
      packet.credit  . . . a   a = to 10, port 0, flits 6
      packet.arrive  . . . .
      router.turn    a . . .   a = input 0, output 3, delay 3
    `,
    );
  });

  test('serves those that wait for a port one after the other, in turns of the ports', () => {
    cycles(
      fastRouter,
      input(),
      `
      cycle          0  1 2 3 4 5 6 7 8 9
      packet.enter   ab c . . . . . . . .   a = port 4, packet {"id":1,"targets":32,"flits":6}, at 0; b = port 4, packet {"id":2,"targets":32,"flits":6}, at 0; c = port 1, packet {"id":3,"targets":32,"flits":6}, at 1
      state          s  . . . . . . . . .   s = switching
      packet.arrive  a  . . b . . c . . .   a = to 10, delay 7, packet {"id":1,"targets":32,"flits":6}; b = packet {"id":3,"targets":32,"flits":6}; c = packet {"id":2,"targets":32,"flits":6}
      packet.credit  .  . . a . . b . . c   a = to 14, flits 6; b = to 11, flits 6; c = to 14, flits 6
    `,
    );
  });

  test('holds a packet back until the next buffer has room for all its flits', () => {
    cycles(
      fastRouter,
      input(10),
      `
      cycle          0 1 2 3 4 5 6 7 8
      packet.enter   a b . . . . . . .   a = port 0, packet {"id":1,"targets":64,"flits":6}, at 0; b = port 0, packet {"id":2,"targets":64,"flits":6}, at 1
      packet.credit  . . . . . . a . .   a = port 3, flits 6, at 6
      state          s . . . . . . . .   s = switching
      packet.enter   a . . . . . b . .   a = packet {"id":1,"targets":64,"flits":6}; b = packet {"id":2,"targets":64,"flits":6}
      packet.credit  . . . a . . . . .   a = to 10, flits 6
    `,
    );
  });

  test('copies a packet where the ways of its targets part, each copy with its own targets', () => {
    // Clusters 5, 7 and 13: here, east and south.
    cycles(
      fastRouter,
      input(),
      `
      cycle          0  1 2 3 4
      packet.enter   a  . . . .   a = port 4, packet {"id":1,"targets":8352,"flits":10}, at 0
      state          s  . . . .   s = switching
      packet.enter   ab . . . .   a = to 12, packet {"id":1,"targets":8192,"flits":10}; b = to 13, packet {"id":1,"targets":128,"flits":10}
      packet.arrive  a  . . . .   a = to 10, packet {"id":1,"targets":32,"flits":10}
    `,
    );
  });
});

describe('the way of a packet', () => {
  test('goes along the row first, then along the column', () => {
    expect(portTowards(0, 15)).toBe(east);
    expect(portTowards(3, 15)).toBe(south);
    expect(portTowards(15, 0)).toBe(west);
    expect(portTowards(12, 0)).toBe(north);
    expect(portTowards(9, 9)).toBe(local);
  });

  test('to memory leads along the row to the west and out there', () => {
    expect([7, 6, 5, 4].map((router) => portTowards(router, 17))).toEqual([west, west, west, west]);
    expect(neighbourOf(4, west)).toBe(-1);
    expect([clusterBit(4), gatewayBit(1)]).toEqual([16, 2 ** 17]);
  });

  test('comes to every target from everywhere, in as many steps as they are apart', () => {
    for (let from = 0; from < 16; from++)
      for (let to = 0; to < 16; to++) {
        let [at, steps] = [from, 0];
        for (let port = portTowards(at, to); port !== local; port = portTowards(at, to)) {
          const next = neighbourOf(at, port);
          expect(neighbourOf(next, oppositeOf[port]!)).toBe(at);
          [at, steps] = [next, steps + 1];
        }
        expect(at).toBe(to);
        expect(steps).toBe(Math.abs((from % 4) - (to % 4)) + Math.abs((from >> 2) - (to >> 2)));
      }
  });
});

test('a packet has two flits and one for each 16 bytes', () => {
  expect([0, 4, 16, 17, 64, 128].map(flitsOf)).toEqual([2, 3, 3, 4, 6, 10]);
});
