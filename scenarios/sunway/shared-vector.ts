import { sharedAddress } from '../../actors/sunway/address/space.ts';
import { copyDirection } from '../../actors/sunway/checks/shared-check.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { dataTypeCodes } from '../../actors/sunway/reduction/data-type.ts';
import { operationCodes } from '../../actors/sunway/reduction/operation.ts';

const rowsOfCpe = 4;

/** Multiplies a sparse matrix with a vector that lies in shared LDM: four rows a CPE, and the product of both vectors over all. */
const multiply = (cpes: number): CpeProgram =>
  function* (c, vector) {
    const length = rowsOfCpe * cpes;
    const element = (i: number): number => sharedAddress(8 * (i % length));
    const rows = c.ldmStatic('rows', 8 * rowsOfCpe, 8);
    const part = c.ldmStatic('part', 8, 8);
    const total = c.ldmStatic('total', 8, 8);
    const scratch = c.ldmStatic('scratch', 8, 8);
    yield c.memcpy_sldm(sharedAddress(0), vector, 8 * length, copyDirection.MEM_TO_LDM);
    let sum = 0;
    for (let row = 0; row < rowsOfCpe; row++) {
      const i = rowsOfCpe * c.tid + row;
      const own = yield* c.ld(element(i), 'f64');
      const next = yield* c.ld(element(i + 1), 'f64');
      const far = yield* c.ld(element(i + 17), 'f64');
      const y = 2 * own + next - far;
      sum += own * y;
      yield c.st(rows + 8 * row, 'f64', y);
    }
    yield c.st(part, 'f64', sum);
    yield c.scoll_redurt(part, total, 1, dataTypeCodes.CRTS_double, operationCodes.add, scratch, 1);
    yield c.dma_put(vector + 8 * (length + rowsOfCpe * c.tid), rows, 8 * rowsOfCpe);
    yield c.dma_put(vector + 16 * length + 8 * c.tid, total, 8);
  };

/** Tells the sums of both vectors, y[0], y[100], y[255], the product on CPE 0, and on how many CPEs it is the same. */
export const sharedVectorOf = (cpes: number): MpeProgram =>
  function* (h) {
    yield h.init();
    const length = rowsOfCpe * cpes;
    const vector = h.memAlloc(16 * length + 8 * cpes);
    const x = Float64Array.from({ length }, (_, i) => (i * i) % 97);
    yield h.stBlock(vector, x);
    yield h.athread_spawn(multiply(cpes), vector);
    yield h.athread_join();
    const y = yield* h.ldBlock(vector + 8 * length, 'f64', length);
    const totals = yield* h.ldBlock(vector + 16 * length, 'f64', cpes);
    const sum = (values: Float64Array) => values.reduce((all, one) => all + one, 0);
    const same = totals.filter((one) => one === totals[0]).length;
    yield h.tell('sum of x', sum(x));
    yield h.tell('sum of y', sum(y));
    yield h.tell('y', [0, 100, 255].map((i) => y[i]).join(' '));
    yield h.tell('product', totals[0]!);
    yield h.tell('CPEs with this product', same);
  };
/** The same on the whole array. */
export const sharedVector = sharedVectorOf(64);
