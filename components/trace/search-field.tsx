import { Search } from 'lucide-react';
import { Input } from '../ui/input';

/** A filter box for the lists of the trace. */
export function SearchField({ value, onChange, label }: { value: string; onChange: (value: string) => void; label: string }) {
  return (
    <div className="relative min-w-24 max-w-72 flex-1">
      <Search aria-hidden size={12} className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2 text-faint" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        className="h-7 pl-7 text-xs"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
