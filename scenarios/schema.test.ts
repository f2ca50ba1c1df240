import { describe, expect, it } from 'vitest';
import type { Machine } from '../machines/machine.ts';
import { scenarioJsonSchema } from './schema.ts';
import { ping } from './testing/ping.ts';

describe('scenarioJsonSchema', () => {
  const schema = scenarioJsonSchema(ping as Machine, 'players') as unknown as {
    required: string[];
    additionalProperties: boolean;
    properties: Record<string, { description?: string; properties?: object; items?: object; const?: string }>;
  };

  const of = (key: string) => schema.properties[key];

  it('wants a name and a machine and refuses keys it does not know', () => {
    expect(schema.required).toEqual(['name', 'machine']);
    expect(schema.additionalProperties).toBe(false);
  });

  it('describes every key, so that editors can explain it', () => {
    const keys = ['name', 'about', 'machine', 'config', 'programs', 'faults', 'schedule', 'until', 'expect'];

    expect(Object.keys(schema.properties)).toEqual(keys);
    for (const key of keys) expect(of(key)?.description, key).toMatch(/\w/);
  });

  it("holds the machine's configuration with its ranges and its fault catalogue", () => {
    expect(of('machine')?.const).toBe('ping');
    expect(of('config')?.properties).toMatchObject({
      players: { type: 'integer', minimum: 1, maximum: 1024, description: 'players on the other side' },
    });
    expect(JSON.stringify(of('faults')?.items)).toContain('"enum":["lostBall","strongPlayer"]');
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });
});
