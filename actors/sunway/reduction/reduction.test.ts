import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { combine } from './combine.ts';
import { type DataType, dataTypeCodes, dataTypes } from './data-type.ts';
import { isOperation, type Operation, operationCodes, operationFits } from './operation.ts';
import { foldTree, treeRoot, treeSteps } from './tree.ts';

const typeOf = (name: keyof typeof dataTypeCodes): DataType => dataTypes.get(dataTypeCodes[name])!;
const bytesOf = (view: ArrayBufferView): Uint8Array => new Uint8Array(view.buffer.slice(0));
const everyTid = Array.from({ length: 64 }, (_, tid) => tid);
const all = () => true;

/** The reduction of one element a CPE. */
const reduced = (values: readonly Uint8Array[], operation: Operation, type: DataType) =>
  foldTree(values, (left, right) => combine(left, right, operation, type))!;

describe('the codes of reductions', () => {
  test('are those of the header, and others are none', () => {
    expect([...dataTypes].map(([code, { name, bytes }]) => [code, name, bytes])).toEqual([
      [0x0, 'CRTS_int', 4],
      [0x1, 'CRTS_uint', 4],
      [0x2, 'CRTS_long', 8],
      [0x3, 'CRTS_ulong', 8],
      [0x4, 'CRTS_float', 4],
      [0x5, 'CRTS_double', 8],
      [0xc, 'CRTS_intv16', 64],
      [0xd, 'CRTS_uintv16', 64],
      [0xe, 'CRTS_int512', 64],
      [0xf, 'CRTS_uint512', 64],
      [0x10, 'CRTS_floatv8', 32],
      [0x11, 'CRTS_doublev8', 64],
    ]);
    expect([0, 8, 1.5].map(isOperation)).toEqual([false, false, false]);
    expect(operationFits(operationCodes.and, typeOf('CRTS_double'))).toBe(false);
    expect(operationFits(operationCodes.eqv, typeOf('CRTS_uint512'))).toBe(true);
    expect(operationFits(operationCodes.max, typeOf('CRTS_floatv8'))).toBe(true);
  });
});

