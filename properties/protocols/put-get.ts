import { nil } from '../../actors/protocols/put-get.ts';
import { registerObject } from '../consistency/sequential-object.ts';
import { consistency } from '../consistency/tester.ts';

/** Clients that put and get see one register. */
export const putGetIsLinearizable = consistency('the register is linearizable', {
  object: registerObject(nil),
});
