import { parse } from 'yaml';
import { injectedFaultSchemas } from '../../scenarios/fault-schema.ts';
import { describeFound } from '../../scenarios/found.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import { UsageError } from '../usage-error.ts';

/** A fault for generated scenarios as scenario files write it: one kind, and where and how often it strikes. */
export type WrittenFault = Readonly<Record<string, object>>;

const schemas = new Map(
  (['drop', 'duplicate', 'delay', 'reorder', 'corrupt', 'crash'] as const).map((kind, index) => [
    kind as string,
    injectedFaultSchemas[index]!,
  ]),
);
const example = `for example --fault drop, or --fault 'drop: { type: bus.granted }' as in a scenario file`;

/** Reads the value of `--fault`: a kind alone, or a kind with more as in the faults of a scenario. Errors: `UsageError`. */
export function faultOption(text: string): WrittenFault {
  let data: unknown;
  try {
    data = parse(text);
  } catch {
    throw new UsageError(
      `--fault: found ${describeFound(text)}, which is no YAML, expected a fault`,
      example,
    );
  }
  const written = typeof data === 'string' ? { [data]: {} } : data;
  const kinds = typeof written === 'object' && written !== null ? Object.keys(written) : [];
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    throw new UsageError(`--fault: found ${describeFound(data)}, expected one kind of fault`, example);
  const schema = schemas.get(kind);
  if (!schema)
    throw new UsageError(
      `--fault: found the kind "${kind}", expected one of ${[...schemas.keys()].join(', ')}`,
      didYouMean(kind, [...schemas.keys()], 'kinds'),
    );
  const checked = schema.safeParse(written);
  if (!checked.success) {
    const { path, message } = checked.error.issues[0]!;
    throw new UsageError(`--fault: ${path.join('.')}: ${message}`, example);
  }
  return written as WrittenFault;
}

/** The fault as an argument of a command line. */
export const faultWord = (fault: WrittenFault): string => {
  const [[kind, more]] = Object.entries(fault) as [[string, object]];
  return Object.keys(more ?? {}).length === 0 ? kind : `'${JSON.stringify(fault)}'`;
};
