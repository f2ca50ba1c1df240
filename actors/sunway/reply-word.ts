declare const role: unique symbol;

/** The offset of a word in LDM that counts ends of transfers at the side that issued them (specification 3.3). */
export type LocalReply = number & { readonly [role]: { readonly local: true } };

/** The offset of a word in LDM, the same in every CPE, that counts ends of transfers at the other side (specification 3.3). */
export type RemoteReply = number & { readonly [role]: { readonly remote: true } };

/**
 * A reply word that can be named in both roles.
 *
 * Details: the brand keeps words and lengths apart, so that the order of arguments of `rma_ibcast` and that of `rma_row_ibcast`, which differ,
 * cannot be mixed up unnoticed (specification 15, C8).
 */
export type ReplyWord = LocalReply & RemoteReply;

/** Where a call takes a word or none: production code hands 0 to calls of which it never awaits the end (specification 3.3). */
export type LocalReplyOrNone = LocalReply | null;
/** The same for the other side. */
export type RemoteReplyOrNone = RemoteReply | null;

/** An offset in LDM as a reply word, for a program that lays out its words itself. */
export const replyWordAt = (offset: number): ReplyWord => offset as ReplyWord;
