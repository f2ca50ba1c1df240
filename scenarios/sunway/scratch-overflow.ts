import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { dataTypeCodes } from '../../actors/sunway/reduction/data-type.ts';
import { operationCodes } from '../../actors/sunway/reduction/operation.ts';

const elements = 64;

/** Adds up vectors with scratch for one element, declared as if it held 64: what lies behind it is overwritten. */
const addVectors: CpeProgram = function* (c) {
  const vector = c.ldmStatic('vector', 8 * elements, 8);
  const scratch = c.ldmStatic('scratch', 8, 8);
  c.ldmStatic('behind', 8 * elements, 8);
  yield c.stBlock(vector, new Float64Array(elements).fill(c.tid));
  yield c.scoll_redurt(
    vector,
    vector,
    elements,
    dataTypeCodes.CRTS_double,
    operationCodes.add,
    scratch,
    elements,
  );
};

/** A reduction whose scratch is smaller than the program says (specification 6.11). */
export const scratchOverflow: MpeProgram = function* (h) {
  yield h.init();
  yield h.athread_spawn(addVectors, 0);
  yield h.athread_join();
};
