import { inputConversions } from '../../../actors/grape/arithmetic/conversions.ts';
import type { Word } from '../../../actors/grape/arithmetic/word.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import { ExpressionError, evaluate, type RubyNumber } from './expression.ts';
import type { Token } from './lines.ts';

const form = /^([ifh])(l?)"([^"]*)"$/;

/** True for a word that is meant as a constant: a letter or two and a quoted text. */
export const isConstant = (text: string): boolean => /^[a-z]*"/.test(text);

/** The width and the word of a constant `f"1.5"`, `il"60"`, `h"3ff000000"` (GRAPE specification 2.11). Errors: E_OPERAND, E_CONST_EXPR, E_CONST_RANGE. */
export function constantOf(
  token: Token,
  variables: ReadonlyMap<string, RubyNumber>,
  diagnosticLog: DiagnosticLog,
): { readonly long: boolean; readonly word: Word } {
  const match = form.exec(token.text);
  if (!match) diagnosticLog.fail('E_OPERAND', token);
  const [, kind, l, text] = match as unknown as [string, 'i' | 'f' | 'h', string, string];
  const long = l === 'l';
  if (kind === 'h') {
    if (!/^[\da-fA-F]+$/.test(text)) diagnosticLog.fail('E_CONST_EXPR', token);
    return { long, word: fitting(BigInt(`0x${text}`), long, token, diagnosticLog) };
  }
  const value = evaluated(text, variables, token, diagnosticLog);
  if (kind === 'f') return { long, word: floatWord(Number(value), long) };
  if (typeof value !== 'bigint') diagnosticLog.fail('E_CONST_EXPR', token);
  return { long, word: fitting(value, long, token, diagnosticLog) };
}

/** A double as a word of the chip: conversion 0 to a long one, conversion 1 to a short one. */
export function floatWord(value: number, long: boolean): Word {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  return inputConversions[long ? 0 : 1]!.convert(bits.getBigUint64(0), { narrowMode: 'nearest' });
}

function evaluated(
  text: string,
  variables: ReadonlyMap<string, RubyNumber>,
  token: Token,
  diagnosticLog: DiagnosticLog,
): RubyNumber {
  try {
    return evaluate(text, variables);
  } catch (error) {
    if (error instanceof ExpressionError) diagnosticLog.fail('E_CONST_EXPR', token);
    throw error;
  }
}

/** An integer in two's complement; unsigned ones may use all bits. Errors: E_CONST_RANGE. */
export function fitting(value: bigint, long: boolean, token: Token, diagnosticLog: DiagnosticLog): Word {
  const bits = long ? 72 : 36;
  const limit = 1n << BigInt(bits);
  if (value >= limit || value < -limit / 2n) diagnosticLog.fail('E_CONST_RANGE', token);
  return BigInt.asUintN(bits, value);
}
