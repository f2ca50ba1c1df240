import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { dataTypeCodes } from '../../actors/sunway/reduction/data-type.ts';
import { operationCodes } from '../../actors/sunway/reduction/operation.ts';

const { CRTS_int: int, CRTS_uint: uint } = dataTypeCodes;

/** Reductions in the order of their results: seven operations on hashed numbers, least and greatest signed, seven on small numbers. */
const reductions = [
  ...Object.values(operationCodes).map((operation) => ({ type: uint, operation, hashed: true })),
  { type: int, operation: operationCodes.min, hashed: true },
  { type: int, operation: operationCodes.max, hashed: true },
  ...Object.values(operationCodes).map((operation) => ({ type: uint, operation, hashed: false })),
];

/** Every CPE has one number; all get every result. */
const reduce: CpeProgram = function* (c, out) {
  const source = c.ldmStatic('source', 4);
  const results = c.ldmStatic('results', 4 * reductions.length);
  const scratch = c.ldmStatic('scratch', 4);
  for (const [index, { type, operation, hashed }] of reductions.entries()) {
    yield c.st(source, 'u32', hashed ? (c.tid * 2654435761) % 2 ** 32 : 1 + (c.tid % 7));
    yield c.scoll_redurt(source, results + 4 * index, 1, type, operation, scratch, 1);
  }
  yield c.dma_put(out + 4 * reductions.length * c.tid, results, 4 * reductions.length);
};

/** Tells the results of CPE 63, and on how many CPEs they are the same. */
export const reduceAllOf = (cpes: number): MpeProgram =>
  function* (h) {
    yield h.init();
    const out = h.memAlloc(4 * reductions.length * cpes);
    yield h.athread_spawn(reduce, out);
    yield h.athread_join();
    const told = yield* h.ldBlock(out, 'u32', reductions.length * cpes);
    const of = (tid: number) => told.slice(reductions.length * tid, reductions.length * (tid + 1));
    const last = of(cpes - 1);
    const same = Array.from({ length: cpes }, (_, tid) => of(tid).join()).filter(
      (one) => one === last.join(),
    );
    const signed = [...last.slice(7, 9)].map((word) => word | 0);
    yield h.tell('CPEs with these results', same.length);
    yield h.tell('hashed', [...last.slice(0, 7)].join(' '));
    yield h.tell('hashed, signed', signed.join(' '));
    yield h.tell('small', [...last.slice(9)].join(' '));
  };
/** The same on the whole array. */
export const reduceAll = reduceAllOf(64);
