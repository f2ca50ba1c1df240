/**
 * What functions of the runtime return (Sunway specification 3.2): 0 is success, positive codes are errors.
 *
 * Details: `BUSY` and `UNREAPED` are the manual's own numbers, the others are the simulator's.
 */
export const returnCode = {
  SUCCESS: 0,
  BUSY: 1,
  UNREAPED: 2,
  OFFLINE: 3,
  E_STATE: 4,
  E_ALIGN: 10,
  E_LEN: 11,
  E_RANGE: 12,
  E_SPACE: 13,
  E_STRIDE: 14,
  E_TID: 15,
  E_MASK: 16,
  E_ROOT: 17,
  E_RPLY: 18,
  E_DTYPE: 19,
  E_OP: 20,
  E_OVERLAP: 21,
  E_ARGS: 22,
  E_NOMEM: 23,
} as const;

/** The name of a return code. */
export type ReturnCodeName = keyof typeof returnCode;
/** The number of a return code. */
export type ReturnCode = (typeof returnCode)[ReturnCodeName];

/** What each code means, for reports. */
export const returnCodeMeaning: Readonly<Record<ReturnCodeName, string>> = {
  SUCCESS: 'success',
  BUSY: 'the target is still running a thread',
  UNREAPED: 'the target has finished a thread that nobody has waited for or joined',
  OFFLINE: 'the CPE or the array was closed by end or halt',
  E_STATE: 'called in the wrong order, or in a state that does not allow it',
  E_ALIGN: 'an address is not aligned',
  E_LEN: 'a length is not a multiple of 4 from 4 to 262140',
  E_RANGE: 'a range leaves its space or touches the reserved page of the LDM',
  E_SPACE: 'a pointer is in the wrong space',
  E_STRIDE: 'block size or stride do not describe a strided transfer of that length',
  E_TID: 'no such CPE, or it is not available',
  E_MASK: 'the mask is 0 or above 0xFF, or leaves out the caller',
  E_ROOT: 'the root is outside its group',
  E_RPLY: 'the reply word is not an aligned word of the LDM',
  E_DTYPE: 'no such data type',
  E_OP: 'no such operation, or not for that data type',
  E_OVERLAP: 'source and destination overlap',
  E_ARGS: 'participants of a collective passed different arguments',
  E_NOMEM: 'nothing of that size can be allocated',
};

const names = new Map(Object.entries(returnCode).map(([name, code]) => [code as number, name]));

/** The name of a code, or undefined for a number that is none. */
export const returnCodeName = (code: number): ReturnCodeName | undefined =>
  names.get(code) as ReturnCodeName | undefined;

function meaningOf(code: number): string {
  const name = returnCodeName(code);
  return name === undefined ? '' : returnCodeMeaning[name];
}

/** A refused call as a report tells it: code, function, arguments as `told` writes them, where it was made, and what the code means (specification 3.2). */
export function refusalText(
  { op, ...given }: { readonly op: string },
  code: number,
  told: (value: unknown) => string,
  where: string,
  meaning = meaningOf(code),
): string {
  // Programs and other objects have no words.
  const words = Object.entries(given).filter(([, value]) => typeof value !== 'object' || value === null);
  const name = returnCodeName(code);
  return `${name ?? code} from ${op}(${words.map(([key, value]) => `${key} ${told(value)}`).join(', ')}) ${where}${meaning && `: ${meaning}`}`;
}
