import { formsOf, misfit, type Side } from './call-forms.ts';
import type { OperationProgram, WrittenArgument, WrittenCall } from './operations.ts';

/** Something that is wrong with a program as data, and where. */
interface WrittenFinding {
  readonly path: readonly (string | number)[];
  readonly found: string;
  readonly expected: string;
}

/** What the schema cannot say of a program as data at `path`: names, numbers of arguments, CPEs and offsets that there are. */
export function programFindings(
  program: OperationProgram,
  path: readonly (string | number)[],
  cpes: number,
): readonly WrittenFinding[] {
  const { statics, replies, slave, host, handler, memory } = program;
  const names = [...Object.keys(statics), ...replies];
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  const check = (call: WrittenCall, at: readonly (string | number)[], side: Side) =>
    callFindings(call, [...path, ...at], side, side === 'slave' ? names : [], memory.bytes);
  return [
    ...(twice < 0
      ? []
      : [
          {
            path: [...path, 'replies', twice - Object.keys(statics).length],
            found: `the name ${names[twice]} a second time`,
            expected: 'another name for each static variable and reply word',
          },
        ]),
    ...slave.flatMap((step, index): readonly WrittenFinding[] => {
      if (!('on' in step)) return check(step, ['slave', index], 'slave');
      return [
        ...step.on.flatMap((tid, k) =>
          tid < cpes
            ? []
            : [
                {
                  path: [...path, 'slave', index, 'on', k],
                  found: `CPE ${tid}`,
                  expected: `one of 0 to ${cpes - 1}`,
                },
              ],
        ),
        ...step.do.flatMap((call, k) => check(call, ['slave', index, 'do', k], 'slave')),
      ];
    }),
    ...host.flatMap((call, index) => check(call, ['host', index], 'host')),
    ...handler.flatMap((call, index) => check(call, ['handler', index], 'host')),
  ];
}

function callFindings(
  [call, ...given]: WrittenCall,
  path: readonly (string | number)[],
  side: Side,
  names: readonly string[],
  memoryBytes: number,
): readonly WrittenFinding[] {
  const forms = formsOf(call, side);
  if (given.length !== forms.length)
    return [
      {
        path,
        found: `${call} with ${given.length} arguments`,
        expected: `${forms.length} of them, in the order of the runtime`,
      },
    ];
  return forms.flatMap((form, index) => {
    const written = given[index]!;
    const expected =
      misfit(form, written) ??
      (form === 'value' ? valueMisfit(written, side, names, memoryBytes) : undefined) ??
      (call === 'st' && index === 2 ? storedMisfit(given[1]!, written) : undefined);
    return expected === undefined
      ? []
      : [{ path: [...path, index + 1], found: JSON.stringify(written), expected }];
  });
}

/** What should be stored as a type instead; undefined when it can be. Integers wrap, fractions are no part of them. */
function storedMisfit(type: WrittenArgument, written: WrittenArgument): string | undefined {
  const value =
    typeof written === 'object' && written !== null && 'number' in written ? written.number : written;
  const isFraction = typeof value === 'number' && !Number.isInteger(value);
  return isFraction && /^[iu]/.test(String(type)) ? `a whole number for the type ${type}` : undefined;
}

/** What a value should be instead; undefined when it is one. */
function valueMisfit(
  written: WrittenArgument,
  side: Side,
  names: readonly string[],
  memoryBytes: number,
): string | undefined {
  if (typeof written !== 'object' || written === null) {
    if (typeof written !== 'string' || names.includes(written)) return undefined;
  } else if ('memory' in written) {
    if (written.memory >= memoryBytes) return `an offset below the ${memoryBytes} bytes of the buffer`;
    return side === 'host' && written.perCpe !== 0 ? 'an offset without perCpe: a host is no CPE' : undefined;
  } else if (!('of' in written)) {
    return side === 'host' ? 'a number or an offset in memory: a host is no CPE' : undefined;
  } else if (names.includes(written.of)) return undefined;
  if (side === 'host') return 'a number or an offset in memory: a host has no LDM';
  return names.length > 0
    ? `one of the static variables and reply words: ${names.join(', ')}`
    : 'a static variable or reply word, declared under statics or replies';
}
