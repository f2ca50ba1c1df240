import { isDraft, original } from 'immer';

/**
 * A value of a context as plain data, for what outlives the recipe: a message, a resource.
 *
 * Use when a recipe hands on an object of its context that it has not changed. Details: with persistent contexts a recipe sees drafts, which are
 * gone when it ends; with mutable ones this is the value itself.
 */
export const undrafted = <T extends object>(value: T): T =>
  isDraft(value) ? (original<object>(value) as T) : value;
