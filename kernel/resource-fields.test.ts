import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { unread } from './testing/unread-fields.ts';

/*
 * A resource that forks a field which its hash does not see makes the explorer take different states for one. So the hash of each resource reads all of its fields, or those that
 * it leaves out are listed with their reason.
 */

const home = new URL('../', import.meta.url).pathname;

/** The fields that the hash of each resource does not read, by the name of its class. */
function unreadFields(): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const folder of ['actors', 'kernel', 'machines', 'properties'])
    for (const entry of readdirSync(`${home}${folder}`, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/(?<!\.test)\.ts$/.test(entry.name)) continue;
      const text = readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8');
      if (!/\bhash\(/.test(text) || !/\bfork\(/.test(text)) continue;
      const visit = (node: ts.Node): void => {
        if (ts.isClassDeclaration(node)) {
          const fields = unreadOf(node);
          if (fields && fields.length > 0) found[node.name!.text] = fields;
        }
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(entry.name, text, ts.ScriptTarget.Latest, true));
    }
  return found;
}

/** The fields that `hash` does not read, directly or through what it calls; nothing of what is no resource. */
function unreadOf({ members }: ts.ClassDeclaration): readonly string[] | undefined {
  const bodies = new Map<string, ts.Block>();
  const fields: string[] = [];
  for (const member of members)
    if (ts.isPropertyDeclaration(member)) fields.push(member.name.getText());
    else if (ts.isConstructorDeclaration(member))
      fields.push(
        ...member.parameters.filter(({ modifiers }) => modifiers).map(({ name }) => name.getText()),
      );
    else if ((ts.isMethodDeclaration(member) || ts.isGetAccessor(member)) && member.body)
      bodies.set(member.name.getText(), member.body);
  if (!bodies.has('fork') || !bodies.has('hash')) return undefined;
  const read = new Set(['hash']);
  // A set hands out what is added while it is gone through.
  for (const name of read) {
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword)
        read.add(node.name.text);
      ts.forEachChild(node, visit);
    };
    const body = bodies.get(name);
    if (body) visit(body);
  }
  return fields.filter((name) => !read.has(name));
}

test('hashes of resources see every field, but for those with a reason', () => {
  const listed = Object.entries(unread).map(([name, fields]) => [name, Object.keys(fields).sort()]);
  const found = Object.entries(unreadFields()).map(([name, fields]) => [name, [...fields].sort()]);

  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
});

test('a field that is copied and not hashed is found', () => {
  const source = `class Count { left = 0; right = 0; constructor(readonly spec: object) {}
    fork() { return Object.assign(new Count(this.spec), this); }
    hash(into: Hasher) { this.#sides(into); }
    #sides(into: Hasher) { into.number(this.left); } }`;
  const { statements } = ts.createSourceFile('count.ts', source, ts.ScriptTarget.Latest, true);

  expect(unreadOf(statements[0] as ts.ClassDeclaration)).toEqual(['right', 'spec']);
});
