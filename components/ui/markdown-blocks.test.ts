import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitBlocks } from './markdown-blocks';

it('loses and invents no character of a streamed reply', () => {
  const piece = fc.constantFrom('a', '\n', '\n\n', '```', '```js\n', '~~~\n', '# t\n', ' ', '- x\n');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      return splitBlocks(text).join('') === text;
    }),
  );
});

it('does not tear a code fence apart at its blank lines', () => {
  expect(splitBlocks('intro\n\n```js\na\n\nb\n```\n\nend')).toEqual(['intro\n\n', '```js\na\n\nb\n```\n\n', 'end']);
});

it('does not close a longer fence with a shorter one', () => {
  expect(splitBlocks('````\n```\n\nx\n````\n\ny')).toEqual(['````\n```\n\nx\n````\n\n', 'y']);
});
