import type { SchemaRow } from './schema-rows';

/** Fields of a schema: name, type and bounds, default. */
export function SchemaTable({ rows, label }: { rows: readonly SchemaRow[]; label: string }) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table aria-label={label} className="w-full border-collapse text-left">
        <thead>
          <tr className="bg-sunken text-muted text-xs">
            <th className="border-line border-b px-3 py-2 font-medium">Field</th>
            <th className="border-line border-b px-3 py-2 font-medium">Type</th>
            <th className="border-line border-b px-3 py-2 font-medium">Default</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.path} className="align-top">
              <td className="px-3 py-2">
                <p className="font-mono text-xs leading-5">
                  {row.path}
                  {row.required ? <span className="font-sans text-faint"> (required)</span> : null}
                </p>
                {row.title ? <p className="font-medium">{row.title}</p> : null}
                {row.description ? <p className="max-w-xl text-muted">{row.description}</p> : null}
              </td>
              <td className="max-w-64 px-3 py-2">
                <p className="break-words font-mono text-xs leading-5">{row.type}</p>
                {row.bounds ? <p className="text-faint text-xs">{row.bounds}</p> : null}
              </td>
              <td className="max-w-56 px-3 py-2">
                {row.fallback === null ? (
                  <span className="text-faint">none</span>
                ) : (
                  <code className="line-clamp-4 break-all font-mono text-xs leading-5" title={row.fallback}>
                    {row.fallback}
                  </code>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
