import { propertyFault } from '../kernel/explore/property-fault.ts';
import { briefly, MachineError } from '../machines/machine-error.ts';
import { didYouMean } from '../scenarios/nearest.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isSchema = (value: unknown): boolean => isRecord(value) && isFunction(value['safeParse']);
const isLater = (value: unknown): boolean => isRecord(value) && isFunction(value['load']);
const isProtocol = (value: unknown): value is { readonly roles: object } =>
  isRecord(value) && isFunction(value['roleOf']) && isRecord(value['roles']);

/** What each key of a definition must be, in words, when it is there. */
const keys: Readonly<Record<string, readonly [expected: string, fits: (value: unknown) => boolean]>> = {
  summary: ['one sentence', isText],
  config: ['a schema of zod', isSchema],
  programs: ['a schema of zod', isSchema],
  assemble: ['a function', isFunction],
  figures: ['a function', isFunction],
  mutants: ['a Map or record of sentences by id', isRecord],
  protocol: ['what protocol({ … }) gives', isProtocol],
  generator: [
    'an arbitrary of fast-check',
    (value) => isLater(value) || (isRecord(value) && isFunction(value['generate'])),
  ],
  machine: ['later(async () => …)', isLater],
  asynchronous: ['true or false', (value) => typeof value === 'boolean'],
  ...Object.fromEntries(
    ['tickFemtoseconds', 'crashable', 'prepare', 'check', 'standStill', 'logHeader', 'picture', 'sketch'].map(
      (key) => [key, ['a function', isFunction]] as const,
    ),
  ),
  views: ['a record of views by name', isRecord],
  verbs: ['{ summary, load }', isRecord],
  verifies: ['a list of kinds of reference data', (value) => isLater(value) || Array.isArray(value)],
};
/** Keys that are looked at on their own. */
const otherKeys = ['name', 'kind', 'properties', 'symmetric'];

/**
 * Checks what `defineMachine` was given: a machine in JavaScript is held by no compiler. Errors: a `MachineError` that names the key, what was found and
 * what is expected.
 */
export function checkDefinition(definition: unknown): void {
  if (!isRecord(definition) || !isText(definition['name']))
    throw new MachineError(
      'without a name',
      `found ${isRecord(definition) ? `${briefly(definition['name'])} as name` : briefly(definition)}, expected defineMachine({ name, summary, assemble, … })`,
    );
  const name = definition['name'] as string;
  const refuse = (key: string, found: unknown, expected: string): never => {
    throw new MachineError(name, `found ${briefly(found)} as ${key}, expected ${expected}`);
  };
  if (!('machine' in definition) && !('assemble' in definition))
    refuse('assemble', undefined, 'a function that wires its actors');
  for (const [key, [expected, fits]] of Object.entries(keys))
    if ((definition[key] !== undefined || key === 'summary') && !fits(definition[key]))
      refuse(key, definition[key], expected);
  const known = [...otherKeys, ...Object.keys(keys)];
  for (const key of Object.keys(definition))
    if (!known.includes(key))
      throw new MachineError(name, `found the key ${key}: ${didYouMean(key, known, 'keys')}`);
  const { properties, protocol, symmetric } = definition;
  if (Array.isArray(properties))
    properties.forEach((one, index) => {
      const fault = propertyFault(one);
      if (fault !== undefined)
        throw new MachineError(name, `found ${briefly(one)} as properties[${index}]: ${fault}`);
    });
  else if (properties !== undefined && !isRecord(properties) && !isFunction(properties))
    refuse('properties', properties, 'a list of properties');
  if (symmetric !== undefined) {
    const roles = isProtocol(protocol) ? Object.keys(protocol.roles) : [];
    if (typeof symmetric !== 'string' || !roles.includes(symmetric))
      refuse(
        'symmetric',
        symmetric,
        roles.length > 0 ? `a role of its protocol: ${roles.join(', ')}` : 'a protocol with this role',
      );
  }
}
