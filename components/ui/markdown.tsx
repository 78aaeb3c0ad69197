'use client';

import { ImageOff } from 'lucide-react';
import { memo, useDeferredValue, useState } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Button } from './button';
import { cn } from './cn';
import { CodeBlock } from './code-block';
import { formatNumber } from './format';
import { splitBlocks } from './markdown-blocks';

/** Above this many characters text is shown as plain text in pieces: parsing megabytes of Markdown would freeze the page (BR-65). */
const markdownLimit = 60_000;
const plainPage = 60_000;

const plugins = [remarkGfm];

const components: Components = {
  // Raw HTML is never rendered (react-markdown drops it) and no image is loaded: an image address can carry data out (design §10).
  img: ({ alt }) => (
    <span className="inline-flex items-center gap-1 rounded-sm bg-hover px-1 text-faint text-xs">
      <ImageOff aria-hidden size={12} />
      {alt ? `Image not loaded: ${alt}` : 'Image not loaded'}
    </span>
  ),
  a: ({ href, children }) => (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent underline underline-offset-2 hover:text-accent-strong"
    >
      {children}
    </a>
  ),
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = String(children ?? '');
    const language = /language-(\S+)/.exec(className ?? '')?.[1];
    const isBlock = language !== undefined || text.includes('\n');
    if (!isBlock) return <code className="rounded-sm bg-hover px-1 py-px text-[0.92em]">{children}</code>;
    return <CodeBlock code={text.replace(/\n$/, '')} {...(language === undefined ? {} : { language })} />;
  },
  p: ({ children }) => <p className="my-2 first:mt-0 last:mb-0">{children}</p>,
  ul: ({ children }) => <ul className="my-2 list-disc pl-5 marker:text-faint">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="my-2 list-decimal pl-5 marker:text-faint">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="my-0.5">{children}</li>,
  h1: ({ children }) => <h2 className="mt-6 mb-2 font-semibold text-xl first:mt-0">{children}</h2>,
  h2: ({ children }) => <h3 className="mt-5 mb-2 font-semibold text-lg first:mt-0">{children}</h3>,
  h3: ({ children }) => <h4 className="mt-4 mb-1 font-semibold text-base first:mt-0">{children}</h4>,
  h4: ({ children }) => <h5 className="mt-3 mb-1 font-semibold first:mt-0">{children}</h5>,
  blockquote: ({ children }) => <blockquote className="my-2 border-line-strong border-l-2 pl-3 text-muted">{children}</blockquote>,
  hr: () => <hr className="my-4 border-line" />,
  table: ({ children }) => (
    <div className="my-2 overflow-x-auto rounded-md border border-line">
      <table className="w-full border-collapse text-left text-sm">{children}</table>
    </div>
  ),
  th: ({ children }) => <th className="border-line border-b bg-sunken px-2.5 py-1.5 font-medium text-muted text-xs">{children}</th>,
  td: ({ children }) => <td className="border-line border-b px-2.5 py-1.5 align-top">{children}</td>,
};

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

function PlainText({ text, streaming }: { text: string; streaming: boolean }) {
  const [shown, setShown] = useState(plainPage);
  if (streaming) {
    return (
      <div>
        <p className="mb-1 text-faint text-xs">{formatNumber(text.length)} characters so far; the end of them:</p>
        <div className="whitespace-pre-wrap break-words">{text.slice(-4000)}</div>
      </div>
    );
  }
  const pieces: string[] = [];
  for (let at = 0; at < Math.min(shown, text.length); at += 4000) pieces.push(text.slice(at, Math.min(at + 4000, shown)));
  return (
    <div>
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are fixed slices of one text; their index is their identity
        <div key={index} className="whitespace-pre-wrap break-words [content-visibility:auto] [contain-intrinsic-size:auto_800px]">
          {piece}
        </div>
      ))}
      {text.length > shown ? (
        <Button size="sm" className="mt-2" onClick={() => setShown(shown + plainPage)}>
          Show more ({formatNumber(text.length - shown)} characters left)
        </Button>
      ) : null}
    </div>
  );
}

export interface MarkdownProps {
  text: string;
  /** The text is still growing: only the last block is parsed again. */
  streaming?: boolean;
  className?: string;
}

/** Markdown from anyone, models included: no raw HTML, no images from elsewhere, links that cannot reach back. */
export function Markdown({ text, streaming = false, className }: MarkdownProps) {
  const settled = useDeferredValue(text);
  const shown = streaming ? settled : text;
  const look = cn('min-w-0 break-words', className);
  if (shown.length > markdownLimit) {
    return (
      <div className={look}>
        <PlainText text={shown} streaming={streaming} />
      </div>
    );
  }
  if (!streaming) {
    return (
      <div className={look}>
        <Block text={shown} />
      </div>
    );
  }
  return (
    <div className={look}>
      {splitBlocks(shown).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a streamed text only grows; a block keeps its place
        <Block key={index} text={block} />
      ))}
    </div>
  );
}
