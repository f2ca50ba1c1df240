import { accessBytes } from '../../actors/sunway/access-type.ts';
import * as space from '../../actors/sunway/address/space.ts';
import { dataTypeCodes, dataTypes } from '../../actors/sunway/reduction/data-type.ts';
import { operationCodes } from '../../actors/sunway/reduction/operation.ts';
import { treeDistances } from '../../actors/sunway/reduction/tree.ts';
import { returnCode } from '../../actors/sunway/return-code.ts';
import { timingRows } from '../../actors/sunway/timing/timing-table.ts';

const valuesOf = (group: object): object =>
  Object.fromEntries(Object.entries(group).map(([name, { value }]) => [name, value]));

/** Addresses, codes, types and times that the specification fixes (Sunway specification 4, 6, 9, 11). */
export const sunwayFixed = {
  space,
  returnCode,
  accessBytes,
  dataTypeCodes,
  dataTypes,
  operationCodes,
  treeDistances,
  times: Object.fromEntries(Object.entries(timingRows).map(([name, group]) => [name, valuesOf(group)])),
};
