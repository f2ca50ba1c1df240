import { z } from 'zod';

/** How patterns of names are written, for descriptions. */
const grammar = '* stands for any characters but a dot, ** for any characters';

const odds = {
  probability: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('how likely it strikes at each chance; 1 strikes always, under every schedule'),
  budget: z
    .int()
    .min(1)
    .optional()
    .describe(
      'how many times it may strike; 1 when there is no probability either, else without limit when absent',
    ),
};

/** Longer names no actor and no message has. */
const nameCharsMax = 1000;
const name = z.string().min(1).max(nameCharsMax);

const place = {
  from: name
    .optional()
    .describe(`whose messages it may befall: a name or a pattern, ${grammar}; everybody's when absent`),
  to: name
    .optional()
    .describe(`messages to whom it may befall: a name or a pattern, ${grammar}; to everybody when absent`),
  type: name
    .optional()
    .describe(`types of messages it may befall: a name or a pattern, ${grammar}; all when absent`),
};

const ticksMax = 1_000_000_000;
const ticks = z.int().min(1).max(ticksMax).default(1);

/** Where and how often a fault strikes, with what else it needs to know. */
const strikes = <S extends z.ZodRawShape>(more: S) => z.strictObject({ ...place, ...odds, ...more });

/** The schema of one kind of fault: a mapping with that kind as its only key. */
const under = <K extends string, T extends object>(kind: K, schema: z.ZodType<T>) =>
  z
    .strictObject({ [kind]: schema })
    .transform((given): { readonly kind: K } & T => ({ kind, ...(given[kind] as T) }));

/** The schemas of the faults that a run injects, each under the key of its kind. */
export const injectedFaultSchemas = [
  under('drop', strikes({}).describe('a message is never delivered')),
  under('duplicate', strikes({}).describe('a message is delivered twice')),
  under(
    'delay',
    strikes({ ticks: ticks.describe('how many ticks later the message is due, 1 when absent') }).describe(
      'a message is due later, and what is sent after it on the same channel waits behind it',
    ),
  ),
  under(
    'reorder',
    strikes({ ticks: ticks.describe('how many ticks later the message is due, 1 when absent') }).describe(
      'a message is due later, and what is sent after it on the same channel overtakes it',
    ),
  ),
  under(
    'corrupt',
    strikes({
      field: name.optional().describe('the field that changes; any number or truth value when absent'),
    }).describe('one bit of a message is another one'),
  ),
  under(
    'crash',
    z
      .strictObject({
        actor: name.describe(`the actors that may crash: a name or a pattern, ${grammar}`),
        restart: z
          .int()
          .min(1)
          .max(ticksMax)
          .optional()
          .describe('ticks after which it begins anew, in its first state; never when absent'),
        ...odds,
      })
      .describe(
        'an actor stops in front of a message, which is lost like those that follow; where the machine allows it',
      ),
  ),
] as const;
