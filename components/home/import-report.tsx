import { CircleCheck, CircleX, X } from 'lucide-react';
import Link from 'next/link';
import { Card } from '../ui/card';
import { formatCount } from '../ui/format';
import { IconButton } from '../ui/icon-button';
import type { ImportOutcome } from './import-file';

/** What became of the files, each by its name. Stays until it is closed. */
export function ImportReport({ outcomes, onClose }: { outcomes: readonly ImportOutcome[]; onClose: () => void }) {
  if (outcomes.length === 0) return null;
  const imported = outcomes.filter((outcome) => outcome.flow !== null).length;
  const refused = outcomes.length - imported;
  const parts = [
    ...(imported > 0 ? [`${formatCount(imported, 'flow')} imported`] : []),
    ...(refused > 0 ? [`${formatCount(refused, 'file')} refused`] : []),
  ];
  return (
    <Card className="mb-8 overflow-hidden">
      <div className="flex items-center justify-between border-line border-b py-1 pr-1 pl-4">
        <p role="status" className="font-medium">
          {parts.join(', ')}
        </p>
        <IconButton label="Close this report" icon={<X size={14} />} size="sm" onClick={onClose} />
      </div>
      <ul className="max-h-96 divide-y divide-line overflow-auto">
        {outcomes.map((outcome, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a report is written once; two files may bear one name
          <li key={index} className="flex items-start gap-3 px-4 py-2">
            {outcome.flow === null ? (
              <CircleX aria-label="Refused" size={16} className="mt-0.5 shrink-0 text-fail" />
            ) : (
              <CircleCheck aria-label="Imported" size={16} className="mt-0.5 shrink-0 text-ok" />
            )}
            <div className="min-w-0 flex-1">
              <p className="truncate font-mono text-xs leading-5">{outcome.source}</p>
              {outcome.messages.map((message) => (
                <p key={message} className={outcome.flow === null ? 'break-words text-fail' : 'break-words text-muted'}>
                  {message}
                </p>
              ))}
            </div>
            {outcome.flow === null ? null : (
              <Link
                href={`/flows/${encodeURIComponent(outcome.flow.id)}`}
                className="shrink-0 truncate font-medium text-accent hover:underline"
              >
                Open {outcome.flow.name}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