describe('a reduction over 64 CPEs', () => {
  const of = (name: 'CRTS_int' | 'CRTS_uint', value: (tid: number) => number) =>
    everyTid.map((tid) =>
      bytesOf(name === 'CRTS_int' ? Int32Array.of(value(tid)) : Uint32Array.of(value(tid))),
    );
  const result = (name: 'CRTS_int' | 'CRTS_uint', value: (tid: number) => number) =>
    Object.fromEntries(
      Object.entries(operationCodes).map(([operation, code]) => {
        const bytes = reduced(of(name, value), code, typeOf(name));
        return [
          operation,
          name === 'CRTS_int' ? new Int32Array(bytes.buffer)[0] : new Uint32Array(bytes.buffer)[0],
        ];
      }),
    );

  test('gives the results of the worked scenario', () => {
    const hashed = (tid: number) => (tid * 2654435761) % 2 ** 32;

    expect(result('CRTS_uint', hashed)).toEqual({
      add: 0xf4de51e0,
      and: 0,
      or: 0xffffffff,
      xor: 0x7efe6800,
      eqv: 0x810197ff,
      min: 0,
      max: 4260046087,
    });
    expect(result('CRTS_int', hashed)).toMatchObject({ min: -2119232319, max: 2084311110 });
    expect(result('CRTS_uint', (tid) => 1 + (tid % 7))).toEqual({
      add: 253,
      min: 1,
      max: 7,
      xor: 1,
      and: 0,
      or: 7,
      eqv: 0xfffffffe,
    });
  });

  test('of integers is that of any order, 64 bits wide where the type is', () => {
    const longs = fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), {
      minLength: 64,
      maxLength: 64,
    });
    fc.assert(
      fc.property(longs, (values) => {
        const add = reduced(
          values.map((one) => bytesOf(BigInt64Array.of(one))),
          operationCodes.add,
          typeOf('CRTS_long'),
        );
        const max = reduced(
          values.map((one) => bytesOf(BigInt64Array.of(one))),
          operationCodes.max,
          typeOf('CRTS_long'),
        );
        const eqv = reduced(
          values.map((one) => bytesOf(BigInt64Array.of(one))),
          operationCodes.eqv,
          typeOf('CRTS_long'),
        );

        expect(new BigInt64Array(add.buffer)[0]).toBe(
          BigInt.asIntN(
            64,
            values.reduce((sum, one) => sum + one, 0n),
          ),
        );
        expect(new BigInt64Array(max.buffer)[0]).toBe(
          values.reduce((most, one) => (one > most ? one : most)),
        );
        expect(new BigInt64Array(eqv.buffer)[0]).toBe(values.reduce((sum, one) => ~(sum ^ one)));
      }),
    );
  });

  test('of unsigned 64-bit numbers compares them unsigned', () => {
    const type = typeOf('CRTS_ulong');
    const [a, b] = [bytesOf(BigUint64Array.of(2n ** 63n)), bytesOf(BigUint64Array.of(5n))];

    expect(new BigUint64Array(combine(a, b, operationCodes.max, type).buffer)[0]).toBe(2n ** 63n);
    expect(new BigUint64Array(combine(a, b, operationCodes.min, type).buffer)[0]).toBe(5n);
  });

  test('of single precision rounds every sum', () => {
    const values = everyTid.map((tid) => Math.fround(0.1 * (tid + 1)));
    const bytes = reduced(
      values.map((one) => bytesOf(Float32Array.of(one))),
      operationCodes.add,
      typeOf('CRTS_float'),
    );
    const columns = (first: number) => {
      const at = (column: number) => values[first + column]!;
      const add = (a: number, b: number) => Math.fround(a + b);
      return add(add(add(at(0), at(1)), add(at(2), at(3))), add(add(at(4), at(5)), add(at(6), at(7))));
    };
    const rows = [0, 8, 16, 24, 32, 40, 48, 56].map(columns);
    const sum = (a: number, b: number) => Math.fround(a + b);

    expect(new Float32Array(bytes.buffer)[0]).toBe(
      sum(
        sum(sum(rows[0]!, rows[1]!), sum(rows[2]!, rows[3]!)),
        sum(sum(rows[4]!, rows[5]!), sum(rows[6]!, rows[7]!)),
      ),
    );
  });

  test('gives NaN when a number is one, for least and greatest too, whichever side it is on', () => {
    const type = typeOf('CRTS_double');
    const [nan, one] = [bytesOf(Float64Array.of(Number.NaN)), bytesOf(Float64Array.of(1))];

    for (const operation of [operationCodes.add, operationCodes.min, operationCodes.max]) {
      expect(new Float64Array(combine(nan, one, operation, type).buffer)[0]).toBeNaN();
      expect(new Float64Array(combine(one, nan, operation, type).buffer)[0]).toBeNaN();
    }
  });

  test('works on every lane of a vector by itself', () => {
    const left = bytesOf(Int32Array.from({ length: 16 }, (_, lane) => lane - 8));
    const right = bytesOf(new Int32Array(16).fill(2 ** 31 - 1));

    const sum = new Int32Array(combine(left, right, operationCodes.add, typeOf('CRTS_intv16')).buffer);

    expect([...sum]).toEqual(Array.from({ length: 16 }, (_, lane) => (lane - 8 + 2 ** 31 - 1) | 0));
  });
});

describe('the tree of a reduction', () => {
  test('combines neighbours in a row first, then rows, the lower CPE always on the left', () => {
    const text = foldTree(everyTid.map(String), (left, right) => `(${left} ${right})`)!;

    expect(text.startsWith('((((((0 1) (2 3)) ((4 5) (6 7))) (((8 9) (10 11)) ((12 13) (14 15)))) ')).toBe(
      true,
    );
    expect(text.match(/\d+/g)?.map(Number)).toEqual(everyTid);
  });

  test('is what the steps of the CPEs do, with any CPEs offline', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(63), { maxLength: 63 }), (offline) => {
        const available = (tid: number) => !offline.includes(tid);
        const present = everyTid.filter(available);
        const held = new Map(present.map((tid) => [tid, String(tid)]));
        const position = new Map(present.map((tid) => [tid, 0]));
        const sent: [number, number][] = [];
        const finish = (tid: number): string => {
          for (const step of treeSteps(tid, available).slice(position.get(tid))) {
            position.set(tid, position.get(tid)! + 1);
            if ('sendTo' in step) sent.push([tid, step.sendTo]);
            else held.set(tid, `(${held.get(tid)!} ${finish(step.receiveFrom)})`);
          }
          return held.get(tid)!;
        };

        const total = finish(treeRoot(available));

        expect(total).toBe(
          foldTree(
            everyTid.map((tid) => (available(tid) ? String(tid) : undefined)),
            (left, right) => `(${left} ${right})`,
          ),
        );
        expect(sent).toHaveLength(present.length - 1);
      }),
    );
    expect(treeSteps(0, all).map((step) => Object.values(step)[0])).toEqual([1, 2, 4, 8, 16, 32]);
    expect(treeSteps(12, all)).toEqual([{ receiveFrom: 13 }, { receiveFrom: 14 }, { sendTo: 8 }]);
  });
});
