/*
 * React Flow looks handles up with a CSS attribute selector built from ids, so an id with a quote or a backslash in it would throw there. Document ids
 * are free text (BR-37); these two functions are the border between the two.
 */

const unsafe = /[%"\\\n]/g;

/** A document id (or port) as the canvas may carry it. Reversible; ordinary ids pass unchanged. */
export const toCanvasId = (id: string): string =>
  id.replace(unsafe, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

export const fromCanvasId = (id: string): string =>
  id.replace(/%([0-9a-f]{2})/g, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Handle of control coming in. Ports are the handles that control leaves by, under their own names. */
export const inHandle = 'in';
/** Handle on a policy's card from which it is pinned to a node. */
export const attachHandle = 'attach';
/** Handle on the lower edge of a node that policies are pinned to. */
export const guardHandle = 'guard';
