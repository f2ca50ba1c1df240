import { z } from 'zod';
import type { Machine } from '../machines/machine.ts';
import { scenarioSchema } from './scenario.ts';

/**
 * The JSON Schema of the scenario files of a machine, so that editors complete and check them (design, section 4).
 *
 * Details: draft 7, which is what YAML support in editors reads; what cannot be said in JSON Schema allows anything.
 */
export function scenarioJsonSchema(machine: Machine, summary: string): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(scenarioSchema(machine), {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  return {
    ...schema,
    title: `Lockstep scenario for ${machine.name}`,
    description: summary,
  } as z.core.JSONSchema.BaseSchema;
}
