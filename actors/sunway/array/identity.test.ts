import { describe, expect, test } from 'vitest';
import {
  arrayCpes,
  columnOf,
  rowOf,
  spcDistance,
  spcMembers,
  spcOf,
  spcTidOf,
  tidAt,
  tidOfSpcTid,
} from './identity.ts';

const everyTid = Array.from({ length: arrayCpes }, (_, tid) => tid);

describe('the numbers of a CPE', () => {
  test('are a row and a column of eight each', () => {
    const again = everyTid.map((tid) => tidAt(rowOf(tid), columnOf(tid)));

    expect(again).toEqual(everyTid);
    expect([rowOf(37), columnOf(37)]).toEqual([4, 5]);
  });

  test('transform between hardware order and cluster order without loss', () => {
    expect(everyTid.map((tid) => tidOfSpcTid(spcTidOf(tid)))).toEqual(everyTid);
    expect(everyTid.map((spcTid) => spcTidOf(tidOfSpcTid(spcTid)))).toEqual(everyTid);
    expect(new Set(everyTid.map(spcTidOf)).size).toBe(arrayCpes);
  });

  test('give the clusters of the table, members in order of the cluster numbers', () => {
    expect(Array.from({ length: 16 }, (_, spc) => spcMembers(spc).join(' '))).toEqual([
      '0 1 8 9',
      '2 3 10 11',
      '4 5 12 13',
      '6 7 14 15',
      '16 17 24 25',
      '18 19 26 27',
      '20 21 28 29',
      '22 23 30 31',
      '32 33 40 41',
      '34 35 42 43',
      '36 37 44 45',
      '38 39 46 47',
      '48 49 56 57',
      '50 51 58 59',
      '52 53 60 61',
      '54 55 62 63',
    ]);
  });

  test('put a cluster where its row and column of routers are', () => {
    expect(everyTid.map(spcOf)).toEqual(
      everyTid.map((tid) => 4 * Math.floor(rowOf(tid) / 2) + Math.floor(columnOf(tid) / 2)),
    );
  });

  test('are as far apart as the routers of their clusters', () => {
    expect(spcDistance(0, 9)).toEqual({ x: 0, y: 0 });
    expect(spcDistance(0, 63)).toEqual({ x: 3, y: 3 });
    expect(spcDistance(7, 16)).toEqual({ x: 3, y: 1 });
  });
});
